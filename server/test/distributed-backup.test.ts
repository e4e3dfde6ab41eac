/**
 * `kinora backup` of a distributed database while processes run: what two servers commit together is in it from both or from neither. On
 * a Citus cluster of its own; skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { findCitus, type Server } from './citus-cluster.ts'
import { openOnCluster, peopleOf } from './cluster-load.ts'
import { emptyDatabase } from './empty-database.ts'
import type { Kinora, Person } from './harness.ts'
import { deliver } from './payment-delivery.ts'
import { checkoutA, eventA, newName } from './payment-events.ts'
import { type Ended, runCommand } from './processes.ts'
import { waitFor } from './video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const dir = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(dir, { recursive: true }))
/** Of the run's own PostgreSQL: opened before CITUS_URL is set. */
const plain = binDir === null ? [] : [await emptyDatabase(), await emptyDatabase()]
const cluster = binDir === null ? null : await openOnCluster(binDir, { simulator: { pace: 0.1 }, worker: true })
const opened = () => cluster ?? assert.fail()
const fileOf = (name: string) => path.join(dir, name)

test('kinora backup: sign-ups, payments and generations meanwhile → restored into one PostgreSQL, books right, events with their credits', {
  skip,
}, async (t) => {
  const { kinora, nodes } = opened()
  const people = (await Promise.all(nodes.map((node) => peopleOf(kinora, node)))).flat()
  const done = { payments: 0, signUps: 0, videos: 0 }
  let isStopped = false
  const lane = async (step: () => Promise<void>) => {
    while (!isStopped) await step()
  }
  const pay = async (person: Person) => {
    const checkout = checkoutA(person.userId)
    const events = [eventA('checkout.completed', checkout), eventA('refund.created', refundOf(checkout))]
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
  }
  const lanes = [
    ...people.flatMap((person) => [lane(() => pay(person)), lane(() => pay(person)), lane(() => generate(person))]),
    lane(signUp),
    lane(signUp),
  ]
  await waitFor('the load', () => done.payments > 20 && done.signUps > 5 && done.videos > 20, { timeoutMs: 60_000 })
  const before = { ...done }
  const made = await runCommand(kinora, ['backup', fileOf('load')])
  const after = { ...done }
  isStopped = true
  await Promise.all(lanes)
  assert.equal(made.status, 0, made.output)
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

test('kinora backup: payment committed on the node and prepared on the coordinator → waits for its end, and has both', {
  skip,
}, async () => {
  const { kinora, nodes, coordinator } = opened()
  const [node] = nodes as [Server]
  const [ann = assert.fail()] = await peopleOf(kinora, node)
  const event = eventA('checkout.completed', checkoutA(ann.userId))
  const sides = async () => [await eventsOf(kinora, event.id), await packagesOf(kinora, ann.userId)]

  const { delivery, finish } = await stopBetweenCommits(kinora, node, () => deliver(kinora, 'payment-a', event))
  assert.deepEqual(await sides(), [0, 1], 'the node has committed, the coordinator has not')
  let ended: Ended | null = null
  const backup = runCommand(kinora, ['backup', fileOf('between')]).then((result) => {
    ended = result
    return result
  })
  await waitFor('the wait for the payment', async () => ended !== null || (await isWaiting(kinora, coordinator)))
  finish()
  assert.equal((await delivery).status, 200)
  const made = await backup
  assert.equal(made.status, 0, made.output)

  const sql = await restored(kinora, 'between', plain[1])
  const [found] = await sql<[{ events: number; packages: number; halves: number }]>`
    select (select count(*)::integer from kinora.payment_event where external_id = ${event.id}) as events,
           (select count(*)::integer from kinora.credit_package where user_id = ${ann.userId} and source like 'payment-a:%') as packages,
           ${halves(sql)} as halves
  `
  assert.deepEqual(found, { events: 1, packages: 1, halves: 0 })
})

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

const refundOf = ({ order }: ReturnType<typeof checkoutA>) => ({ id: newName('ref'), order })

async function eventsOf({ app }: Kinora, id: string): Promise<number> {
  const rows = await (app.distributed ?? assert.fail()).coordinator`
    select from kinora.payment_event where external_id = ${id}
  `
  return rows.length
}

async function packagesOf({ app }: Kinora, userId: string): Promise<number> {
  const rows = await app.sql`
    select from kinora.credit_package where user_id = ${userId} and source like 'payment-a:%'
  `
  return rows.length
}

/**
 * Sends a payment, and stops the coordinator's session before the payment's second commit: the node's commit waits for a standby that
 * does not exist, until the session that has prepared the coordinator's part is found and stopped.
 */
async function stopBetweenCommits<T>(kinora: Kinora, node: Server, request: () => Promise<T>) {
  const { coordinator } = opened()
  const onNode = (statement: string) => run(node, kinora, statement)
  await onNode("alter system set synchronous_standby_names = 'nobody'")
  await onNode('select pg_reload_conf()')
  const delivery = request()
  await waitFor(
    'the commit of the node',
    async () =>
      (await onNode("select from pg_stat_activity where wait_event = 'SyncRep' and query like '%payment%'")).length > 0,
  )
  const [session] = await run(
    coordinator,
    kinora,
    `select pid from pg_stat_activity
     where datname = current_database() and query like 'PREPARE TRANSACTION%' and exists (
       select from pg_prepared_xacts x where x.database = datname and query like '%' || x.gid || '%'
     )`,
  )
  const pid = Number(session?.pid ?? assert.fail('no session has prepared'))
  process.kill(pid, 'SIGSTOP')
  await onNode('alter system reset synchronous_standby_names')
  await onNode('select pg_reload_conf()')
  await waitFor(
    'the second commit',
    async () => (await onNode("select from pg_stat_activity where wait_event = 'SyncRep'")).length === 0,
  )
  return { delivery, finish: () => process.kill(pid, 'SIGCONT') }
}

/** Whether a backup waits for writers of the coordinator. */
const isWaiting = async (kinora: Kinora, coordinator: Server) =>
  (
    await run(
      coordinator,
      kinora,
      "select from pg_stat_activity where application_name = 'kinora backup' and wait_event_type = 'Lock'",
    )
  ).length > 0

async function run({ url }: Server, { databaseUrl }: Kinora, statement: string) {
  const sql = postgres(url(new URL(databaseUrl).pathname.slice(1)), { max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
