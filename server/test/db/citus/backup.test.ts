/**
 * `kinora backup` of a distributed database while processes run: what two servers commit together is in it from both or
 * from neither. On a Citus cluster of its own; skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { inCommonSnapshot } from '../../../src/db/citus/common-snapshot.ts'
import { readPlacement } from '../../../src/db/citus/placement.ts'
import type { SnapshotPart } from '../../../src/db/division.ts'
import { findCitus, join, type Server } from '../../support/citus/cluster.ts'
import { coordinatorOf } from '../../support/citus/database.ts'
import { moveShard, openOnCluster, peopleOf } from '../../support/citus/load.ts'
import { emptyDatabase } from '../../support/empty-database.ts'
import type { Kinora, Person } from '../../support/harness.ts'
import { deliver } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName } from '../../support/payment/payment-events.ts'
import { type Ended, runCommand } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const dir = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(dir, { recursive: true }))
/** A database of the run's own PostgreSQL, opened before CITUS_URL is set. */
const plain = binDir === null ? [] : [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
const cluster = binDir === null ? null : await openOnCluster(binDir, { simulator: { pace: 0.1 }, worker: true })
const opened = () => cluster ?? assert.fail()
const PAUSE_MS = 300
/** Snapshots under load, beside that of the backup. */
const ROUNDS = 10
const fileOf = (name: string) => path.join(dir, `${name}.backup`)

test('kinora backup: sign-ups, payments and generations meanwhile → restored into one PostgreSQL, books right, events with their credits', {
  skip,
}, async (t) => {
  const { kinora, nodes } = opened()
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  const done = { payments: 0, signUps: 0, videos: 0 }
  let isStopped = false
  const repeat = async (step: () => Promise<void>) => {
    while (!isStopped) await step()
  }
  const pay = async (person: Person) => {
    const checkout = checkoutA(person.userId)
    const events = [
      eventA('checkout.completed', checkout),
      eventA('refund.created', { id: newName('ref'), order: checkout.order }),
    ]
    for (const event of events) assert.equal((await deliver(kinora, 'payment-a', event)).status, 200)
    done.payments += 1
  }
  const signUp = async () => {
    const body = { name: 'Ann', email: `${newName('ann')}@example.com`, password: 'correct horse battery' }
    const { status, text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
    assert.equal(status, 200, text)
    done.signUps += 1
  }
  const generate = async (person: Person) => {
    const { status } = await kinora.generate(person)
    assert.ok(status === 200 || status === 429, `${status}`)
    done.videos += 1
    // The films are made by this process, beside the payments.
    await sleep(PAUSE_MS)
  }
  const loops = [
    ...people.map((person) => repeat(() => pay(person))),
    repeat(signUp),
    repeat(() => generate(people[0] ?? assert.fail())),
  ]
  const rounds = { count: 0, wrong: 0 }
  let [before, after] = [{ ...done }, { ...done }]
  let made: Ended
  try {
    await waitFor('the load', () => done.payments > 20 && done.signUps > 5 && done.videos > 4, { timeoutMs: 60_000 })
    for (; rounds.count < ROUNDS; rounds.count += 1) {
      rounds.wrong += await inCommonSnapshot(kinora.databaseUrl, differences)
    }
    before = { ...done }
    made = await startBackup(kinora, 'load').ended
    after = { ...done }
  } finally {
    isStopped = true
    await Promise.all(loops)
  }
  assert.equal(made.status, 0, made.output)
  assert.equal(rounds.wrong, 0, `${rounds.wrong} rows of ${ROUNDS} snapshots have one side`)
  t.diagnostic(`${made.output.trim()} Meanwhile: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)
  for (const key of ['payments', 'signUps', 'videos'] as const) assert.ok(after[key] > before[key], key)

  const sql = await restored(kinora, 'load', plain[0])
  const [found] = await sql<
    [{ events: number; halves: number; refunds: number; claims: number; accounts: number; strangers: number }]
  >`
    select (select count(*)::integer from kinora.payment_event where state = 'applied') as events,
           (select count(*)::integer from kinora.payment_event where state = 'applied' and type = 'refund.created') as refunds,
           (select count(*)::integer from kinora.credit_refund_claim) as claims,
           (select count(*)::integer from kinora.credit_account) as accounts,
           ${halves(sql)} as halves,
           (
             select count(*)::integer from kinora.credit_account a
             where not exists (select from public."user" u where u.id = a.user_id::text)
           ) as strangers
  `
  assert.ok(found.events >= 2 * before.payments && found.accounts >= people.length + before.signUps)
  assert.deepEqual([found.halves, found.strangers, found.refunds - found.claims], [0, 0, 0])
})

test('kinora backup: payment prepared on the coordinator, then also committed on the node → waits for both commits, and has both sides', {
  skip,
}, async (t) => {
  const { kinora, nodes } = opened()
  const [node] = nodes as [Server]
  const [ann = assert.fail()] = await peopleOf(kinora, node)
  const event = eventA('checkout.completed', checkoutA(ann.userId))

  const payment = await prepare(kinora, node, () => deliver(kinora, 'payment-a', event))
  // A session that stays stopped outlives its server.
  t.after(payment.commitOnCoordinator)
  const first = startBackup(kinora, 'prepared')
  await waitFor(
    'the wait for the lock',
    async () => first.hasEnded() || (await backupsWith(kinora, "wait_event_type = 'Lock'")) === 1,
  )
  await payment.commitOnNode()
  assert.deepEqual(await sidesOf(kinora, event.id, ann.userId), [0, 1])
  const second = startBackup(kinora, 'half')
  await waitFor(
    'the look',
    async () => second.hasEnded() || (await backupsWith(kinora, "query like '%pg_dist_transaction%'")) === 2,
  )
  assert.deepEqual([first.hasEnded(), second.hasEnded()], [false, false])
  payment.commitOnCoordinator()
  assert.equal((await payment.delivery).status, 200)

  for (const [i, { name, ended }] of [first, second].entries()) {
    assert.equal((await ended).status, 0)
    const sql = await restored(kinora, name, plain[i + 1])
    const [found] = await sql<[{ events: number; packages: number }]>`
      select (select count(*)::integer from kinora.payment_event where external_id = ${event.id}) as events,
             (
               select count(*)::integer from kinora.credit_package
               where user_id = ${ann.userId} and source like 'payment-a:%'
             ) as packages
    `
    assert.deepEqual(found, { events: 1, packages: 1 })
  }
})

test('inCommonSnapshot: shard moved meanwhile → the move waits for the end, and is done then', { skip }, async () => {
  const { kinora, nodes, coordinator } = opened()
  const placesOf = async () => (await readPlacement(kinora.app.sql))?.shards.map(({ node }) => node)
  const before = await placesOf()
  const move = await inCommonSnapshot(kinora.databaseUrl, async (parts) => {
    const move = moveShard({ kinora, nodes }, 0, 'auto')
    const waiting = "query like '%citus_move_shard_placement%' and wait_event_type = 'Lock'"
    await waitFor(
      'the last part of the move',
      async () => (await run(coordinator, kinora, `select from pg_stat_activity where ${waiting}`)).length > 0,
      { timeoutMs: 60_000 },
    )
    assert.equal(await differences(parts), 0)
    assert.deepEqual(await placesOf(), before)
    return { done: move }
  })
  await move.done
  assert.notDeepEqual(await placesOf(), before)
})

test('kinora restore: backup of a cluster, empty database of a coordinator → restored, distributed over fewer shards, books right', {
  skip,
}, async () => {
  const { kinora, nodes, coordinator } = opened()
  const made = await startBackup(kinora, 'moved').ended
  const refused = await runCommand(kinora, ['restore', fileOf('moved')])
  assert.deepEqual(
    [refused.status, /The database is distributed: restore into an empty one/.test(refused.output)],
    [2, true],
  )
  for (const server of [coordinator, ...nodes]) await run(server, kinora, 'create database restored')
  await join(coordinator, nodes, 'restored')
  const url = coordinator.url('restored')
  await restored(kinora, 'moved', url)
  for (const args of [
    ['migrate', '--distributed', '--shards', '2'],
    ['verify', '--files'],
  ]) {
    const { status, output } = await runCommand(kinora, args, { DATABASE_URL: url })
    assert.equal(status, 0, output)
  }
  const again = await runCommand(kinora, ['backup', fileOf('again')], { DATABASE_URL: url })
  assert.equal(
    again.output.replace(/^[^:]+/, '').replace(/\d+ bytes/, ''),
    made.output.replace(/^[^:]+/, '').replace(/\d+ bytes/, ''),
  )
})

function startBackup(kinora: Kinora, name: string) {
  let hasEnded = false
  const ended = runCommand(kinora, ['backup', fileOf(name)]).finally(() => {
    hasEnded = true
  })
  return { name, ended, hasEnded: () => hasEnded }
}

/** The number of backups with a session on the coordinator in this state. */
async function backupsWith(kinora: Kinora, state: string): Promise<number> {
  const of = "application_name = 'kinora backup' and datname = current_database()"
  return (await run(opened().coordinator, kinora, `select from pg_stat_activity where ${of} and ${state}`)).length
}

/** The refunds, payments and users that one side has and the other has not. */
async function differences([coordinator, ...shards]: SnapshotPart[]): Promise<number> {
  const keysOf = async (parts: (SnapshotPart | undefined)[], query: (name: (table: string) => string) => string) => {
    const rows = await Promise.all(
      parts.map((part) =>
        part?.tx.unsafe<{ key: string }[]>(query((table) => part.nameOf(table) ?? assert.fail(table))),
      ),
    )
    return new Set(rows.flatMap((each) => each?.map(({ key }) => key) ?? []))
  }
  const events = await keysOf(
    [coordinator],
    (name) => `
      select type || s.source as key from ${name('kinora.payment_event')} cross join unnest(sources) s (source) where state = 'applied'
      union all select 'refund.created' || source from ${name('kinora.payment_return')} where source is not null
    `,
  )
  const credits = await keysOf(
    shards,
    (name) => `
      select 'checkout.completed' || source as key from ${name('kinora.credit_package')} where source like 'payment-a:%' and parent_id is null
      union all select 'refund.created' || source from ${name('kinora.credit_refund_claim')}
    `,
  )
  const users = await keysOf([coordinator], (name) => `select id as key from ${name('public."user"')}`)
  const accounts = await keysOf(shards, (name) => `select user_id::text as key from ${name('kinora.credit_account')}`)
  const one = [...events, ...credits].filter((key) => events.has(key) !== credits.has(key))
  return one.length + [...accounts].filter((key) => !users.has(key)).length
}

/** Restores into an empty database, which also verifies it. */
async function restored(kinora: Kinora, name: string, url: string | undefined) {
  const { status, output } = await runCommand(kinora, ['restore', fileOf(name)], { DATABASE_URL: url ?? assert.fail() })
  assert.equal(status, 0, output)
  assert.match(output, /The books are right\.\nThe files are those of the backup\./)
  const sql = postgres(url ?? assert.fail(), { max: 1 })
  after(() => sql.end())
  return sql
}

/** Payments of which there is only the event, or only the credits. */
const halves = (sql: postgres.Sql) => sql`(
  select count(*)::integer
  from (
    select e.user_id, s.source
    from kinora.payment_event e
    cross join unnest(e.sources) as s (source)
    where e.state = 'applied' and e.type = 'checkout.completed'
  ) e
  full join (select user_id, source from kinora.credit_package where parent_id is null and source like 'payment-a:%') p
    using (user_id, source)
  where e.user_id is null or p.user_id is null or e.source is null or p.source is null
)`

/** The event on the coordinator, and the credits on the shard. */
async function sidesOf({ app }: Kinora, id: string, userId: string): Promise<[number, number]> {
  const events = await coordinatorOf(app.database)`
    select from kinora.payment_event where external_id = ${id}
  `
  const packages = await app.sql`
    select from kinora.credit_package where user_id = ${userId} and source like 'payment-a:%'
  `
  return [events.length, packages.length]
}

/**
 * Sends a payment, and holds it when the coordinator's part is prepared and the node's commit waits for a standby that
 * does not exist. The coordinator's part is not committed after the node's, because its session is stopped.
 */
async function prepare<T>(kinora: Kinora, node: Server, request: () => Promise<T>) {
  const onNode = (statement: string) => run(node, kinora, statement)
  const waiting = async () =>
    (await onNode("select from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()")).length
  await onNode("alter system set synchronous_standby_names = 'unknown_standby'")
  await onNode('select pg_reload_conf()')
  const delivery = request()
  let pid = 0
  await waitFor('the first phase', async () => {
    const [session] = await run(
      opened().coordinator,
      kinora,
      `select a.pid from pg_prepared_xacts x join pg_stat_activity a on a.query like '%' || x.gid || '%' and a.state = 'idle'
       where x.database = current_database()`,
    )
    pid = Number(session?.pid ?? 0)
    return pid > 0 && (await waiting()) > 0
  })
  process.kill(pid, 'SIGSTOP')
  return {
    delivery,
    commitOnNode: async () => {
      await onNode('alter system reset synchronous_standby_names')
      await onNode('select pg_reload_conf()')
      await waitFor('the commit of the node', async () => (await waiting()) === 0)
    },
    commitOnCoordinator: () => process.kill(pid, 'SIGCONT'),
  }
}

async function run({ url }: Server, { databaseUrl }: Kinora, statement: string) {
  const sql = postgres(url(new URL(databaseUrl).pathname.slice(1)), { max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
