/** The shards of a distributed database and the node of each, by Citus's catalogue. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Query, Sql } from '../db.ts'
import { ANCHOR, allDistributed, SHARED } from './tables.ts'
import { hashUser } from './user-hash.ts'

/** One part of the users. Its number is its position in the order of hashes, the same for all tables. */
export type Shard = {
  number: number
  /** `host:port` */
  node: string
  /** The greatest hash of a user id that is in it. */
  hashMax: number
  /** The id that Citus gave the shard of each table: `video` of shard 3 is the table kinora.video_<id>. */
  ids: Map<string, number>
}

export type Placement = {
  shards: Shard[]
  /** The table of each constraint, whose name has the shard's id too. */
  tableOfConstraint: Map<string, string>
  /** What the coordinator calls the rows of each shared table. */
  nameOfShared: Map<string, string>
}

const REFRESH_PAUSE_MS = 1000
const LOOK_EVERY_MS = 5000

/** The placement that a process knows. */
export type Placements = {
  current: () => Placement
  /**
   * Reads it again, at most once a second and once for all statements that fail meanwhile.
   * @param used by the statement that failed; another one is there when it was read since
   */
  refresh: (used: Placement) => Promise<void>
  /** Reads it again after a while: a worker of one node sends nothing that fails when it gets another shard. */
  look: () => void
}

/** @returns null when the database is not distributed */
export async function openPlacements(coordinator: Sql): Promise<Placements | null> {
  const first = await readPlacement(coordinator)
  if (first === null) return null
  let placement: Placement = first
  let refreshedMs = performance.now()
  let refreshing: Promise<void> | null = null
  const readAgain = async () => {
    await sleep(Math.max(0, refreshedMs + REFRESH_PAUSE_MS - performance.now()), undefined, { ref: false })
    refreshedMs = performance.now()
    placement = (await readPlacement(coordinator)) ?? placement
  }
  const lookAgain = async () => {
    refreshedMs = performance.now()
    const used = placement
    const read = await readPlacement(coordinator)
    // `refresh` may have replaced it meanwhile, with what is newer than this.
    if (read !== null && placement === used && placesOf(read) !== placesOf(used)) placement = read
  }
  return {
    current: () => placement,
    look: () => {
      if (performance.now() > refreshedMs + LOOK_EVERY_MS) void lookAgain().catch(() => {})
    },
    refresh: (used) => {
      if (placement !== used) return Promise.resolve()
      refreshing ??= readAgain().finally(() => {
        refreshing = null
      })
      return refreshing
    },
  }
}

const placesOf = ({ shards }: Placement): string => shards.map(({ node }) => node).join()

/** @returns null when the database is not distributed */
export async function readPlacement(sql: Query): Promise<Placement | null> {
  const [citus] = await sql<{ isDistributed: boolean }[]>`
    select to_regclass('pg_dist_shard') is not null and to_regclass('kinora.shard_user') is not null as is_distributed
  `
  if (!citus?.isDistributed) return null
  const rows = await sql<{ name: string; shardId: number; hashMax: number; node: string }[]>`
    select c.relname as name, s.shardid as shard_id, s.shardmaxvalue::integer as hash_max, n.nodename || ':' || n.nodeport as node
    from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where c.relnamespace = 'kinora'::regnamespace and s.shardmaxvalue is not null
    order by c.relname, s.shardminvalue::integer
  `
  const byTable = Map.groupBy(rows, ({ name }) => name)
  const shards = (byTable.get(ANCHOR) ?? []).map(({ node, hashMax }, number) => ({
    number,
    node,
    hashMax,
    ids: new Map(
      allDistributed().map((table) => {
        const row = byTable.get(table)?.[number]
        if (!row) throw new Error(`${table} is not distributed: run \`kinora migrate --distributed\``)
        return [table, row.shardId]
      }),
    ),
  }))
  const constraints = await sql<{ name: string; table: string }[]>`
    select o.conname as name, c.relname as table
    from pg_constraint o
    join pg_class c on c.oid = o.conrelid
    where c.relnamespace = 'kinora'::regnamespace and c.relname = any(${allDistributed()})
  `
  const shared = await sql<{ name: string; shardId: number }[]>`
    select c.relname as name, s.shardid as shard_id
    from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid
    where c.relnamespace = 'kinora'::regnamespace and c.relname = any(${[...SHARED]})
  `
  return {
    shards,
    tableOfConstraint: new Map(constraints.map(({ name, table }) => [name, table])),
    nameOfShared: new Map(shared.map(({ name, shardId }) => [name, `${name}_${shardId}`])),
  }
}

/** The shard of a user. */
export function shardOf({ shards }: Placement, userId: string): Shard {
  const hash = hashUser(userId)
  // Citus divides the hashes evenly.
  let [low, high] = [0, shards.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shards[middle] as Shard).hashMax < hash) low = middle + 1
    else high = middle
  }
  return shards[low] as Shard
}

/** The address of a node: that of the coordinator with another host and port. */
export function nodeUrl(databaseUrl: string, node: string): string {
  const url = new URL(databaseUrl)
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? []
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = port
  return url.href
}
