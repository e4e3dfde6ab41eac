/**
 * What an operator does with a distributed database and what happens to it: a node is killed while an API process and a
 * worker for each node run, a shard is moved, the books are checked. On a Citus cluster of its own; skipped where
 * PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTcpProxy } from '../../../../proofs/chaos/tcp-proxy.ts'
import { migrate } from '../../../src/db/database.ts'
import { openDb } from '../../../src/db/db.ts'
import { findCitus, type Server } from '../../support/citus/cluster.ts'
import { coordinatorOf } from '../../support/citus/database.ts'
import {
  type Load,
  moveShard,
  openOnCluster,
  peopleOf,
  shardOfUser,
  startLoad,
  statusesBetween,
} from '../../support/citus/load.ts'
import { freePort } from '../../support/free-port.ts'
import type { Kinora, Person } from '../../support/harness.ts'
import { deliver } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../../support/payment/payment-events.ts'
import { runCommand, type ServerProcess, startProcess } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openCluster(binDir)
const opened = () => cluster ?? assert.fail()
/** The time for which users generate while the node is down. */
const DOWN_MS = 8000
const PAYMENTS = 60
/** The lease of a step that was cut off ends after a minute. */
const LEASES = { timeoutMs: 100_000, intervalMs: 200 }
/** An attempt to connect may take five seconds; an operator's probe waits for less. */
const RESPONSE_MAX_MS = 6000

test('database node: killed under load → 503 for its users alone, named, recovered by itself, books right', {
  skip,
}, async (t) => {
  const { kinora, nodes, url, metricsPort } = opened()
  const [node, other] = nodes as [Server, Server]
  const [ofNode, ofOther] = [await peopleOf(kinora, node), await peopleOf(kinora, other)]
  const loads = [...ofNode, ...ofOther].map((person) => startLoad(url, person))
  const [hit, spared] = [loads.slice(0, ofNode.length), loads.slice(ofNode.length)]
  await waitFor('a video of each user', async () =>
    loads.every(({ answers }) => answers.some(({ status }) => status === 200)),
  )

  const killedMs = performance.now()
  await node.kill()
  await waitFor('503 for its users', async () => hit.every(({ answers }) => answers.at(-1)?.status === 503))
  const firstMs = performance.now() - killedMs
  await sleep(DOWN_MS)
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { data: { ready: boolean; nodesDown: string[] } }
  assert.deepEqual([ready.data.ready, ready.data.nodesDown], [true, [node.address]])
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(metrics, new RegExp(`kinora_database_node_up\\{node="${node.address}"\\} 0`))
  assert.match(metrics, new RegExp(`kinora_database_node_up\\{node="${other.address}"\\} 1`))
  const downMs = performance.now()
  assert.deepEqual(statusesBetween(spared, killedMs, downMs), [200])
  assert.deepEqual(statusesBetween(hit, killedMs + RESPONSE_MAX_MS, downMs), [503])
  const completed = await completedOf(kinora, ofOther)
  await waitFor('films of the other node', async () => (await completedOf(kinora, ofOther)) > completed, LEASES)

  const startedMs = performance.now()
  await node.start()
  const acceptsMs = performance.now()
  await waitFor('200 for all', async () => hit.every(({ answers }) => answers.at(-1)?.status === 200))
  const recoveredMs = performance.now() - acceptsMs
  const requests = (await Promise.all(loads.map(({ stop }) => stop()))).flat()
  await waitFor('an end of every video', async () => (await openVideos(kinora)) === 0, LEASES)
  const nodesDown = (await (await fetch(`${url}/readyz`)).json()) as typeof ready
  assert.deepEqual(nodesDown.data.nodesDown, [])

  // Each request was repeated until its 200, so there is exactly one video for each.
  const made = await kinora.app.database.allParts.reduce(
    async (sum, sql) =>
      (await sum) + (await sql<[{ count: number }]>`select count(*) as count from kinora.video`)[0].count,
    Promise.resolve(0),
  )
  assert.equal(made, requests.length)
  const slowest = Math.max(...loads.flatMap(({ answers }) => answers.map(({ ms }) => ms)))
  assert.ok(slowest < RESPONSE_MAX_MS, `a response took ${slowest} ms`)
  const count = (all: Load[], status: number) =>
    all.flatMap(({ answers }) => answers).filter((answer) => answer.status === status).length
  t.diagnostic(
    `down for ${Math.round(acceptsMs - killedMs)} ms, of which ${Math.round(acceptsMs - startedMs)} to start again: its users had ${count(hit, 200)} videos ` +
      `and ${count(hit, 503)} times 503, the first after ${Math.round(firstMs)} ms, and 200 again ${Math.round(recoveredMs)} ms after the node accepted ` +
      `connections; the others ${count(spared, 200)} videos and no 503. Slowest response ${Math.round(slowest)} ms`,
  )
})

test('database node: killed while payments of its users are applied → each event with its credits or neither; delivered again → once', {
  skip,
}, async (t) => {
  const { kinora, nodes } = opened()
  const [node] = nodes as [Server]
  const [ann] = await peopleOf(kinora, node)
  const { userId } = ann ?? assert.fail()
  const events = Array.from({ length: PAYMENTS }, () => eventA('checkout.completed', checkoutA(userId)))
  // Ten at a time, so that the kill finds several in different steps of their commit.
  const left = events.values()
  let delivered = 0
  const statuses: number[] = []
  const deliverNext = async () => {
    for (const event of left) {
      statuses.push((await deliver(kinora, 'payment-a', event)).status)
      delivered += 1
    }
  }
  const loops = Array.from({ length: 10 }, deliverNext)
  await waitFor('the first payments', () => delivered >= 10)
  await node.kill()
  await Promise.all(loops)
  assert.ok(statuses.includes(200) && statuses.includes(503), `${statuses}`)
  await node.start()
  await waitFor(
    'the end of prepared transactions',
    async () => (await preparedOn(opened().coordinator, kinora)) === 0,
    LEASES,
  )

  const acknowledged = statuses.filter((status) => status === 200).length
  const [applied, granted] = [await appliedTo(kinora, userId), await grantedTo(kinora, userId)]
  t.diagnostic(`of ${PAYMENTS} events ${acknowledged} had 200, ${applied} are applied, ${granted} have their credits`)
  assert.equal(applied, granted)
  assert.ok(applied >= acknowledged)
  for (const event of events) assert.equal((await deliver(kinora, 'payment-a', event)).status, 200)
  assert.deepEqual([await appliedTo(kinora, userId), await grantedTo(kinora, userId)], [PAYMENTS, PAYMENTS])
})

async function appliedTo({ app }: Kinora, userId: string): Promise<number> {
  const [row] = await coordinatorOf(app.database)<[{ count: number }]>`
    select count(*) as count from kinora.payment_event where user_id = ${userId} and state = 'applied'
  `
  return row.count
}

async function grantedTo({ app }: Kinora, userId: string): Promise<number> {
  const [row] = await app.sql<[{ count: number }]>`
    select count(*) as count from kinora.credit_package where user_id = ${userId} and source like 'payment-a:%'
  `
  return row.count
}

/** Citus ends them once a minute. */
async function preparedOn({ url }: Server, { databaseUrl }: Kinora): Promise<number> {
  const sql = openDb(url(new URL(databaseUrl).pathname.slice(1)), { connections: 1, name: 'kinora test' })
  try {
    const [row] = await sql<[{ count: number }]>`
      select count(*) as count from pg_prepared_xacts where database = current_database()
    `
    return row.count
  } finally {
    await sql.end()
  }
}

test('coordinator: killed after requests → workers of the nodes complete the videos; requests again when it is back', {
  skip,
}, async () => {
  const { kinora, nodes, coordinator } = opened()
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  for (const person of people) assert.equal((await kinora.generate(person)).status, 200)
  await coordinator.kill()
  await waitFor('films', async () => (await completedOf(kinora, people)) === people.length, LEASES)
  await coordinator.start()
  await waitFor('a request', async () => (await kinora.generate(people[0] ?? assert.fail())).status === 200)
})

test('kinora verify: a balance is changed by hand on a shard → status 1 and the user; as it was → status 0', {
  skip,
}, async () => {
  const { kinora } = opened()
  const { userId } = await kinora.person()
  const change = (credits: number) =>
    kinora.app
      .sql`update kinora.credit_account set available = available + ${credits}, total = total + ${credits} where user_id = ${userId}`
  await change(1)
  const found = await runCommand(kinora, ['verify'])
  await change(-1)
  const right = await runCommand(kinora, ['verify'])
  assert.deepEqual([found.status, right.status], [1, 0])
  assert.match(found.output, new RegExp(`^user ${userId}, `, 'm'))
  assert.match(right.output, /^The books are right\.$/m)
})

test('kinora migrate: functions of another release, columns and tables that are missing → replaced, added with what they have; processes go on', {
  skip,
}, async () => {
  const { kinora } = opened()
  const { sql, database } = kinora.app
  await sql`update kinora.schema_version set hash = 'of another release'`
  const shards = database.allParts
  for (const [i, shard] of shards.entries())
    await shard.unsafe(`comment on schema kinora_shard_${i} is 'of another release'`)
  const { userId } = await kinora.person()
  await sql`update public."user" set banned = true where id = ${userId}`
  await sql`alter table kinora.shard_deleted_account drop column unfinished cascade`
  await sql`alter table kinora.shard_user drop column banned`
  await sql`drop table kinora.administrator_key`
  await sql`insert into kinora.mail_setting values (${userId}, 'film_finished', true, now())`
  await sql`select undistribute_table('kinora.mail_setting')`
  const { applied } = await migrate(kinora.databaseUrl)
  assert.deepEqual(applied, ['distributed', 'functions', `functions of ${shards.length} shards`])
  await sql`select unfinished from kinora.shard_deleted_account`
  const [user] = await sql`select banned from kinora.shard_user where user_id = ${userId}::uuid`
  const [setting] = await sql`select kind from kinora.mail_setting where user_id = ${userId}`
  assert.deepEqual([user?.banned, setting?.kind], [true, 'film_finished'])
  const ann = await kinora.person({ credits: 100 })
  assert.equal((await kinora.generate(ann)).status, 200)
  const { status } = await kinora.call('POST', '/api/v1/admin/credits/add', {
    as: await kinora.person({ role: 'admin', credits: 0 }),
    body: { credits: 1, userId: ann.userId },
    headers: { 'idempotency-key': 'a' },
  })
  assert.equal(status, 200)
})

test('shard moved to another node: process that knew the old place → finds the new one and makes its functions there', {
  skip,
}, async () => {
  const { kinora, nodes } = opened()
  const { sql, now } = kinora.app
  const ann = await kinora.person({ credits: 100 })
  const before = await shardOfUser(kinora, ann)
  await moveShard({ kinora, nodes }, before.number, 'block_writes')
  assert.notEqual((await shardOfUser(kinora, ann)).node, before.node)
  const total = () => sql`select total from kinora.credit_balance(p_user_id => ${ann.userId}, p_now => ${now()})`
  // Not only the statement that fails first finds the new place.
  assert.deepEqual((await Promise.all([total(), total(), total()])).flat(), Array(3).fill({ total: 100 }))
  const { status } = await kinora.generate(ann)
  assert.equal(status, 200)
})

test('database node: at another address, as after a failover → found by a process that runs', { skip }, async () => {
  const { kinora, nodes } = opened()
  const [node] = nodes as [Server]
  const [ann = assert.fail()] = await peopleOf(kinora, node)
  const proxy = await openTcpProxy(() => Number(node.address.split(':')[1]))
  const old = `127.0.0.1:${proxy.port}`
  const setAddress = (from: string, to: string) => kinora.app.sql`
    select citus_update_node(nodeid, split_part(${to}, ':', 1), split_part(${to}, ':', 2)::integer)
    from pg_dist_node where nodename || ':' || nodeport = ${from}
  `
  await setAddress(node.address, old)
  const port = await freePort()
  const api = await startProcess(kinora, 'api', { PORT: `${port}`, METRICS_PORT: `${await freePort()}` })
  const read = async () => {
    const headers = { authorization: `Bearer ${ann.token}` }
    return (await fetch(`http://127.0.0.1:${port}/api/v1/credit/balance`, { headers })).status
  }
  assert.equal(await read(), 200)
  await setAddress(old, node.address)
  proxy.cut()
  await waitFor('the new address', async () => (await read()) === 200)
  await api.stop()
  proxy.close()
})

async function openCluster(dir: string) {
  const processes: ServerProcess[] = []
  // It runs before the harness drops its database.
  after(() => Promise.all(processes.map(({ stop }) => stop())))
  const { kinora, ...cluster } = await openOnCluster(dir, { simulator: { pace: 0.1 } })
  const [port, metricsPort] = [await freePort(), await freePort()]
  const database = new URL(kinora.databaseUrl).pathname.slice(1)
  const env = { PORT: `${port}`, METRICS_PORT: `${metricsPort}`, MAX_IN_PROGRESS: '0' }
  const started = await Promise.all([
    startProcess(kinora, 'api', env),
    ...cluster.nodes.map(({ url }) => startProcess(kinora, `worker --node ${url(database)}`)),
  ])
  processes.push(...started)
  return { ...cluster, kinora, url: `http://127.0.0.1:${port}`, metricsPort }
}

async function completedOf({ app }: Kinora, people: Person[]): Promise<number> {
  let completed = 0
  for (const { userId } of people) {
    const [row] = await app.sql<[{ count: number }]>`
      select count(*) as count from kinora.video where user_id = ${userId} and status = 'COMPLETED'
    `
    completed += row.count
  }
  return completed
}

async function openVideos({ app }: Kinora): Promise<number> {
  let open = 0
  for (const sql of app.database.allParts) {
    const [row] = await sql<[{ count: number }]>`select count(*) as count from kinora.video where due_at is not null`
    open += row.count
  }
  return open
}
