/** TPC-B as pgbench runs it, at scale 20: the tables, and the transaction of five statements. */
import type postgres from 'postgres'
import type { Script } from './sql-load.ts'

const SCALE = 20
const ACCOUNTS_EACH = 100_000
const TELLERS_EACH = 10

export async function createTpcb(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists tpcb;
    create table if not exists tpcb.branches (bid integer primary key, bbalance integer, filler character(88)) with (fillfactor = 100);
    create table if not exists tpcb.tellers (tid integer primary key, bid integer, tbalance integer, filler character(84));
    create table if not exists tpcb.accounts (aid integer primary key, bid integer, abalance integer, filler character(84));
    create table if not exists tpcb.history (tid integer, bid integer, aid integer, delta integer, mtime timestamp, filler character(22));
    insert into tpcb.branches select n, 0, '' from generate_series(1, ${SCALE}) n on conflict do nothing;
    insert into tpcb.tellers
    select n, (n - 1) / ${TELLERS_EACH} + 1, 0, '' from generate_series(1, ${SCALE * TELLERS_EACH}) n on conflict do nothing;
    insert into tpcb.accounts
    select n, (n - 1) / ${ACCOUNTS_EACH} + 1, 0, '' from generate_series(1, ${SCALE * ACCOUNTS_EACH}) n
    where not exists (select from tpcb.accounts)
  `)
  await sql.unsafe('vacuum analyze tpcb.accounts')
}

export const tpcb: Script = {
  variables: {
    aid: [1, SCALE * ACCOUNTS_EACH],
    bid: [1, SCALE],
    tid: [1, SCALE * TELLERS_EACH],
    delta: [-5000, 5000],
  },
  statements: [
    'begin',
    'update tpcb.accounts set abalance = abalance + :delta where aid = :aid',
    'select abalance from tpcb.accounts where aid = :aid',
    'update tpcb.tellers set tbalance = tbalance + :delta where tid = :tid',
    'update tpcb.branches set bbalance = bbalance + :delta where bid = :bid',
    'insert into tpcb.history (tid, bid, aid, delta, mtime) values (:tid, :bid, :aid, :delta, current_timestamp)',
    'end',
  ],
}
