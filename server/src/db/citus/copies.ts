/** The tables of the shards that stand for the coordinator's: for rows with a user, and copies (tables.ts). */
import type { Query, Sql } from '../db.ts'
import { MIRRORED, SPLIT_BY_USER } from './tables.ts'

export async function createShardTable(tx: Query, table: string): Promise<void> {
  await tx
    .unsafe(`
    create table kinora.shard_${table} (like kinora.${table} including defaults including constraints including storage);
    alter table kinora.shard_${table} alter column user_id set not null, add primary key (user_id, id);
  `)
    .simple()
  await createIndexes(tx, table)
}

/** Those that it does not have. */
async function createIndexes(sql: Query, table: string): Promise<void> {
  const missing = await sql<{ definition: string }[]>`
    select pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${`kinora.${table}`}::regclass and not i.indisprimary
      and to_regclass('kinora.' || quote_ident('shard_' || c.relname)) is null
  `
  for (const { definition } of missing) {
    await sql.unsafe(definition.replace(/ INDEX (\w+) ON kinora\.(\w+)/, ' INDEX shard_$1 ON kinora.shard_$2'))
  }
}

export const moveToShards = (tx: Query, table: string) =>
  tx
    .unsafe(`
    insert into kinora.shard_${table} select * from kinora.${table} where user_id is not null;
    delete from kinora.${table} where user_id is not null;
  `)
    .simple()

/** Makes the columns, constraints and indexes those that a migration has given the table of the coordinator. */
export async function completeShardTables(sql: Sql): Promise<void> {
  for (const table of SPLIT_BY_USER) {
    const [own, shard] = [`kinora.${table}`, `kinora.shard_${table}`]
    const changes = await sql<{ change: string }[]>`
      with columns as (
        select a.attrelid, quote_ident(a.attname) as name, a.attnotnull, format_type(a.atttypid, a.atttypmod) as type,
               pg_get_expr(d.adbin, d.adrelid) as value
        from pg_attribute a
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = any(${[own, shard]}::regclass[]) and a.attnum > 0 and not a.attisdropped
      ), checks as (
        select conrelid, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint
        where conrelid = any(${[own, shard]}::regclass[]) and contype = 'c'
      ), own_columns as (select * from columns where attrelid = ${own}::regclass),
         shard_columns as (select * from columns where attrelid = ${shard}::regclass),
         own_checks as (select * from checks where conrelid = ${own}::regclass),
         shard_checks as (select * from checks where conrelid = ${shard}::regclass)
      select 1 as step, 'drop constraint ' || name as change from shard_checks s
      where not exists (select from own_checks o where o.name = s.name and o.definition = s.definition)
      union all
      select 2, 'drop column ' || name from shard_columns s where not exists (select from own_columns o where o.name = s.name)
      union all
      select 3, 'add column ' || name || ' ' || type || coalesce(' default ' || value, '') || case when attnotnull then ' not null' else '' end
      from own_columns o
      where not exists (select from shard_columns s where s.name = o.name)
      union all
      select 4, 'alter column ' || name || ' drop not null' from shard_columns s join own_columns o using (name)
      where s.attnotnull and not o.attnotnull and name <> 'user_id'
      union all
      select 5, 'add constraint ' || name || ' ' || definition from own_checks o
      where not exists (select from shard_checks s where s.name = o.name and s.definition = o.definition)
      order by step, change
    `
    for (const { change } of changes) await sql.unsafe(`alter table ${shard} ${change}`)
    await createIndexes(sql, table)
  }
}

type Mirrored = (typeof MIRRORED)[number]

const keyOf = (columns: string): string => (columns.split(', ').includes('id') ? 'user_id, id' : 'user_id')

export async function createMirror(tx: Query, mirrored: Mirrored): Promise<void> {
  const { table, mirror, columns, userId } = mirrored
  await tx
    .unsafe(`
    create table kinora.${mirror} as select ${userId} as user_id, ${columns} from ${table} limit 0;
    alter table kinora.${mirror} add primary key (${keyOf(columns)});
  `)
    .simple()
  await createTrigger(tx, mirrored)
}

async function createTrigger(tx: Query, { table, mirror, columns, userId, of }: Mirrored): Promise<void> {
  const key = keyOf(columns)
  const ofRow = (row: string) => userId.replace(/"id"|user_id/, (name) => `${row}.${name}`)
  const newRow = columns.split(', ').map((name) => `new.${name}`)
  // One statement each: Citus sends the text to the nodes as it is.
  await tx.unsafe(`
    create or replace function public.copy_to_${mirror}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        delete from kinora.${mirror} where user_id = ${ofRow('old')}${key === 'user_id' ? '' : ' and id = old.id'};
      else
        insert into kinora.${mirror} (user_id, ${columns})
        values (${ofRow('new')}, ${newRow.join(', ')})
        on conflict (${key}) do update set ${replaceAll(of)};
      end if;
      return null;
    end
    $$
  `)
  await tx.unsafe(`
    create or replace trigger copied_to_${mirror} after insert or delete or update of ${of.join(', ')} on ${table}
    for each row execute function public.copy_to_${mirror}()
  `)
}

const replaceAll = (columns: readonly string[]): string =>
  columns.map((name) => `${name} = excluded.${name}`).join(', ')

export const fillMirror = (tx: Query, { table, mirror, columns, userId }: Mirrored) =>
  tx.unsafe(`insert into kinora.${mirror} (user_id, ${columns}) select ${userId}, ${columns} from ${table}`)

/** Adds the columns that a later release copies, and copies what they have. */
export async function completeMirrors(sql: Sql): Promise<void> {
  for (const mirrored of MIRRORED) {
    const { table, mirror, columns, userId } = mirrored
    const missing = await sql<{ name: string; type: string }[]>`
      select quote_ident(s.attname) as name, format_type(s.atttypid, s.atttypmod) as type
      from pg_attribute s
      where s.attrelid = ${table}::regclass and s.attname = any(${columns.replaceAll('"', '').split(', ')})
        and not exists (
          select from pg_attribute m where m.attrelid = ${`kinora.${mirror}`}::regclass and m.attname = s.attname
        )
    `
    if (missing.length === 0) continue
    await sql.begin(async (tx) => {
      await tx`set local citus.multi_shard_modify_mode = 'sequential'`
      for (const { name, type } of missing) await tx.unsafe(`alter table kinora.${mirror} add column ${name} ${type}`)
      await createTrigger(tx, mirrored)
      const names = missing.map(({ name }) => name)
      await tx.unsafe(`
        insert into kinora.${mirror} (user_id, ${columns}) select ${userId}, ${columns} from ${table}
        where num_nonnulls(${names.join(', ')}) > 0
        on conflict (${keyOf(columns)}) do update set ${replaceAll(names)}
      `)
    })
  }
}
