/**
 * The patched driver (patches/, decisions/0048): a connection that was lost keeps nothing for the one that replaces it,
 * every query is settled, a result has its own rows, and of idle connections the last one is used. Each test fails with
 * the driver as it was released.
 */
import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type DbOptions, openDb, sessionOptions } from '../../src/db/db.ts'
import { withoutDatabase } from '../support/database-outage.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const CONNECT_TIMEOUT_S = 5

/** What became of a query: its rows, or the code of its error, or its name when it has no code. */
const outcomeOf = (query: PromiseLike<readonly object[]>): Promise<readonly object[] | string> =>
  Promise.resolve(query).then(
    (rows) => [...rows],
    ({ code, name }) => code ?? name,
  )

/** A pool of one connection, and the socket that the connection has. */
function openWithSocket() {
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
  return { sql, destroy: (error?: Error) => socket?.destroy(error) }
}

const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })

for (const [how, error] of [
  ['its socket closes', undefined],
  ['its socket has an error and closes', reset()],
] as const) {
  test(`connection lost: ${how} before what was sent is written → that query fails, the next one has a new connection`, async () => {
    const { sql, destroy } = openWithSocket()
    await sql`select`
    destroy(error)
    // The driver writes in the next tick of the event loop, and the socket's "close" comes before it.
    const lost = new Promise((resolve) => {
      setImmediate(() => resolve(outcomeOf(sql`select 'lost'`)))
    })
    assert.equal(await Promise.race([lost, sleep(2 * CONNECT_TIMEOUT_S * 1000, 'never settled')]), 'CONNECTION_CLOSED')
    assert.deepEqual(await outcomeOf(sql`select 1 as one`), [{ one: 1 }])
  })
}

test('connection lost: its socket has an error, the query is repeated before "close" → both fail, no connection is stuck', async () => {
  const { sql, destroy } = openWithSocket()
  await sql`select`
  const first = outcomeOf(sql`select pg_sleep(600) as repeated_at_once`)
  await waitFor('the query to run', async () => {
    const [row] = await kinora.app.sql`
      select from pg_stat_activity where query = 'select pg_sleep(600) as repeated_at_once' and state = 'active'
    `
    return row !== undefined
  })
  destroy(reset())
  assert.equal(await first, 'ECONNRESET')
  const repeated = outcomeOf(sql`select 'repeated'`)
  assert.equal(await Promise.race([repeated, sleep(1000, 'never settled')]), 'CONNECTION_CLOSED')
  assert.deepEqual(await outcomeOf(sql`select 1 as one`), [{ one: 1 }])
  assert.deepEqual(await outcomeOf(sql`select 2 as two`), [{ two: 2 }])
})

test('connection refused: a proxy accepts it and closes it without a word → the query fails, and one connection was tried', async () => {
  let connections = 0
  const proxy = net.createServer((socket) => {
    connections += 1
    socket.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const { port } = proxy.address() as net.AddressInfo
  const sql = openDb(`postgres://ann:hidden@127.0.0.1:${port}/none`, {
    connections: 1,
    name: 'kinora refused connection',
  })
  after(() => sql.end({ timeout: 0 }))
  const refused = outcomeOf(sql`select`)
  assert.equal(await Promise.race([refused, sleep(2 * CONNECT_TIMEOUT_S * 1000, 'never settled')]), 'CONNECTION_CLOSED')
  assert.equal(connections, 1)
})

test('connection lost: in a transaction → it fails with that error, and what it sends later reaches no other session', async () => {
  const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora lost transaction' })
  after(() => sql.end({ timeout: 0 }))
  let late: Promise<unknown> | undefined
  const lost = sql.begin(async (tx) => {
    late = (async () => {
      await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => undefined)
      await assert.rejects(tx`select 'before the next session'`, { code: 'CONNECTION_CLOSED' })
      assert.deepEqual(await outcomeOf(sql`select 1 as one`), [{ one: 1 }])
      await assert.rejects(tx`select 'in the next session'`, { code: 'CONNECTION_CLOSED' })
    })()
    await late
  })
  await assert.rejects(lost, { code: 'CONNECTION_CLOSED' })
  await late
})

test('result: the statement before it failed after its first rows → it has its own rows only', async () => {
  const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora failed result' })
  after(() => sql.end({ timeout: 0 }))
  const failed = sql`select 1 / (5 - i) from generate_series(1, 10) i`
  assert.equal(await outcomeOf(failed), '22012')
  assert.deepEqual(await outcomeOf(sql`select 1 as one`), [{ one: 1 }])
})

test('pipelined query: a parameter cannot be serialized → it fails, and those before and behind it have their own rows', async () => {
  const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora pipelined queries' })
  after(() => sql.end({ timeout: 0 }))
  const isPast = (time: Date) => sql`select ${time}::timestamptz < now() as is_past`
  // A query without parameters, or one that is prepared, is sent behind others.
  await isPast(new Date(0))
  const [first, unsent, last] = [
    sql`select 'first' as name, pg_sleep(0.2)::text as slept`,
    isPast(new Date(Number.NaN)),
    sql`select 'last' as name`,
  ].map(outcomeOf)
  assert.deepEqual(await first, [{ name: 'first', slept: '' }])
  assert.equal(await Promise.race([unsent, sleep(1000, 'never settled')]), 'RangeError')
  assert.deepEqual(await last, [{ name: 'last' }])
})

/** A pool of one connection, and the number of its reads of array types. @param change null: cuts the connection */
async function openReadingTypes(change: (statement: string) => string | null) {
  const { hostname, port } = new URL(kinora.databaseUrl)
  const seen = { reads: 0 }
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    for (const each of [client, server]) each.on('error', () => undefined)
    client.on('data', (chunk) => {
      if (!chunk.includes('pg_catalog.pg_type')) return server.write(chunk)
      seen.reads += 1
      const changed = seen.reads === 1 ? change(chunk.toString('latin1')) : chunk.toString('latin1')
      if (changed !== null) return server.write(changed, 'latin1')
      client.destroy()
      return server.destroy()
    })
    server.pipe(client)
    client.on('close', () => server.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const url = new URL(kinora.databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const sql = openDb(url.href, { connections: 1, name: 'kinora array types' })
  after(() => sql.end({ timeout: 0 }))
  return { sql, seen }
}

test('array types: the connection is lost while they are read → the query fails, and the next connection has them', async () => {
  const { sql, seen } = await openReadingTypes(() => null)
  assert.equal(await outcomeOf(sql`select array[1, 2] as numbers`), 'CONNECTION_CLOSED')
  assert.deepEqual(await outcomeOf(sql`select array[1, 2] as numbers`), [{ numbers: [1, 2] }])
  assert.equal(seen.reads, 2)
})

test('array types: the statement that reads them fails → no query gets an array as text', async () => {
  // The name is as long as the one before, because the message has its length. A lock on the table would also stop what
  // Citus does when a session begins.
  const { sql, seen } = await openReadingTypes((statement) =>
    statement.replace('pg_catalog.pg_type', 'pg_catalog.no_type'),
  )
  assert.equal(await outcomeOf(sql`select array[1, 2] as numbers`), '42P01')
  const outcomes = [
    await outcomeOf(sql`select array[1, 2] as numbers`),
    await outcomeOf(sql`select array[1, 2] as numbers`),
  ]
  assert.notDeepEqual(outcomes[0], [{ numbers: '{1,2}' }])
  assert.deepEqual(outcomes[1], [{ numbers: [1, 2] }])
  assert.ok(seen.reads >= 2)
})

test('connection silent: its peer is gone without a word → its query fails after query_timeout, the next has a new connection', async () => {
  const { hostname, port } = new URL(kinora.databaseUrl)
  const first = new Set<net.Socket>()
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    if (first.size === 0) first.add(client).add(server)
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const url = new URL(kinora.databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const sql = postgres(url.href, { max: 1, backoff: () => 0, ...{ query_timeout: 1 } })
  after(() => sql.end({ timeout: 0 }))
  await sql`select`
  // Longer than the limit, without a query: the connection stays.
  await sleep(1500)
  const [before] = await sql`select pg_backend_pid() as pid`
  for (const socket of first) socket.unpipe().pause()
  const silent = outcomeOf(sql`select 'silent'`)
  const pipelined = outcomeOf(sql`select 'behind it'`)
  assert.equal(await Promise.race([silent, sleep(20_000, 'never settled')]), 'CONNECTION_CLOSED')
  assert.notEqual(await Promise.race([pipelined, sleep(20_000, 'never settled')]), 'never settled')
  // A query between the socket's error and its close fails with it.
  await sleep(0)
  const [now] = await sql`select pg_backend_pid() as pid`
  assert.notEqual(now?.pid, before?.pid)
  for (const socket of first) socket.destroy()
})

test('connection silent: address leads to a database without its session → all connections of the pool are given up; a long statement stays', async () => {
  const { hostname, port } = new URL(kinora.databaseUrl)
  const gone = new Set<net.Socket>()
  const open = new Set<net.Socket>()
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    open.add(client)
    client.on('error', () => {}).on('close', () => server.destroy())
    server.on('error', () => {}).on('close', () => gone.has(client) || client.destroy())
    client.on('data', (chunk) => gone.has(client) || server.write(chunk))
    server.on('data', (chunk) => gone.has(client) || client.write(chunk))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(kinora.databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const sql = openDb(url.href, { connections: 3, name: 'kinora silent' })
  after(async () => {
    await sql.end({ timeout: 0 })
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  const pids = () =>
    Promise.all([1, 2, 3].map(async () => (await sql`select pg_backend_pid() as pid, pg_sleep(0.1)`)[0]))
  const before = await pids()
  assert.equal(new Set(before.map((row) => row?.pid)).size, 3)
  for (const socket of open) gone.add(socket)
  for (const row of before) await kinora.app.sql`select pg_terminate_backend(${row?.pid}, 5000)`
  const silent = outcomeOf(sql`select 'silent'`)
  assert.equal(await Promise.race([silent, sleep(20_000, 'never settled')]), 'CONNECTION_CLOSED')
  // The sockets of the other two close in the next turns of the event loop.
  await sleep(100)
  const now = await pids()
  assert.equal(new Set([...before, ...now].map((row) => row?.pid)).size, 6)
  // The server has this session, so it is not given up however often it is asked for.
  assert.equal((await sql`select pg_sleep(10), 'done' as outcome`)[0]?.outcome, 'done')
})

test('sessions: silence allowed to a query → its limit and 10 s; behind a pooler also its wait; without a limit for lasting ones', () => {
  const timeoutOf = (options: Partial<DbOptions>) =>
    sessionOptions(kinora.databaseUrl, { name: 'kinora', ...options }).query_timeout
  assert.deepEqual([timeoutOf({}), timeoutOf({ statementTimeoutMs: 5000 })], [40, 15])
  assert.equal(timeoutOf({ pooler: 'transaction' }), 160)
  assert.deepEqual([timeoutOf({ statementTimeoutMs: 0 }), timeoutOf({ lasting: true })], [null, null])
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
