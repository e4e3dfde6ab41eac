/** Transfers in SQL: a member's credits go into a team with their expiry, and a returned payment finds them there. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditReverseExpiry, creditSettleOwed, creditTake } from '../../src/credit/correction.ts'
import { creditBalance, creditLock } from '../../src/credit/ledger.ts'
import { creditTransfer } from '../../src/credit/transfer.ts'
import { verify } from '../../src/credit/verify.ts'
import { call } from '../../src/db/call.ts'
import { newId, newTeamId } from '../../src/id.ts'
import { notDistributed } from '../support/citus/database.ts'
import { claimRefund, creditGrant, reverseClaim } from '../support/ledger/ledger-calls.ts'
import { DAY_MS, HOUR_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { waitFor } from '../support/video-row.ts'

const onOne = notDistributed('no credits move between two shards')
const { sql, books, freeze, settle, release } = await openLedger(4)
const expiry = later(30 * DAY_MS)

async function team(...members: string[]): Promise<string> {
  const id = newTeamId(new Date())
  await sql`insert into kinora.team (id, name, created_at) values (${id}, 'North', ${start})`
  for (const userId of members) {
    await sql`insert into kinora.team_member (team_id, user_id, role, created_at) values (${id}, ${userId}, 'viewer', ${start})`
  }
  return id
}
const grant = async (
  userId: string,
  credits: number,
  change: { source?: string; expiresAt?: Date; transType?: string; collects?: boolean } = {},
) => {
  const facts = { source: `order-${randomUUID()}`, transType: 'ORDER_PAY', orderNo: 'order-1', remark: null }
  const packageId = randomUUID()
  await creditGrant(sql, { userId, packageId, ...facts, credits, expiresAt: expiry, now: start, ...change })
  return packageId
}
/** A user who has bought credits, with the source 'order', and a team of the user. */
async function buyer(credits: number) {
  const userId = newId(new Date())
  await grant(userId, credits, { source: 'order' })
  return { userId, teamId: await team(userId) }
}
const move = (
  userId: string,
  teamId: string,
  credits: number,
  { now = start, key = null, collectsOwed = false }: { now?: Date; key?: string | null; collectsOwed?: boolean } = {},
) =>
  creditTransfer(sql, {
    ...{ userId, teamId, credits, transferId: newId(new Date()), collectsOwed, now },
    idempotency: key ? { key, requestHash: Buffer.from(`${teamId} ${credits}`) } : null,
  })
/** Deletes a team as an administrator does. */
const remove = (actorId: string, teamId: string, owed = 0) =>
  call(sql, 'team_delete', {
    ...{ teamId, actorId, emailHash: Buffer.from('hash'), requestId: 'request', owed, now: start, reason: 'Closed' },
  })
/** As account-data/delete.ts does. */
const finishDeletion = async (teamId: string, now = start) => {
  await call(sql, 'account_clear', { userId: teamId, cancelError: '', grace: '1 day', now })
  await call(sql, 'team_pass_on_owed', { teamId, now })
  await sql`update kinora.deleted_account set unfinished = null where user_id = ${teamId}`
}
const claim = (userId: string, part: number, key = 'refund', now = start) =>
  claimRefund(sql, { userId, source: 'order', key, part, now })
/** Available, what was clawed back, owed and total. */
async function sums(userId: string, now = start) {
  const { available, clawedBack, owed, total } = await creditBalance(sql, { userId, now })
  return [available, clawedBack, owed, total]
}
const rows = async (userId: string) =>
  (
    await sql<{ row: string }[]>`
      select concat_ws(' ', trans_type, credits, order_no, remark) as row
      from kinora.credit_transaction where user_id = ${userId} order by n
    `
  ).map(({ row }) => row)

test('moved: parts of two packages → one row each, that names the other; expiry and totals follow', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  const first = await grant(userId, 20, { expiresAt: later(DAY_MS) })
  const { outcome, transferId, packages } = await move(userId, teamId, 50)
  assert.deepEqual([outcome, packages?.[0]], ['moved', [first, 20, later(DAY_MS).getTime()]])
  assert.deepEqual(await sums(userId), [70, 0, 0, 70])
  assert.deepEqual(await sums(teamId), [50, 0, 0, 50])
  assert.deepEqual((await rows(userId)).slice(2), ['SYSTEM_ADJUST -50 Moved into a team'])
  assert.deepEqual(await rows(teamId), ['SYSTEM_ADJUST 50 Moved into the team by a member'])
  const named = await sql<{ source: string }[]>`
    select source from kinora.credit_transaction where source like ${`transfer:${transferId}:%`} order by credits
  `
  assert.deepEqual(
    named.map(({ source }) => source.split(':')[2]),
    [teamId, userId],
  )
  assert.deepEqual(await sums(teamId, later(2 * DAY_MS)), [30, 0, 0, 50])
})

test(
  'moved: the same key or id again → the same reply and nothing twice; another request with the key is refused',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    const made = await move(userId, teamId, 30, { key: 'k' })
    const again = await move(userId, teamId, 30, { key: 'k' })
    assert.deepEqual({ ...again, outcome: 'moved', credits: made.credits }, made)
    assert.equal(again.outcome, 'replayed')
    assert.equal((await move(userId, teamId, 31, { key: 'k' })).outcome, 'key_reused')
    const at = { userId, teamId, credits: 30, idempotency: null, collectsOwed: false, now: start }
    assert.equal((await creditTransfer(sql, { ...at, transferId: made.transferId })).outcome, 'replayed')
    assert.deepEqual(await sums(teamId), [30, 0, 0, 30])
  },
)

test(
  'refused: more than can be moved, the gift, a payment that is being returned, debts, a lock, no member → nothing moves',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    await grant(userId, 60, { source: 'new-user', transType: 'NEW_USER' })
    await sql`update kinora.credit_account set gift_at = ${start} where user_id = ${userId}`
    const refused = async (credits: number) => {
      const { outcome, credits: known } = await move(userId, teamId, credits)
      return [outcome, known]
    }
    assert.deepEqual(await refused(101), ['insufficient', 100])
    await claim(userId, 0.1)
    assert.deepEqual(await refused(1), ['insufficient', 0])
    await reverseClaim(sql, { userId, source: 'order', key: 'refund', now: start })
    await sql`update kinora.team set locked_at = ${start}, lock_reason = 'Chargebacks' where id = ${teamId}`
    assert.deepEqual(await refused(1), ['locked', 0])
    assert.equal((await move(userId, await team(), 1)).outcome, 'not_found')
    assert.equal((await move(userId, newTeamId(start), 1)).outcome, 'not_found')
    const ann = await buyer(100)
    const hold = randomUUID()
    await freeze(ann.userId, hold, 100)
    await claim(ann.userId, 1)
    await grant(ann.userId, 10)
    assert.deepEqual(await move(ann.userId, ann.teamId, 1).then((m) => [m.outcome, m.credits]), ['owed', 100])
    assert.deepEqual(await sums(teamId), [0, 0, 0, 0])
  },
)

test(
  'refund: half of a payment in one credit each of five transfers → whole credits, whose sum is exact',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(5)
    for (let n = 0; n < 5; n += 1) await move(userId, teamId, 1)
    await claim(userId, 0.5)
    assert.deepEqual(await sums(userId), [0, 0, 0, 0])
    assert.deepEqual(await sums(teamId), [2, 3, 0, 5])
    await reverseClaim(sql, { userId, source: 'order', key: 'refund', now: start })
    assert.deepEqual(await sums(teamId), [5, 0, 0, 5])
  },
)

test('refund: the team has spent and frozen its part → it owes, and what is released is taken', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  await move(userId, teamId, 60)
  const [used, failed] = [randomUUID(), randomUUID()]
  await freeze(teamId, used, 20)
  await settle(teamId, used)
  await freeze(teamId, failed, 40)
  await claim(userId, 1)
  assert.deepEqual(await sums(userId), [0, 40, 0, 40])
  assert.deepEqual(await sums(teamId), [0, 0, 60, 60])
  await release(teamId, failed)
  assert.deepEqual(await sums(teamId), [0, 40, 20, 60])
  assert.deepEqual((await rows(teamId)).slice(-2), ['REFUND 40', 'ORDER_PAY -40 Payment of moved credits returned'])
  const admin = {
    adminId: randomUUID(),
    reason: 'paid',
    requestId: null,
    isDryRun: false,
    idempotency: null,
    now: start,
  }
  await grant(teamId, 50)
  const { outcome } = await creditSettleOwed(sql, { userId: teamId, ...admin, credits: 20, forgives: false })
  assert.equal(outcome, 'settled')
  assert.deepEqual(await sums(teamId), [30, 60, 0, 110])
  // What another package paid comes back first.
  await reverseClaim(sql, { userId, source: 'order', key: 'refund', now: start })
  assert.deepEqual(
    [await sums(userId), await sums(teamId)],
    [
      [40, 0, 0, 40],
      [90, 0, 0, 110],
    ],
  )
})

test('refund: of credits that were released into a grace package and moved → found by their root', onOne, async () => {
  const userId = newId(new Date())
  await grant(userId, 40, { source: 'order', expiresAt: later(DAY_MS) })
  const teamId = await team(userId)
  const hold = randomUUID()
  await freeze(userId, hold, 30)
  const now = later(25 * HOUR_MS)
  await release(userId, hold, now)
  assert.equal((await move(userId, teamId, 30, { now })).outcome, 'moved')
  await claim(userId, 1, 'refund', now)
  assert.deepEqual(await sums(teamId, now), [0, 30, 0, 30])
})

test(
  'refund: an administrator takes from the team and reverses an expiry there → the part of the team stays',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    await move(userId, teamId, 60)
    const admin = { adminId: randomUUID(), reason: 'test', requestId: null, isDryRun: false, idempotency: null }
    await creditTake(sql, { userId: teamId, ...admin, credits: 10, now: start })
    await creditLock(sql, { userId: teamId, now: later(31 * DAY_MS) })
    const [packet] = await sql<[{ id: string }]>`select id from kinora.credit_package where user_id = ${teamId}`
    const at = later(32 * DAY_MS)
    await claim(userId, 0.5, 'refund', at)
    assert.deepEqual(await sums(teamId, at), [0, 10, 0, 60])
    await creditReverseExpiry(sql, {
      userId: teamId,
      packageId: packet.id,
      expiresAt: later(40 * DAY_MS),
      ...admin,
      now: at,
    })
    assert.deepEqual(await sums(teamId, at), [20, 40, 0, 60])
  },
)

test('moved: into a team that owes, with OWED=collect → what it owes is paid first', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  await move(userId, teamId, 60)
  const hold = randomUUID()
  await freeze(teamId, hold, 60)
  await settle(teamId, hold)
  await claim(userId, 1)
  assert.equal((await sums(teamId))[2], 60)
  await grant(userId, 100)
  assert.equal((await move(userId, teamId, 100, { collectsOwed: true })).outcome, 'moved')
  assert.deepEqual(await sums(teamId), [40, 60, 0, 160])
})

test('refused: credits of the gift in a grace package → the welcome gift stays', onOne, async () => {
  const userId = newId(new Date())
  await grant(userId, 40, { source: 'new-user', transType: 'NEW_USER', expiresAt: later(DAY_MS) })
  await sql`update kinora.credit_account set gift_at = ${start} where user_id = ${userId}`
  const teamId = await team(userId)
  const hold = randomUUID()
  await freeze(userId, hold, 40)
  const now = later(25 * HOUR_MS)
  await release(userId, hold, now)
  assert.equal((await creditBalance(sql, { userId, now })).available, 40)
  assert.equal((await move(userId, teamId, 1, { now })).outcome, 'insufficient')
})

test(
  'refund: after the credits have expired in the team → they are written off first, and nothing is taken',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    await move(userId, teamId, 60)
    await claim(userId, 1, 'refund', later(31 * DAY_MS))
    assert.deepEqual(await sums(teamId, later(31 * DAY_MS)), [0, 0, 0, 60])
  },
)

/** Resolves once the call waits for a lock, or has ended. @returns the session that waits */
async function waitsFor(called: Promise<unknown>, name = 'credit_transfer'): Promise<number | undefined> {
  let hasEnded = false
  void called.then(
    () => {
      hasEnded = true
    },
    () => {
      hasEnded = true
    },
  )
  let waiting: { pid: number } | undefined
  await waitFor(name, async () => {
    ;[waiting] = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${name}(%`}
    `
    return hasEnded || waiting !== undefined
  })
  return waiting?.pid
}

test('refused: the member leaves, not committed yet → the transfer waits for it', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  let transfer: ReturnType<typeof move> | undefined
  await sql.begin(async (tx) => {
    await tx`select from kinora.team where id = ${teamId} for update`
    await tx`delete from kinora.team_member where team_id = ${teamId} and user_id = ${userId}`
    transfer = move(userId, teamId, 1)
    await waitsFor(transfer)
  })
  assert.equal((await transfer)?.outcome, 'not_found')
})

test(
  'crash: the session ends between the two accounts → neither has changed, and the request again moves once',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    await creditLock(sql, { userId: teamId, now: start })
    await sql.begin(async (tx) => {
      await tx`select from kinora.credit_account where user_id = ${teamId} for update`
      const transfer = move(userId, teamId, 40, { key: 'k' })
      const pid = await waitsFor(transfer)
      await tx`select pg_terminate_backend(${pid ?? assert.fail('the transfer does not wait')})`
      await assert.rejects(transfer)
    })
    assert.deepEqual(
      [await sums(userId), await sums(teamId)],
      [
        [100, 0, 0, 100],
        [0, 0, 0, 0],
      ],
    )
    assert.equal((await move(userId, teamId, 40, { key: 'k' })).outcome, 'moved')
    assert.equal((await move(userId, teamId, 40, { key: 'k' })).outcome, 'replayed')
    assert.deepEqual(await sums(teamId), [40, 0, 0, 40])
  },
)

test('debt: a deleted team’s film ends and gives its credits back → its payer owes them no more', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  await move(userId, teamId, 60)
  const hold = randomUUID()
  await freeze(teamId, hold, 60)
  await claim(userId, 1)
  await remove(userId, teamId, 60)
  assert.deepEqual(await verify(books), [], 'a deletion that is not finished is no difference')
  await finishDeletion(teamId)
  assert.deepEqual(await sums(userId), [0, 40, 60, 40])
  await release(teamId, hold)
  await finishDeletion(teamId)
  assert.deepEqual(await sums(userId), [0, 40, 0, 40])
})

test('debt: a deleted team’s film costs less than was frozen → its payer owes what it costs', onOne, async () => {
  const { userId, teamId } = await buyer(100)
  await move(userId, teamId, 60)
  const hold = randomUUID()
  await freeze(teamId, hold, 60)
  await claim(userId, 1)
  await remove(userId, teamId, 60)
  await finishDeletion(teamId)
  await settle(teamId, hold, start, 20)
  await finishDeletion(teamId)
  assert.deepEqual(await sums(userId), [0, 40, 20, 40])
})

test(
  'debt: a part of what a deleted team owes has expired → its payer owes the part it used, the team nothing',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    await move(userId, teamId, 60)
    const hold = randomUUID()
    await freeze(teamId, hold, 20)
    await settle(teamId, hold)
    const now = later(31 * DAY_MS)
    await creditLock(sql, { userId: teamId, now })
    await claim(userId, 1, 'refund', now)
    await remove(userId, teamId, 20)
    await finishDeletion(teamId, now)
    assert.deepEqual(await sums(teamId, now), [0, 0, 0, 60])
    assert.deepEqual(await sums(userId, now), [0, 0, 20, 40])
  },
)

test(
  'race: a team is deleted while a user who has moved credits into it moves more → deleted, no deadlock, exact books',
  onOne,
  async () => {
    const { userId, teamId } = await buyer(100)
    let deleting: Promise<unknown> | undefined
    let second: ReturnType<typeof move> | undefined
    await sql.begin(async (tx) => {
      await creditTransfer(tx, {
        userId,
        teamId,
        credits: 40,
        transferId: newId(new Date()),
        collectsOwed: false,
        now: start,
        idempotency: null,
      })
      deleting = remove(userId, teamId)
      await waitsFor(deleting, 'team_delete')
      second = move(userId, teamId, 10)
      await waitsFor(second)
    })
    // Either of the two that waited may be the first.
    const moved = (await second)?.outcome === 'moved' ? 50 : 40
    assert.equal(await deleting, 'deleted')
    assert.deepEqual(
      [await sums(userId), await sums(teamId)],
      [
        [100 - moved, 0, 0, 100 - moved],
        [moved, 0, 0, moved],
      ],
    )
  },
)

test(
  'races: transfers of two users into two teams beside refunds, films of sets and members who leave → no deadlock, exact books',
  onOne,
  async () => {
    const users = [newId(new Date()), newId(new Date())] as const
    for (const userId of users) {
      await grant(userId, 1000, { source: 'order' })
      await grant(userId, 1000, { source: 'second' })
    }
    const teams = [await team(...users), await team(...users)] as const
    const work: (() => Promise<unknown>)[] = []
    for (let n = 0; n < 40; n += 1) {
      for (const userId of users) {
        work.push(() => move(userId, teams[n % 2 ? 1 : 0], 10))
        work.push(() =>
          claimRefund(sql, { userId, source: n % 2 ? 'order' : 'second', key: 'r', part: n % 3 ? 0 : 0.4, now: start }),
        )
      }
      work.push(async () => {
        const hold = randomUUID()
        const owner = teams[n % 2 ? 0 : 1]
        if ((await freeze(owner, hold, 5)).outcome === 'frozen') await release(owner, hold)
      })
      // One call about all four accounts, as the combiner makes it.
      work.push(
        () =>
          sql`select kinora.credit_lock_accounts(p_user_ids => ${[...teams, ...users].reverse()}::uuid[], p_now => ${start})`,
      )
    }
    work.push(() => sql`delete from kinora.team_member where team_id = ${teams[1]} and user_id = ${users[0]}`)
    await Promise.all(work.map((each) => each()))
    const totals = await Promise.all([...users, ...teams].map(async (id) => (await sums(id))[3] ?? 0))
    assert.equal(
      totals.reduce((sum, each) => sum + each, 0),
      4000,
    )
  },
)
