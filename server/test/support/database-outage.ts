/** Fixture: outages of the database of a test file, of the servers of a distributed one together. */
import postgres from 'postgres'
import { serverUrls } from './citus/database.ts'
import { freePort } from './free-port.ts'
import type { Kinora } from './harness.ts'

const urls = await serverUrls()

/** Runs `work` while the database has no connections and accepts none; accepts them again at the end. */
export async function withoutDatabase({ app, databaseUrl }: Kinora, work: () => Promise<void>): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1)
  const servers = urls.map((url) => postgres(url, { max: 1, onnotice: () => {} }))
  for (const server of servers) {
    await server.unsafe(`alter database ${database} allow_connections false`)
    await server`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${database}`
  }
  try {
    await work()
  } finally {
    for (const server of servers) {
      await server.unsafe(`alter database ${database} allow_connections true`)
      await server.end()
    }
    // Each pooled connection that was cut fails its next query: use them all here, so that no assertion gets one.
    const pools = [app.sql, ...app.database.allParts]
    await Promise.all(
      pools.flatMap((sql) => Array.from({ length: 64 }, async () => await sql`select`.catch(() => undefined))),
    )
  }
}

/**
 * Runs `work` with the URL of a service whose database is away: a second one that reaches no server. Of a distributed
 * database it is the first one, in an outage: a process reads where the rows are when it starts.
 */
export async function withUnreachableDatabase(
  kinora: Kinora,
  work: (url: string, databaseUrl: URL) => Promise<void>,
): Promise<void> {
  if (kinora.app.config.division) {
    return await withoutDatabase(kinora, () => work(kinora.url, new URL(kinora.databaseUrl)))
  }
  const databaseUrl = `postgres://ann:hidden@127.0.0.1:${await freePort()}/none`
  await kinora.withSettings({ databaseUrl }, (url) => work(url, new URL(databaseUrl)))
}
