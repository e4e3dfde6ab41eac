/** An owner's whole ledger, from the database and from the model, in one form for comparison. */
import assert from 'node:assert/strict'
import postgres from 'postgres'
import type { Role } from '../../../src/account/team/role.ts'
import { changeMember, setMemberBudget } from '../../../src/account/team/team.ts'
import { creditReverseExpiry, creditSettleOwed, creditTake } from '../../../src/credit/correction.ts'
import { creditGrantGift } from '../../../src/credit/gift.ts'
import { creditAdjust, creditBalance, creditLock } from '../../../src/credit/ledger.ts'
import { creditTransfer } from '../../../src/credit/transfer.ts'
import { CLOCK_AHEAD } from '../../../src/db/clock.ts'
import type { Sql } from '../../../src/db/db.ts'
import { AppError } from '../../../src/errors.ts'
import {
  assumed,
  available,
  frozen,
  inFifoOrder,
  type Ledger,
  moved,
  openHolds,
  type Package,
  refundClaimed,
  remaining,
  sum,
  transferred,
  usageOf,
  used,
} from './ledger-books.ts'
import { claimRefund, creditFreeze, creditGrant, creditRelease, creditSettle } from './ledger-calls.ts'
import type { Call } from './ledger-model.ts'

type Account = Record<
  'available' | 'frozen' | 'used' | 'expired' | 'total' | 'transactions' | 'openHolds' | 'clawedBack' | 'audits',
  number
> & { hasGift: boolean; nextExpiryMs: number | null }

export type State = {
  account: Account | null
  packages: [id: string, source: string, ...(string | number | null)[]][]
  holds: unknown[]
  usage: unknown[]
  rows: unknown[]
}

/** Leaves out the rows of the history that were compared before. */
export async function readState(sql: Sql, { ownerId: userId, rowsSeen }: Ledger): Promise<State> {
  const [row] = await sql<[{ state: State }]>`
    select json_build_object(
      'account', (
        select json_build_object(
          'available', available, 'frozen', frozen, 'used', used, 'expired', expired, 'clawedBack', clawed_back,
          'total', total, 'transactions', transactions, 'openHolds', open_holds, 'audits', (
            select count(*) from kinora.audit where user_id = ${userId} and action not like 'team.%'
          ), 'hasGift', gift_at is not null,
          'nextExpiryMs', extract(epoch from nullif(next_expiry_at, 'infinity')) * 1000
        )
        from kinora.credit_account
        where user_id = ${userId}
      ),
      'packages', (
        select coalesce(json_agg(json_build_array(
          id, source, trans_type, order_no, parent_id, initial, remaining, frozen, used, expired, clawed_back, taken, collected, moved,
          from_user_id, from_package_id, transferred, refund_claimed, repaid, forgiven, passed_on, assumed,
          extract(epoch from expires_at) * 1000, extract(epoch from created_at) * 1000
        ) order by expires_at, created_at, id), '[]')
        from kinora.credit_package
        where user_id = ${userId}
      ),
      'holds', (
        select coalesce(json_agg(json_build_array(h.id, h.credits, h.state, h.rest, (
          select json_agg(json_build_array(s.package_id, s.credits) order by s.package_id)
          from unnest(h.package_ids, h.package_credits) s (package_id, credits)
        )) order by h.id), '[]')
        from kinora.credit_hold h
        where h.user_id = ${userId}
      ),
      'usage', (
        select coalesce(json_agg(json_build_array(
          key_id, extract(epoch from day::timestamp) * 1000, credits, videos
        ) order by key_id, day), '[]')
        from kinora.api_key_usage
        where user_id = ${userId}
      ),
      'rows', (
        select coalesce(json_agg(json_build_array(
          n, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
          extract(epoch from created_at) * 1000
        ) order by n), '[]')
        from kinora.credit_transaction
        where user_id = ${userId} and n > ${rowsSeen}
      )
    ) as state
  `
  return row.state
}

/** @throws AssertionError on the first difference */
export function assertSameState(ledger: Ledger, state: State): void {
  copyGeneratedIds(ledger, state)
  assert.deepEqual(state.packages, inFifoOrder(ledger.packages).map(packageLine), 'the packages')
  assert.deepEqual(state.holds, holdLines(ledger), 'the holds')
  assert.deepEqual(state.usage, usageOf(ledger), 'what the members have used')
  assert.deepEqual(state.rows, rowLines(ledger), 'the new history rows')
  const { account } = state
  if (!account) assert.equal(ledger.isOpen, false, 'the first movement creates the account')
  else compareAccount(ledger, account)
  ledger.rowsSeen = ledger.rows.length
}

/** The database generates the ids of grace packages, and with them the sources of those that reverse an expiry. */
function copyGeneratedIds(ledger: Ledger, state: State): void {
  const unnamed = ledger.packages.filter((each) => each.id === '')
  if (unnamed.length === 0) return
  const idOf = new Map(state.packages.map(([id, source]) => [source, id]))
  const known = new Set(ledger.packages.map(({ source }) => source))
  for (const each of unnamed) {
    // Its source has its id, too. A call makes one such package at most.
    if (each.source === 'reversal:') {
      each.source = [...idOf.keys()].find((source) => source.startsWith('reversal:') && !known.has(source)) ?? ''
    }
    each.id = idOf.get(each.source) ?? ''
  }
}

function compareAccount(ledger: Ledger, { nextExpiryMs, ...account }: Account): void {
  assert.deepEqual(
    account,
    {
      available: available(ledger),
      frozen: total(ledger, frozen),
      used: total(ledger, used),
      expired: total(ledger, (each) => each.expired),
      clawedBack: total(ledger, (each) => each.clawedBack),
      audits: ledger.audits,
      total: total(ledger, (each) => (each.parent ? 0 : each.initial) - transferred(each)),
      transactions: ledger.rows.length,
      openHolds: openHolds(ledger).length,
      hasGift: ledger.hasGift,
    },
    'the account',
  )
  assert.equal(account.available, total(ledger, remaining), 'available is the sum of the packages’ remaining credits')
  const next = Math.min(...ledger.packages.filter((each) => remaining(each) > 0).map((each) => each.expiresAtMs))
  assert.ok((nextExpiryMs ?? Infinity) <= next, `next_expiry_at is ${nextExpiryMs}, later than ${next}`)
}

const packageLine = (each: Package) => [
  each.id,
  each.source,
  each.type,
  each.orderNo,
  each.parent?.id ?? null,
  each.initial,
  remaining(each),
  frozen(each),
  used(each),
  each.expired,
  each.clawedBack,
  each.taken,
  each.collected,
  moved(each),
  each.from?.ledger.ownerId ?? null,
  each.from?.id ?? null,
  transferred(each),
  refundClaimed(each),
  each.repaid,
  each.forgiven,
  each.passedOn,
  assumed(each),
  each.expiresAtMs,
  each.createdAtMs,
]

const holdLines = (ledger: Ledger) =>
  [...ledger.holds.values()].sort(byId).map(({ id, credits, state, rest, slices }) => {
    // A settled hold has the used part of a slice and its rest apart.
    const parts = [...Map.groupBy(slices, (slice) => slice.of.id)].map(([id, parts]) => ({ id, credits: sum(parts) }))
    return [id, credits, state, rest, parts.sort(byId).map((part) => [part.id, part.credits])]
  })

const rowLines = ({ rows, rowsSeen }: Ledger) =>
  rows
    .slice(rowsSeen)
    .map((row, index) => [
      rowsSeen + index + 1,
      row.type,
      row.credits,
      row.balanceAfter,
      row.package?.id ?? null,
      row.videoId,
      row.orderNo,
      row.remark,
      row.actorId,
      row.atMs,
    ])

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

const total = (ledger: Ledger, amount: (each: Package) => number): number =>
  ledger.packages.reduce((sum, each) => sum + amount(each), 0)

export const openUser = (sql: Sql, { ownerId }: Ledger) => sql`
  insert into public."user" ("id", "name", "email", "emailVerified", "role")
  values (${ownerId}, 'Test User', ${`${ownerId}@example.com`}, false, 'user')
`

/** Makes the owner a team, whose members the model has. */
export async function openTeam(sql: Sql, { ownerId: teamId, members }: Ledger, now: Date): Promise<void> {
  await sql`insert into kinora.team (id, name, created_at) values (${teamId}, 'North', ${now})`
  for (const [memberId, role] of members) await addMember(sql, { teamId, memberId, role, now })
}

/** As an accepted invitation does, which a deleted team or person has no more. */
const addMember = (sql: Sql, member: { teamId: string; memberId: string; role: Role; now: Date }) => sql`
  insert into kinora.team_member (team_id, user_id, role, created_at)
  select ${member.teamId}, ${member.memberId}, ${member.role}, ${member.now}
  where not exists (select from kinora.deleted_account d where d.user_id in (${member.teamId}, ${member.memberId}))
  on conflict do nothing
`

/** Makes the call in the database and returns its result in the form that the model's `perform` returns. */
export async function callDatabase(sql: Sql, { ownerId }: Ledger, call: Call): Promise<unknown> {
  return await callFunction(sql, ownerId, call).catch((error: unknown) => {
    if (error instanceof postgres.PostgresError && error.code === CLOCK_AHEAD) return 'refused'
    throw error
  })
}

async function callFunction(sql: Sql, userId: string, call: Call): Promise<unknown> {
  const at = { userId, now: new Date(call.atMs) }
  switch (call.kind) {
    case 'lock':
      return await creditLock(sql, at)
    case 'balance':
      return await creditBalance(sql, at)
    case 'gift':
      return await creditGrantGift(sql, { ...at, ...call, expiresAt: new Date(call.expiresAtMs) })
    case 'grant':
      return inMs(
        await creditGrant(sql, { ...at, ...call, transType: call.type, expiresAt: new Date(call.expiresAtMs) }),
      )
    case 'adjust': {
      const idempotency = call.key === null ? null : { key: call.key, requestHash: Buffer.from(call.request) }
      const expiresAt = new Date(call.expiresAtMs)
      return inMs(
        await creditAdjust(sql, { ...at, ...call, adminId: call.actorId ?? assert.fail(), expiresAt, idempotency }),
      )
    }
    case 'freeze':
      return await creditFreeze(sql, { ...at, ...call })
    case 'settle':
      return await creditSettle(sql, { ...at, ...call, graceS: call.graceMs / 1000 })
    case 'release':
      return await creditRelease(sql, { ...at, ...call, graceS: call.graceMs / 1000 })
    case 'claim':
      await claimRefund(sql, { ...at, ...call })
      return null
    case 'reverseClaim':
      await claimRefund(sql, { ...at, ...call, part: 0 })
      return null
    case 'take': {
      const { packages, ...row } = await creditTake(sql, { ...at, ...call, ...correctionOf(call) })
      return { ...row, packages: packages.map(inMs) }
    }
    case 'settleOwed': {
      const { packages, ...row } = await creditSettleOwed(sql, { ...at, ...call, ...correctionOf(call) })
      return { ...row, packages: packages.map(inMs) }
    }
    case 'reverseExpiry': {
      const expiresAt = call.expiresAtMs === null ? null : new Date(call.expiresAtMs)
      const row = await creditReverseExpiry(sql, { ...at, ...call, ...correctionOf(call), expiresAt })
      return { outcome: row.outcome, credits: row.credits, expiresAtMs: row.expiresAt?.getTime() ?? null }
    }
    case 'transfer': {
      const { teamId, transferId, credits, collects: collectsOwed, key, request } = call
      const idempotency = key === null ? null : { key, requestHash: Buffer.from(request) }
      return { ...(await creditTransfer(sql, { ...at, teamId, transferId, credits, collectsOwed, idempotency })) }
    }
    case 'join':
      await addMember(sql, { teamId: userId, ...call, now: at.now })
      return null
    case 'member': {
      const { memberId, role, actorId } = call
      return await codeOf(changeMember(appAt(sql, at), { teamId: userId, userId: memberId, actorId, role }))
    }
    case 'delete':
      return await deleteOwner(sql, { ...at, ...call })
    case 'budget': {
      const { memberId, actorRole: role, actorId, budget } = call
      return await codeOf(setMemberBudget(appAt(sql, at), { teamId: userId, userId: memberId, actorId, role, budget }))
    }
  }
}

/** As account-data/delete.ts does. */
async function deleteOwner(
  sql: Sql,
  { userId, now, isTeam, actorId, owed }: { userId: string; now: Date; isTeam: boolean; actorId: string; owed: number },
) {
  const [row] = isTeam
    ? await sql<[{ outcome: string }]>`
      select outcome, case outcome when 'deleted' then
        kinora.account_clear(p_user_id => ${userId}, p_cancel_error => '', p_grace => '1 day', p_now => ${now})
      end,
      case outcome when 'deleted' then kinora.team_pass_on_owed(p_team_id => ${userId}, p_now => ${now}) end
      from kinora.team_delete(
        p_team_id => ${userId}, p_actor_id => ${actorId}, p_email_hash => '', p_request_id => '', p_reason => 'r', p_owed => ${owed},
        p_now => ${now}
      ) outcome
    `
    : await sql<[{ outcome: string }]>`
      select kinora.account_delete(
        p_user_id => ${userId}, p_actor_id => ${actorId}, p_email_hash => '', p_cancel_error => '', p_grace => '1 day',
        p_request_id => '', p_reason => 'r', p_owed => ${owed}, p_now => ${now}
      ) as outcome
    `
  await sql`update kinora.deleted_account set unfinished = null where user_id = ${userId} and unfinished is not null`
  return row.outcome
}

const appAt = (sql: Sql, { now }: { now: Date }) => ({ sql, now: () => now })

const codeOf = (change: Promise<void>): Promise<string> =>
  change.then(
    () => 'changed',
    (error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )

const correctionOf = ({ key, request, actorId }: { key: string | null; request: string; actorId: string }) => ({
  adminId: actorId,
  requestId: null,
  idempotency: key === null ? null : { key, requestHash: Buffer.from(request) },
})

const inMs = <T extends { expiresAt: Date }>({ expiresAt, ...row }: T) => ({ ...row, expiresAtMs: expiresAt.getTime() })
