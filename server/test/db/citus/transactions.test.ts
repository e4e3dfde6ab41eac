/**
 * What a distributed database changes on its coordinator and on a shard: a server dies at the worst moment of a refund
 * and of the deletion of an account, and a process between the two transactions of a deletion. On a Citus cluster of
 * its own; skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { eraseDeletedAccounts } from '../../../src/account-data/erase.ts'
import { findCitus, type Server } from '../../support/citus/cluster.ts'
import { coordinatorOf, runForUsers } from '../../support/citus/database.ts'
import { openOnCluster, peopleOf } from '../../support/citus/load.ts'
import { freePort } from '../../support/free-port.ts'
import type { Kinora, Person } from '../../support/harness.ts'
import { deliver } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName } from '../../support/payment/payment-events.ts'
import { startProcess } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openOnCluster(binDir)
const opened = () => cluster ?? assert.fail()
const REASON = 'Asked for it by e-mail'

test('account: API killed between the two transactions of a deletion → signed out, and the sweep does the rest', {
  skip,
}, async () => {
  const { kinora } = opened()
  const { sql } = kinora.app
  const [admin, ann] = [await kinora.person({ role: 'admin' }), await kinora.person({ credits: 100 })]
  const { data: video } = await kinora.generate(ann)
  const port = `${await freePort()}`
  const crashing = await startProcess(kinora, 'api', { PORT: port, KINORA_CRASH_AT: 'account.closed' })
  await assert.rejects(
    fetch(`http://127.0.0.1:${port}/api/v1/admin/users/${ann.userId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: REASON }),
    }),
  )
  assert.equal(await crashing.ended, 'SIGKILL')
  assert.equal((await deleteUser(kinora, admin, ann)).status, 404)
  const entries = () => sql`
    select actor_id, reason, before ->> 'frozen' as frozen from kinora.audit
    where user_id = ${ann.userId} and action = 'account.delete'
  `
  assert.deepEqual([await statusOf(kinora, ann, video.uuid), (await entries()).length], ['PENDING', 0])

  await eraseDeletedAccounts(kinora.app)
  await eraseDeletedAccounts(kinora.app)
  assert.equal(await statusOf(kinora, ann, video.uuid), 'FAILED')
  assert.deepEqual(
    (await entries()).map((row) => ({ ...row })),
    [{ actorId: admin.userId, reason: REASON, frozen: '16' }],
  )
})

test('account: coordinator dies after the shard has prepared a deletion → nothing is deleted; repeated → deleted', {
  skip,
}, async () => {
  const { kinora, coordinator } = opened()
  const { sql } = kinora.app
  const [admin, ann] = [await kinora.person({ role: 'admin' }), await kinora.person()]
  await sql.unsafe(`
    create function public.notify_of_change() returns trigger language plpgsql as $$ begin notify changed; return null; end $$;
    create trigger notified_of_change after insert on ${await nameOfShared(kinora, 'deleted_account')}
    for each row execute function public.notify_of_change()
  `)
  const { status } = await crashInCommit(kinora, coordinator, () => deleteUser(kinora, admin, ann))
  assert.equal(status, 503)
  const copies = () =>
    kinora.app.database.allParts.map(
      (shard) => shard`
    select from kinora.deleted_account where user_id = ${ann.userId}
  `,
    )
  assert.equal((await Promise.all(copies() ?? [])).flat().length, 0)
  assert.equal((await kinora.balance(ann)).available, 60)
  assert.equal((await deleteUser(kinora, admin, ann)).status, 200)
  assert.equal((await Promise.all(copies() ?? [])).flat().length, 1)
})

test('refund: node dies after the coordinator has prepared the event → neither event nor claim; delivered again → both, once', {
  skip,
}, async () => {
  const { kinora, nodes } = opened()
  const [node] = nodes as [Server]
  const [ann = assert.fail()] = await peopleOf(kinora, node)
  const { userId } = ann
  const checkout = checkoutA(userId)
  assert.equal((await deliver(kinora, 'payment-a', eventA('checkout.completed', checkout))).status, 200)
  const bought = (await kinora.balance(ann)).available
  await runForUsers(
    kinora.app.sql,
    `
    create function kinora.notify_of_change() returns trigger language plpgsql as $$ begin notify changed; return null; end $$;
    create trigger notified_of_change after insert on kinora.credit_refund_claim
    for each row execute function kinora.notify_of_change()
  `,
  )
  // Not the payment itself: some of its effects are inserts from a query, for which Citus commits in two phases anyway.
  const event = eventA('refund.created', { id: newName('ref'), order: checkout.order })
  const { status } = await crashInCommit(kinora, node, () => deliver(kinora, 'payment-a', event))
  assert.equal(status, 503)
  assert.deepEqual(await refundsOf(kinora, userId), { events: 0, claims: 0 })
  for (const _ of [1, 2]) assert.equal((await deliver(kinora, 'payment-a', event)).status, 200)
  assert.deepEqual(await refundsOf(kinora, userId), { events: 1, claims: 1 })
  assert.ok((await kinora.balance(ann)).available < bought)
})

test('refund: delivered while the coordinator commits the purchase after the shard → waits for it, and is claimed', {
  skip,
}, async () => {
  const { kinora, coordinator, nodes } = opened()
  const [node] = nodes as [Server]
  const [ann = assert.fail()] = await peopleOf(kinora, node)
  const { userId } = ann
  const checkout = checkoutA(userId)
  const { available } = await kinora.balance(ann)
  const database = databaseOf(kinora)
  const counted = async (server: Server, statement: string) => (await run(server, database, statement)).length

  const commitOfNode = await holdCommits(node, database)
  const purchase = deliver(kinora, 'payment-a', eventA('checkout.completed', checkout))
  await waitFor('the wait of both commits', () => isWaiting(node, database, 'SyncRep', 2))
  assert.equal(await counted(coordinator, 'select from pg_prepared_xacts where database = current_database()'), 1)
  const commitOfCoordinator = await holdCommits(coordinator, database)
  await commitOfNode.release()
  await waitFor('the commit of the shard', async () => (await kinora.balance(ann)).available > available)
  assert.equal(await counted(coordinator, `select from kinora.payment_event where user_id = '${userId}'`), 0)

  // It names its user, so it is routed to the shard before the purchase can be read on the coordinator.
  const object = { id: newName('ref'), order: checkout.order, metadata: { referenceId: userId } }
  const refund = deliver(kinora, 'payment-a', eventA('refund.created', object))
  await Promise.race([
    refund,
    waitFor('the lock of the payments', () => isWaiting(coordinator, database, 'transactionid', 1)),
  ])
  await commitOfCoordinator.release()
  assert.deepEqual([(await purchase).status, (await refund).status], [200, 200])
  assert.deepEqual(await refundsOf(kinora, userId), { events: 1, claims: 1 })
  assert.equal((await kinora.balance(ann)).available, available)
})

test('api: started while a node is down → serves the users of the other nodes, and those of the node when it is back', {
  skip,
}, async () => {
  const { kinora, nodes } = opened()
  const [down, up] = nodes as [Server, Server]
  const [[ann = assert.fail()], [bob = assert.fail()]] = [await peopleOf(kinora, down), await peopleOf(kinora, up)]
  const port = `${await freePort()}`
  const balanceOf = async ({ token }: Person) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`http://127.0.0.1:${port}/api/v1/credit/balance`, { headers })).status
  }
  await down.kill()
  const api = await startProcess(kinora, 'api', { PORT: port })
  assert.deepEqual([await balanceOf(ann), await balanceOf(bob)], [503, 200])
  await down.start()
  await waitFor('its users', async () => (await balanceOf(ann)) === 200)
  await api.stop()
})

/**
 * Sends the request, whose transaction sends a notification, and lets the server crash when this transaction has
 * reached the last step before the record of its commit. There it waits for the lock of all notifications, after Citus
 * has prepared or committed the other server's part: another session has sent one, and waits for a standby that does
 * not exist. Without two-phase commit the other part stays.
 */
async function crashInCommit<T>(kinora: Kinora, server: Server, request: () => Promise<T>): Promise<T> {
  const database = databaseOf(kinora)
  const held = await holdCommits(server, database, 'local', 'notify changed')
  const response = request()
  await waitFor('the wait in the commit', () => isWaiting(server, database, 'object', 1))
  // PostgreSQL ends its other sessions too, and starts again.
  process.kill(held.pid, 'SIGKILL')
  const result = await response
  await waitFor('the server', () =>
    held.release().then(
      () => true,
      () => false,
    ),
  )
  await waitFor('the end of prepared transactions', () => recoverPrepared(database))
  return result
}

/**
 * Lets the commits of a server wait for a standby that does not exist; until then other sessions do not see what they
 * have written.
 * @param others 'local': only the session with the process id `pid`, which has executed `statement`, waits
 */
async function holdCommits(server: Server, database: string, others: 'on' | 'local' = 'on', statement = 'select') {
  const apply = async (statements: string[]) => {
    for (const text of [...statements, 'select pg_reload_conf()']) await run(server, database, text)
  }
  await apply([
    `alter system set synchronous_commit = '${others}'`,
    "alter system set synchronous_standby_names = 'unknown_standby'",
  ])
  const session = postgres(server.url(database), { max: 1, onnotice: () => {} })
  const [{ pid }] = await session<[{ pid: number }]>`
    select pg_backend_pid() as pid, set_config('synchronous_commit', 'on', false)
  `
  // A commit waits when the transaction has written something, and when the checkpointer has read the settings.
  let isSent = false
  const send = () => {
    isSent = true
    session.unsafe(`select pg_logical_emit_message(true, 'test', ''); ${statement}`).then(
      () => {
        isSent = false
      },
      () => {},
    )
  }
  await waitFor('the wait for a standby', () => {
    if (!isSent) send()
    return isWaiting(server, database, 'SyncRep', 1)
  })
  const release = async () => {
    await apply(['alter system reset synchronous_commit', 'alter system reset synchronous_standby_names'])
    await session.end({ timeout: 1 })
  }
  return { pid, release }
}

async function isWaiting(server: Server, database: string, event: string, sessions: number): Promise<boolean> {
  const rows = await run(server, database, `select from pg_stat_activity where wait_event = '${event}'`)
  return rows.length === sessions
}

/**
 * What Citus does once a minute. The sessions of all servers end, because those of the others hold closed connections
 * to the one that crashed. @returns whether none is left
 */
async function recoverPrepared(database: string): Promise<boolean> {
  let left = 0
  for (const server of [opened().coordinator, ...opened().nodes]) {
    await run(server, database, 'select recover_prepared_transactions()')
    await run(
      server,
      database,
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    left += (await run(server, database, 'select from pg_prepared_xacts where database = current_database()')).length
  }
  return left === 0
}

const databaseOf = ({ databaseUrl }: Kinora): string => new URL(databaseUrl).pathname.slice(1)

async function run({ url }: Server, database: string, statement: string) {
  const sql = postgres(url(database), { max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

async function nameOfShared({ app }: Kinora, table: string): Promise<string> {
  const [row] = await app.sql<[{ name: string }]>`
    select shard_name(logicalrelid, shardid) as name from pg_dist_shard where logicalrelid = ${`kinora.${table}`}::regclass
  `
  return row.name
}

async function refundsOf({ app }: Kinora, userId: string) {
  const events = await coordinatorOf(app.database)`
    select from kinora.payment_event where user_id = ${userId} and type = 'refund.created'
  `
  const claims = await app.sql`select from kinora.credit_refund_claim where user_id = ${userId}`
  return { events: events.length, claims: claims.length }
}

const deleteUser = ({ call }: Kinora, as: Person, { userId }: Person) =>
  call('DELETE', `/api/v1/admin/users/${userId}`, { as, body: { reason: REASON } })

async function statusOf({ app }: Kinora, { userId }: Person, uuid: string): Promise<string> {
  const [row] = await app.sql<[{ status: string }]>`
    select status from kinora.video where user_id = ${userId} and id = ${uuid}
  `
  return row.status
}
