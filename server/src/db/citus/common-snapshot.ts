/**
 * The snapshots of all servers of a distributed database at one moment, for a backup while processes run.
 *
 * Invariant: they have all of a transaction or nothing of it. A transaction of two servers writes one of the gates on
 * the coordinator, and keeps the lock of this table until both sides are committed: when it began on the coordinator,
 * because Citus commits the node before the coordinator's locks end; when it began on a node, because the part that the
 * coordinator has prepared keeps its locks, and is committed last. So while the gates are locked against writers, none
 * is between its sides, and none commits. Only after a connection broke in between can a part be prepared without that
 * lock: it is looked for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb, type Query, type Sql } from '../db.ts'
import type { SnapshotPart } from '../division.ts'
import { nodeUrl, type Placement, readPlacement, type Shard } from './placement.ts'
import { forCoordinator } from './shard-text.ts'
import { ANCHOR, allDistributed, distributedFor, isOfShards, MIRRORED, OF_CITUS } from './tables.ts'

/** Less than PostgreSQL's deadlock_timeout of a second, so that in a deadlock the writer is not the one that fails. */
const LOCK_MAX_MS = 800
/** Less, together with the limit above, than lock_timeout of the processes (db.ts): writers wait, and none fails. */
const HOLD_MAX_MS = 1500
/** Together more than a minute: as often Citus ends what a server that died has left prepared. */
const PAUSES_MS = [250, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000]

/** SQLSTATE query_canceled and deadlock_detected, of the wait for the locks; locks and their session ended. */
const PASSING = ['57014', '40P01', '25P03', 'CONNECTION_CLOSED']

/** No snapshots yet: another attempt may have them. */
class NotOpened extends Error {}

/** @param read receives a single PostgreSQL, or the coordinator and then each shard */
export async function inCommonSnapshot<T>(
  databaseUrl: string,
  read: (parts: SnapshotPart[]) => Promise<T>,
): Promise<T> {
  // Beside the snapshot a connection for locks and looks, and on the coordinator one that keeps shards from being
  // moved.
  const open = (url: string) =>
    openDb(url, { connections: 3, name: 'kinora backup', statementTimeoutMs: 0, lasting: true })
  const servers = [open(databaseUrl)] as [Sql, ...Sql[]]
  const [coordinator] = servers
  try {
    const before = await readPlacement(coordinator)
    if (before === null) return await beginAll(servers, ([tx]) => read([{ tx, nameOf: (table) => table }]))
    const result = await coordinator.begin(async (tx) => {
      await keepPlaces(tx, before)
      const placement = (await readPlacement(tx)) ?? before
      const nodes = [...new Set(placement.shards.map(({ node }) => node))]
      servers.push(...nodes.map((node) => open(nodeUrl(databaseUrl, node))))
      await Promise.all(nodes.map((node, i) => assertUp(node, servers[i + 1] as Sql)))
      const gates = await readGates(coordinator, placement)
      return await repeat(() =>
        beginAll(servers, async (transactions) => {
          await openAtOnce(servers, transactions, gates)
          const [first, ...ofNodes] = transactions
          const shards = placement.shards.map((shard) => ofShard(ofNodes[nodes.indexOf(shard.node)] as Query, shard))
          return await read([ofCoordinator(first, placement), ...shards])
        }),
      )
    })
    return result as T
  } finally {
    await Promise.all(servers.map((server) => server.end({ timeout: 5 })))
  }
}

/**
 * Until the end of the transaction a move waits before its last part: it takes this lock on the coordinator before it
 * stops writers on the nodes. The anchor's is the first that it takes, so it has no other lock meanwhile.
 */
async function keepPlaces(tx: Query, { shards }: Placement): Promise<void> {
  await tx.unsafe('set local lock_timeout = 0')
  await tx`select lock_shard_metadata(5, ${shards.map(({ ids }) => ids.get(ANCHOR) as number)}::bigint[])`
}

/** A transaction on each server. Its snapshot begins with its first statement. */
async function beginAll<T>(
  [server, ...rest]: Sql[],
  run: (transactions: [Query, ...Query[]]) => Promise<T>,
  begun: Query[] = [],
): Promise<T> {
  if (!server) return await run(begun as [Query, ...Query[]])
  const result = await server.begin('isolation level repeatable read read only', (tx) =>
    beginAll(rest, run, [...begun, tx]),
  )
  return result as T
}

async function assertUp(node: string, sql: Sql): Promise<void> {
  await sql`select 1`.catch((cause: Error) => {
    throw new Error(`The database node ${node} cannot be reached, and a backup needs every node: ${cause.message}`, {
      cause,
    })
  })
}

/**
 * The tables of the coordinator that transactions of two servers write: payments, gifts and deletions of accounts write
 * the lock of payments, before anything else there; credits of administrators write their keys; sign-ups, changes of
 * users and API keys, which a trigger copies to the shard, write the others.
 */
async function readGates(coordinator: Sql, placement: Placement): Promise<string[]> {
  // The locks are by the names of their rows. Through Citus the tables of this name would be locked on all servers, and
  // their rows on none.
  const tables = OF_CITUS.map(({ table }) => `kinora.${table}`)
  const locks = await coordinator<{ name: string }[]>`
    select shard_name(logicalrelid, shardid) as name from pg_dist_shard
    where logicalrelid = any(${tables}::text[]::regclass[])
    order by 1
  `
  if (locks.length < tables.length) throw new Error(`${tables.join(', ')} are not shared: run \`kinora migrate\``)
  return [...locks.map(({ name }) => name), ...MIRRORED.map(({ table }) => forCoordinator(table, placement))]
}

async function repeat<T>(run: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error
      const pauseMs = PAUSES_MS[failures]
      if (pauseMs === undefined) {
        throw new Error(
          `No moment without a half-committed transaction in ${failures + 1} attempts: ${error.message}. pg_prepared_xacts of each ` +
            'server has those that wait for their end; recover_prepared_transactions() on each server ends those that a dead server left.',
          { cause: error },
        )
      }
      await sleep(pauseMs)
    }
  }
}

/** @throws NotOpened */
async function openAtOnce(servers: [Sql, ...Sql[]], transactions: Query[], gates: string[]): Promise<void> {
  const [coordinator, ...nodes] = servers
  try {
    // The first attempt has no locks: it opens the connections, and often it is what would be found under them.
    await assertNoneHalfCommitted(servers)
    // The commit fails when the locks have ended before the last snapshot was open.
    await coordinator.begin(async (tx) => {
      await tx
        .unsafe(
          `set local statement_timeout = ${LOCK_MAX_MS}; set local idle_in_transaction_session_timeout = ${HOLD_MAX_MS}; ` +
            // Citus calls a lock of the rows' own table a change.
            'set local citus.enable_manual_changes_to_shards = on',
        )
        .simple()
      await tx.unsafe(`lock table ${gates.join(', ')} in share mode`)
      await assertNoneHalfCommitted([tx, ...nodes])
      await Promise.all(transactions.map((snapshot) => snapshot`select pg_current_snapshot()`))
    })
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (!(error instanceof NotOpened) && !PASSING.includes(code ?? '')) throw error
    throw new NotOpened(message, { cause: error })
  }
}

/** Waits before the snapshots: what is prepared with a commit record is committed on its other side. */
async function assertNoneHalfCommitted(servers: Query[]): Promise<void> {
  const prepared = await Promise.all(
    servers.map(
      (server) => server<{ gid: string }[]>`
      select gid from pg_prepared_xacts where database = current_database()
    `,
    ),
  )
  const ids = prepared.flat().map(({ gid }) => gid)
  if (ids.length === 0) return
  const records = await Promise.all(
    servers.map((server) => server<{ gid: string }[]>`select gid from pg_dist_transaction where gid = any(${ids})`),
  )
  const [half] = records.flat()
  if (half) throw new NotOpened(`${half.gid} is committed on one server and prepared on another`)
}

function ofCoordinator(tx: Query, placement: Placement): SnapshotPart {
  // Those of a distributed database alone; the names that Citus plans for; and, when it does not hide them, those of
  // the rows.
  const others = new Set([
    ...OF_CITUS.map(({ table }) => table),
    ...allDistributed(),
    ...placement.shards.flatMap(({ ids }) => [...ids].map(([table, id]) => `${table}_${id}`)),
    ...placement.nameOfShared.values(),
  ])
  return {
    tx,
    nameOf: (table) => (others.has(table.replace(/^kinora\./, '')) ? null : forCoordinator(table, placement)),
  }
}

const ofShard = (tx: Query, { ids }: Shard): SnapshotPart => ({
  tx,
  nameOf: (table) => {
    const name = distributedFor(table) ?? ''
    return isOfShards(table) ? `kinora.${name}_${ids.get(name)}` : null
  },
})
