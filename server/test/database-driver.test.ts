/**
 * The patched driver (bin/patches.mjs, decisions/0048): a connection that was lost neither keeps its bytes nor its query for the one
 * that replaces it, and of idle connections the last one is used. Each test fails with the driver as it was released.
 */
import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { openDb } from '../src/db.ts'
import { withoutDatabase } from './database-outage.ts'
import { openKinora } from './harness.ts'

const kinora = await openKinora()
const CONNECT_TIMEOUT_S = 5

test('connection lost: its socket closes before what was sent is written → the next query runs on a new connection', async () => {
  const { hostname, port } = new URL(kinora.databaseUrl)
  let socket: net.Socket | undefined
  const sql = postgres(kinora.databaseUrl, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => 0,
    // Not in the driver's types: it opens the socket of a connection.
    ...{ socket: () => (socket = net.connect(Number(port), hostname)) },
  })
  after(() => sql.end({ timeout: 0 }))
  await sql`select`
  socket?.destroy()
  // The driver writes in the next tick of the event loop, and the socket's "close" comes before it.
  const lost = await new Promise<string>((resolve) => {
    setImmediate(() =>
      sql`select`.then(
        () => resolve('answered'),
        ({ code }) => resolve(code),
      ),
    )
  })
  assert.equal(lost, 'CONNECTION_CLOSED')
  const [row] = await sql`select 1 as one`
  assert.equal(row?.one, 1)
})

test('connection lost: in the middle of a query, and the database refuses new ones → the next query fails at once', async () => {
  const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora lost connection' })
  after(() => sql.end({ timeout: 0 }))
  await sql`select`
  const lost = sql`select pg_sleep(600)`.then(
    () => 'answered',
    ({ code }) => code,
  )
  await withoutDatabase(kinora, async () => {
    assert.equal(await lost, 'CONNECTION_CLOSED')
    const refused = sql`select`.then(
      () => 'answered',
      ({ code }) => code,
    )
    assert.equal(await Promise.race([refused, sleep(2 * CONNECT_TIMEOUT_S * 1000, 'no answer')]), '55000')
  })
})

test('connection pool: queries one after another → all use the connection that was used last', async () => {
  const sql = openDb(kinora.databaseUrl, { connections: 4, name: 'kinora idle connections' })
  after(() => sql.end({ timeout: 0 }))
  const pidOf = async () => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid, pg_sleep(0.02)`)[0].pid
  const opened = await Promise.all(Array.from({ length: 4 }, pidOf))
  assert.equal(new Set(opened).size, 4)
  const used = new Set<number>()
  for (let i = 0; i < 8; i += 1) used.add(await pidOf())
  assert.equal(used.size, 1)
})
