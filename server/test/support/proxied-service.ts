/** A second service that reaches the database through proxies, so that a test can cut connections. */
import type { Config } from '../../src/config/config.ts'
import { nodeUrl } from '../../src/db/citus/placement.ts'
import type { Sql } from '../../src/db/db.ts'
import { coordinatorOf } from './citus/database.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'
import type { Kinora } from './harness.ts'

type Decision = Pick<DatabaseProxy, 'onStatement'>

/** Runs `work` with the service's URL; `decision.onStatement` decides for the statements to every server. */
export async function withProxies(
  kinora: Kinora,
  change: Partial<Config>,
  work: (url: string, decision: Decision) => Promise<void>,
): Promise<void> {
  const { app, databaseUrl } = kinora
  const decision: Decision = { onStatement: () => null }
  const proxies: DatabaseProxy[] = []
  const open = async (url: string) => {
    const proxy = await openDatabaseProxy(url)
    proxy.onStatement = (text) => decision.onStatement(text)
    proxies.push(proxy)
    return new URL(proxy.url)
  }
  try {
    const settings = { ...change, databaseUrl: (await open(databaseUrl)).href }
    const restore = app.config.division
      ? await replaceNodes(coordinatorOf(app.database), databaseUrl, open)
      : async () => {}
    try {
      await kinora.withSettings(settings, (url) => work(url, decision))
    } finally {
      await restore()
    }
  } finally {
    for (const proxy of proxies) await proxy.close()
  }
}

/** Replaces the addresses of the nodes in the catalogue. @returns what restores them */
async function replaceNodes(coordinator: Sql, databaseUrl: string, open: (url: string) => Promise<URL>) {
  const nodes = await coordinator<{ id: number; host: string; port: number }[]>`
    select nodeid as id, nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid <> 0
  `
  // The coordinator alone gets it: citus_update_node changes it on the nodes too, after which they count as out of sync
  // for a minute.
  const place = (id: number, host: string, port: number) =>
    coordinator`update pg_dist_node set nodename = ${host}, nodeport = ${port} where nodeid = ${id}`
  for (const { id, host, port } of nodes) {
    const proxy = await open(nodeUrl(databaseUrl, `${host}:${port}`))
    await place(id, proxy.hostname, Number(proxy.port))
  }
  return async () => {
    for (const { id, host, port } of nodes) {
      await place(id, host, port)
    }
  }
}
