/** The nodes of a distributed database: a pool of connections for each, and which of them could not be reached. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DbOptions, openDb, type Sql } from '../db.ts'
import { nodeUrl } from './placement.ts'

/** The driver's errors without a connection, and the server's when it shuts down. */
const UNREACHABLE = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND|57P)/
/** The time for which nothing is claimed from a node that could not be reached: an attempt may take five seconds. */
const DOWN_MS = 5000
const CHECK_MS = 2000

export type Nodes = ReturnType<typeof openNodes>

/** Nodes are named `host:port`, as the catalogue of Citus names them. */
export function openNodes(databaseUrl: string, options: DbOptions) {
  const pools = new Map<string, Sql>()
  const downUntilMs = new Map<string, number>()

  const poolOf = (node: string): Sql => {
    let pool = pools.get(node)
    if (!pool) {
      pool = openDb(nodeUrl(databaseUrl, node), options)
      pools.set(node, pool)
    }
    return pool
  }

  return {
    poolOf,
    /** Opens the node at this address. @returns its name */
    open: async (url: string): Promise<string> => {
      const sql = openDb(url, { ...options, connections: 1 })
      try {
        const [row] = await sql<{ node: string }[]>`
          select n.nodename || ':' || n.nodeport as node
          from pg_dist_local_group g
          join pg_dist_node n on n.groupid = g.groupid and n.noderole = 'primary'
        `
        if (!row) throw new Error(`${new URL(url).host} is not a node of this database`)
        pools.set(row.node, openDb(url, options))
        return row.node
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
    isUp: (node: string): boolean => (downUntilMs.get(node) ?? 0) < performance.now(),
    /** @returns whether the error of a statement says that its node is down */
    noteFailure: (node: string, error: unknown): boolean => {
      const isDown = UNREACHABLE.test((error as { code?: string }).code ?? '')
      if (isDown) downUntilMs.set(node, performance.now() + DOWN_MS)
      return isDown
    },
    /** @returns why the node cannot be reached, or null */
    check: (node: string): Promise<string | null> => {
      const error = poolOf(node)`select 1`.then(
        () => null,
        (err: Error) => err.message,
      )
      return Promise.race([error, sleep(CHECK_MS, 'no response in time', { ref: false })])
    },
    close: async (): Promise<void> => {
      await Promise.all([...pools.values()].map((pool) => pool.end({ timeout: 1 })))
    },
  }
}
