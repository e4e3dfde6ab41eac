/**
 * Random sets of freezes, settles and releases for several accounts of users and teams, each set one call of the
 * database and a sequence of calls of the reference model. Between the sets: every other kind of call, and a clock that
 * is moved to the moments at which credits expire. Sets are repeated, and come from a process whose clock is ahead.
 * After every call the results, accounts, packages, holds and new history rows of all accounts are compared.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import postgres from 'postgres'
import { BUDGET_PERIODS } from '../../../src/account/key/api-key.ts'
import { CLOCK_AHEAD } from '../../../src/db/clock.ts'
import type { Sql } from '../../../src/db/db.ts'
import type { Database } from '../../../src/db/parts.ts'
import { teamIdOf } from '../../../src/id.ts'
import { idsOfOnePart } from '../citus/database.ts'
import { type Random, randomOf } from '../random.ts'
import { type Ledger, newLedger, openHolds, remaining } from './ledger-books.ts'
import { creditFreezeHolds, creditReleaseHolds, creditSettleHolds } from './ledger-calls.ts'
import { AHEAD_MS, type Call, perform } from './ledger-model.ts'
import { assertSameState, callDatabase, openTeam, readState } from './ledger-state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2030, 0, 1)
const ACCOUNTS = 4
const CALLS_A_SEQUENCE = 60
const SET_MAX = 128

type Element = { account: Ledger; call: Call }
type SetKind = 'freeze' | 'settle' | 'release'
type SetCall = { kind: SetKind; set: Element[] }

type Run = {
  sql: Sql
  seed: number
  /** The part of the database that has a user. The accounts of a sequence are of one. */
  partOf: Database['partOf']
  /** Is called with the number of operations. */
  onCalls: (count: number) => void
  shouldContinue: () => boolean
}

/** Runs sequences, each with new accounts, while `shouldContinue()`. */
export async function runSets({ seed, shouldContinue, ...run }: Run): Promise<void> {
  for (let i = 0; shouldContinue(); i += 1) await runSequence(run, seed + i)
}

async function runSequence(
  { sql, partOf, onCalls }: Omit<Run, 'seed' | 'shouldContinue'>,
  seed: number,
): Promise<void> {
  const random = randomOf(seed)
  let users = 0
  const newUserId = idsOfOnePart(partOf, () => idOf(`user ${seed} ${users++}`))
  const newTeamId = idsOfOnePart(partOf, () => teamIdOf(idOf(`user ${seed} ${users++}`)))
  const accounts = Array.from({ length: ACCOUNTS }, (_, n): Ledger => {
    const userId = n % 2 === 0 ? newUserId() : newTeamId()
    const people = n % 2 === 0 ? [] : [1, 2, 3, 4].map((n) => idOf(`member ${n} of ${userId}`))
    const members = new Map(people.map((id, n) => [id, n === 0 ? 'owner' : 'maker'] as const))
    return newLedger(userId, members)
  })
  for (const each of accounts) if (each.members.size > 0) await openTeam(sql, each, new Date(START_MS))
  let atMs = START_MS
  let serial = 0
  let previous: SetCall | null = null
  const done: unknown[] = []
  const one = async (account: Ledger, call: Call) => {
    done.push({ user: accounts.indexOf(account), ...call })
    assert.deepEqual(await callDatabase(sql, account, call), perform(account, call), call.kind)
  }
  try {
    for (let i = 0; i < CALLS_A_SEQUENCE; i += 1) {
      const account = random.of(accounts)
      const draw = random.below(24)
      let size = 1
      if (draw < 4) {
        const source = `order:${random.below(30)}`
        await one(account, {
          kind: 'grant',
          atMs,
          packageId: idOf(`${account.ownerId} ${source}`),
          source,
          type: 'ORDER_PAY',
          credits: 1 + random.below(400),
          expiresAtMs: atMs + random.of([HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS]),
          orderNo: null,
          remark: null,
          actorId: null,
        })
      } else if (draw < 6) {
        const known = random.of(account.packages.filter(({ parent }) => !parent))
        const part = random.of([0.25, 0.5, 1])
        if (known)
          await one(account, { kind: 'claim', atMs, source: known.source, key: `claim-${random.below(2)}`, part })
      } else if (draw < 9) {
        await one(
          account,
          otherCall(account, atMs, () => idOf(`${seed} id ${serial++}`), random),
        )
      } else if (draw < 11) {
        const next = random.of(accounts.flatMap(({ packages }) => packages).filter((p) => p.expiresAtMs > atMs))
        atMs =
          next && random.below(2) ? next.expiresAtMs - 1 + random.below(3) : atMs + random.of([1, HOUR_MS, -HOUR_MS])
      } else {
        const drawn: SetCall =
          previous && random.below(12) === 0
            ? previous
            : drawSet(accounts, account, atMs, () => idOf(`${seed} hold ${serial++}`), random)
        previous = drawn
        const { kind, set } = drawn
        const at = random.below(40) === 0 ? AHEAD_MS : atMs
        const calls = set.map(({ account, call }) => ({ account, call: { ...call, atMs: at } }))
        size = calls.length
        done.push(calls.map(({ account, call }) => ({ user: accounts.indexOf(account), ...call })))
        const results = await callSet(sql, kind, calls, new Date(at))
        const expected = calls.map(({ account, call }) => perform(account, call))
        assert.deepEqual(results, expected, `the outcomes of ${kind}`)
      }
      onCalls(size)
      for (const each of accounts) assertSameState(each, await readState(sql, each))
    }
  } catch (error) {
    const last = done.slice(-3).map((call) => JSON.stringify(call))
    throw new Error(`seed ${seed}, call ${done.length}; the last ones:\n${last.join('\n')}\n${error}`, { cause: error })
  }
}

function drawSet(accounts: Ledger[], account: Ledger, atMs: number, newId: () => string, random: Random): SetCall {
  const kind = random.of(['freeze', 'freeze', 'settle', 'release'] as const)
  const size = random.below(4) === 0 ? 1 + random.below(SET_MAX) : 1 + random.below(8)
  const set = Array.from({ length: size }, (): Element => {
    const owner = random.below(3) === 0 ? random.of(accounts) : account
    return { account: owner, call: callOf(kind, owner, atMs, newId, random) }
  })
  // The same hold again within the set.
  for (let repeats = random.below(3); repeats > 0 && set.length < SET_MAX; repeats -= 1) set.push(random.of(set))
  return { kind, set }
}

/** A call of one account, of the kinds that take no set. */
function otherCall(ledger: Ledger, atMs: number, newId: () => string, random: Random): Call {
  const memberId = random.of(ledger.people)
  const actorId = ledger.people[0]
  if (memberId && actorId && random.below(3) === 0) {
    const budget = random.of([null, { credits: random.of([0, 40, 200]), period: random.of(BUDGET_PERIODS) }])
    return { kind: 'budget', atMs, memberId, actorId, actorRole: 'owner', budget }
  }
  const kind = random.of(['lock', 'balance', 'gift', 'adjust', 'reverseClaim', 'take', 'reverseExpiry'] as const)
  // The process has at times a clock that is ahead.
  const at = random.below(12) === 0 ? AHEAD_MS : atMs
  const adminId = idOf(`admin of ${ledger.ownerId}`)
  const key = random.of([null, 'key-1', 'key-2'])
  const credits = 1 + random.below(120)
  const expiresAtMs = atMs + random.of([HOUR_MS, DAY_MS, 7 * DAY_MS])
  switch (kind) {
    case 'lock':
    case 'balance':
      return { kind, atMs: at }
    case 'gift':
      return { kind, atMs: at, packageId: newId(), credits, expiresAtMs }
    case 'adjust': {
      const facts = { credits, expiresAtMs, remark: 'by hand', actorId: adminId, key, request: `${credits}` }
      return { kind, atMs: at, packageId: newId(), ...facts }
    }
    case 'reverseClaim': {
      const known = random.of(ledger.claims)
      return { kind, atMs: at, source: known?.source ?? 'order:1', key: known?.key ?? 'claim-0' }
    }
    case 'take': {
      const facts = {
        key,
        request: `${credits}`,
        reason: 'a mistake',
        actorId: adminId,
        isDryRun: random.below(5) === 0,
      }
      return { kind, atMs: at, credits, ...facts }
    }
    case 'reverseExpiry': {
      const packageId = random.of(ledger.packages.filter(({ expired }) => expired > 0))?.id ?? newId()
      const facts = {
        packageId,
        expiresAtMs: random.of([null, expiresAtMs]),
        reason: 'a wrong clock',
        actorId: adminId,
      }
      return { kind, atMs: at, ...facts, key, request: packageId, isDryRun: random.below(5) === 0 }
    }
  }
}

function callOf(kind: SetKind, ledger: Ledger, atMs: number, newId: () => string, random: Random): Call {
  const known = random.of(random.below(6) === 0 ? [...ledger.holds.values()] : openHolds(ledger))?.id
  const holdId = known ?? newId()
  const closing = { atMs, holdId, graceMs: random.of([DAY_MS, HOUR_MS]) }
  if (kind === 'settle') {
    const share = random.of([null, 0, 0.3, 0.9, 1])
    const credits = share === null ? null : Math.max(1, Math.round(share * (ledger.holds.get(holdId)?.credits ?? 1)))
    return { kind, ...closing, credits, remark: 'a short film' }
  }
  if (kind === 'release') return { kind, ...closing, remark: 'it failed' }
  const left = ledger.packages.reduce((sum, each) => sum + remaining(each), 0)
  const credits = random.of([1, 1 + random.below(40), Math.max(1, left), Math.max(1, Math.ceil(left / 3))])
  return {
    kind,
    atMs,
    holdId: known && random.below(12) === 0 ? known : newId(),
    credits,
    remark: 'film',
    maxOpen: random.of([0, 0, 0, 5]),
    keyId: random.of(ledger.people) ?? null,
  }
}

async function callSet(sql: Sql, kind: SetKind, set: Element[], now: Date): Promise<unknown[]> {
  const holds = set.map(({ account, call }) => ({
    userId: account.ownerId,
    ...(call as Extract<Call, { holdId: string }>),
  }))
  try {
    if (kind === 'freeze') return await creditFreezeHolds(sql, holds as never, now)
    const closed = holds as unknown as { userId: string; holdId: string; graceMs: number; remark: string }[]
    const withGrace = closed.map((hold) => ({ ...hold, graceS: hold.graceMs / 1000 }))
    return await (kind === 'settle' ? creditSettleHolds : creditReleaseHolds)(sql, withGrace, now)
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== CLOCK_AHEAD) throw error
    return set.map(() => 'refused')
  }
}

const idOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5')
