/**
 * The procedures of deploy/citus/README.md, as that page has them: a node is added and shards are moved to it; all
 * servers are marked while payments go on, and restored to the mark on other ports. On a Citus cluster of its own;
 * skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { postgresOwner } from '../../../../proofs/failover/cluster.ts'
import { findCitus, type Server, startCitus } from '../../support/citus/cluster.ts'
import { peopleOf } from '../../support/citus/load.ts'
import { freePort } from '../../support/free-port.ts'
import { generateBody, type Kinora, openKinora, type Person } from '../../support/harness.ts'
import { deliver, paymentEnv } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../../support/payment/payment-events.ts'
import { runCommand, runOn, startProcess } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openCluster(binDir)
const opened = () => cluster ?? assert.fail()
const restorePoint = fileURLToPath(new URL('../../../../deploy/citus/restore-point.sh', import.meta.url))
const MARK = 'kinora-test'
const RESTORED = { timeoutMs: 60_000, intervalMs: 200 }

test('distributed database: node added, shards rebalanced, kinora migrate → books and users as before, films of users on the new node', {
  skip,
}, async () => {
  const { kinora, coordinator, nodes, spare } = opened()
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  for (const person of people) assert.equal((await kinora.generate(person)).status, 200)
  const before = await Promise.all(people.map(kinora.balance))
  const database = databaseOf(kinora)
  await run(spare.url('postgres'), `create database ${database}`)
  await run(spare.url(database), 'create extension citus')
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(spare.address) ?? []
  await run(coordinator.url(database), `select citus_add_node('${host}', ${port})`)
  // Two transactions: the wait would not see a job that is not committed.
  await run(coordinator.url(database), "select citus_rebalance_start(rebalance_strategy => 'by_shard_count')")
  await run(coordinator.url(database), 'select citus_rebalance_wait()')
  assert.equal((await runCommand(kinora, ['migrate'])).status, 0)

  const moved = await peopleOf(kinora, spare)
  assert.ok(moved.length > 0, 'the new node has a shard')
  assert.deepEqual(await Promise.all(people.map(kinora.balance)), before)
  const verified = await runCommand(kinora, ['verify'])
  assert.equal(verified.status, 0, verified.output)
  const worker = await startProcess(kinora, `worker --node ${spare.url(database)}`)
  try {
    const [ann = assert.fail()] = moved
    const { data } = await kinora.generate(ann)
    await waitFor('a film by the worker of the new node', () => isCompleted(kinora.url, ann, data.uuid), RESTORED)
  } finally {
    await worker.stop()
  }
})

test('restore points: all servers marked while payments go on, restored to the mark → each event with its credits, what was acknowledged before', {
  skip,
}, async (t) => {
  const { kinora, coordinator, nodes, spare, archiveOf } = opened()
  const servers = [coordinator, ...nodes, spare]
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  const restored = await Promise.all(servers.map((server) => copyServer(server, archiveOf(server))))

  const payments: { userId: string; externalId: string; sentMs: number; doneMs: number }[] = []
  let isStopping = false
  const pay = async ({ userId }: Person) => {
    while (!isStopping) {
      const event = eventA('checkout.completed', checkoutA(userId))
      const sentMs = performance.now()
      assert.equal((await deliver(kinora, 'payment-a', event)).status, 200)
      payments.push({ userId, externalId: event.id, sentMs, doneMs: performance.now() })
    }
  }
  const loops = people.map(pay)
  await waitFor('payments', () => payments.length >= 2 * people.length)
  const beforeMs = performance.now()
  const said = await markAll(coordinator, databaseOf(kinora))
  const afterMs = performance.now()
  await waitFor('payments after the mark', () => payments.some(({ sentMs }) => sentMs > afterMs))
  isStopping = true
  await Promise.all(loops)
  assert.match(said, /^kinora-test: payments waited for \d+ ms$/m)
  t.diagnostic(`${payments.length} payments; ${said.trim()}`)

  for (const server of servers) await run(server.url(databaseOf(kinora)), 'select pg_switch_wal()')
  for (const { start } of restored) start()
  const [main = assert.fail()] = restored
  await waitFor(
    'the end of the recovery',
    async () => {
      const states = await Promise.all(restored.map(({ url }) => isPrimary(url(databaseOf(kinora)))))
      return states.every(Boolean)
    },
    RESTORED,
  )
  for (const [i, { address }] of servers.entries()) {
    const [, from = ''] = /:(\d+)$/.exec(address) ?? []
    await run(
      main.url(databaseOf(kinora)),
      `select citus_update_node(nodeid, '127.0.0.1', ${restored[i]?.port}) from pg_dist_node where nodeport = ${from}`,
    )
  }
  await run(main.url(databaseOf(kinora)), 'select start_metadata_sync_to_all_nodes()')
  for (const { url } of restored) await run(url(databaseOf(kinora)), 'select recover_prepared_transactions()')
  const databaseUrl = main.url(databaseOf(kinora))
  for (const command of ['migrate', 'verify']) {
    const { status, output } = await runOn(databaseUrl, [command])
    assert.equal(status, 0, output)
  }

  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const events = await sql<{ externalId: string; userId: string }[]>`
      select external_id as "externalId", user_id as "userId" from kinora.payment_event where state = 'applied'
    `
    const packages = await sql<{ userId: string; count: string }[]>`
      select user_id as "userId", count(*) from kinora.credit_package where source like 'payment-a:%' group by user_id
    `
    const eventsOf = Map.groupBy(events, ({ userId }) => userId)
    assert.deepEqual(
      new Map(packages.map(({ userId, count }) => [userId, Number(count)])),
      new Map([...eventsOf].map(([userId, all]) => [userId, all.length])),
    )
    const ids = new Set(events.map(({ externalId }) => externalId))
    for (const { externalId, sentMs, doneMs } of payments) {
      if (doneMs < beforeMs) assert.ok(ids.has(externalId), 'a payment that was acknowledged before the mark')
      if (sentMs > afterMs) assert.ok(!ids.has(externalId), 'a payment that was sent after it')
    }
  } finally {
    await sql.end()
  }

  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, PORT: `${port}` }
  const [api, worker] = await Promise.all([startProcess(kinora, 'api', env), startProcess(kinora, 'worker', env)])
  try {
    const [ann = assert.fail()] = people
    const url = `http://127.0.0.1:${port}`
    const response = await fetch(`${url}/api/v1/video/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(generateBody),
    })
    const { data } = (await response.json()) as { data: { uuid: string } }
    assert.equal(response.status, 200)
    await waitFor('a film', () => isCompleted(url, ann, data.uuid), RESTORED)
  } finally {
    await Promise.all([api.stop(), worker.stop()])
  }
})

/** Two nodes of three are in use; the logs of all are archived. */
async function openCluster(dir: string) {
  const { coordinator, nodes, stop } = await startCitus(dir, 3)
  // It runs before the harness drops its database, on every node.
  after(() => Promise.all([coordinator, ...nodes].map(({ start }) => start())))
  const dirs = new Map<Server, string>()
  for (const server of [coordinator, ...nodes]) {
    const data = await read(server.url('postgres'), 'show data_directory')
    dirs.set(server, data)
    const archive = path.join(data, '../archive')
    makeDir(archive)
    await run(server.url('postgres'), 'alter system set archive_mode = on')
    await run(server.url('postgres'), `alter system set archive_command = 'cp %p ${archive}/%f'`)
    await server.kill()
    await server.start()
  }
  const [spare = assert.fail(), ...used] = nodes.reverse()
  await run(coordinator.url('postgres'), `select citus_remove_node('127.0.0.1', ${spare.address.split(':')[1]})`)
  const ofRun = process.env.CITUS_URL
  process.env.CITUS_URL = coordinator.url('postgres')
  const kinora = await openKinora({ simulator: { pace: 0.1 }, env: paymentEnv })
  after(async () => {
    // Other files of this process have the databases of the run.
    if (ofRun === undefined) delete process.env.CITUS_URL
    else process.env.CITUS_URL = ofRun
    await stop()
  })
  const dataOf = (server: Server) => dirs.get(server) ?? assert.fail()
  return {
    coordinator,
    nodes: used,
    spare,
    kinora,
    archiveOf: (server: Server) => path.join(dataOf(server), '../archive'),
  }
}

/** A base backup of a server, to be started on a port of its own and restored to the mark. */
async function copyServer({ url }: Server, archive: string) {
  const bin = (name: string, args: string[]) =>
    execFileSync(path.join(binDir ?? '', name), args, {
      stdio: 'ignore',
      cwd: '/',
      env: { ...process.env, HOME: dir },
      ...postgresOwner(),
    })
  const dir = path.join(archive, '../restored')
  makeDir(dir)
  const data = path.join(dir, 'data')
  bin('pg_basebackup', ['-d', url('postgres'), '-D', data, '-X', 'none', '-c', 'fast'])
  const port = await freePort()
  appendFileSync(
    path.join(data, 'postgresql.conf'),
    `
port = ${port}
unix_socket_directories = '${dir}'
restore_command = 'cp ${archive}/%f %p'
recovery_target_name = '${MARK}'
recovery_target_action = promote
citus.recover_2pc_interval = -1
`,
  )
  // `alter system` of the original comes after it.
  appendFileSync(path.join(data, 'postgresql.auto.conf'), "archive_mode = 'off'\n")
  writeFileSync(path.join(data, 'recovery.signal'), '')
  return {
    port,
    url: (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start: () => {
      after(() => bin('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']))
      bin('pg_ctl', ['-D', data, '-l', path.join(dir, 'log'), '-W', 'start'])
    },
  }
}

async function markAll({ url }: Server, database: string): Promise<string> {
  const { hostname, port, username } = new URL(url(database))
  const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: database }
  const child = spawn('bash', [restorePoint, MARK], { stdio: ['ignore', 'pipe', 'inherit'], env })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0)
  return output
}

async function isCompleted(url: string, { token }: Person, uuid: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/video/task?uuid=${uuid}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await response.json()) as { data: { status: string } }
  assert.notEqual(data.status, 'FAILED')
  return data.status === 'COMPLETED'
}

function makeDir(dir: string): void {
  const { uid, gid } = postgresOwner()
  mkdirSync(dir, { mode: 0o700 })
  if (uid !== undefined) chownSync(dir, uid, gid)
}

const databaseOf = ({ databaseUrl }: Kinora): string => new URL(databaseUrl).pathname.slice(1)

const isPrimary = (url: string): Promise<boolean> =>
  read(url, 'select pg_is_in_recovery()').then(
    (found) => !found,
    () => false,
  )

async function read<T = string>(url: string, statement: string): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [row] = await sql.unsafe(statement)
    return Object.values(row ?? {})[0] as T
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function run(url: string, statements: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statements).simple()
  } finally {
    await sql.end({ timeout: 1 })
  }
}
