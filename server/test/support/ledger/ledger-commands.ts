/**
 * fast-check commands: random calls of the ledger's functions, made both on the model and in PostgreSQL. After each call
 * the result, the account, all packages, all holds and the new history rows are compared. `ledger/model.test.ts` makes
 * 20,000 calls, `soak.ts` any number.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { BUDGET_PERIODS } from '../../../src/account/key/api-key.ts'
import { ROLES } from '../../../src/account/team/role.ts'
import type { Sql } from '../../../src/db/db.ts'
import { teamIdOf } from '../../../src/id.ts'
import { available, type Ledger, newLedger, openHolds, owed, remaining } from './ledger-books.ts'
import { AHEAD_MS, type Call, perform } from './ledger-model.ts'
import { assertSameState, callDatabase, openTeam, readState } from './ledger-state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2030, 0, 1)
const SEQUENCE_MAX = 150
const SEQUENCES_A_BATCH = 10

type Model = { ledger: Ledger; atMs: number; calls: Call[] }
/** `people`: who are members of the team at times; of a user there are none. */
type Real = { sql: Sql; userId: string; adminId: string; people: string[]; rowsSeen: number; onCall: () => void }
type Command = fc.AsyncCommand<Model, Real>

/** `sql` has one connection. The seed determines everything but the ids of grace packages. `onCall` runs after each call. */
export type Run = { sql: Sql; seed: number; onCall: () => void; shouldContinue: () => boolean }

/**
 * Runs sequence after sequence of calls, each for a user or a team of its own, while `shouldContinue()`.
 * @throws Error with the shrunk sequence of calls, when the ledger differs from its model
 */
export async function runSequences({ sql, seed, onCall, shouldContinue }: Run): Promise<void> {
  let sequences = 0
  // fast-check shrinks a failing sequence, so the last one to fail is the shortest.
  let failed: { calls: Call[]; error: unknown } | undefined
  for (let batch = 0; shouldContinue(); batch += 1) {
    const property = fc.asyncProperty(
      fc.boolean(),
      fc.commands(commands, { maxCommands: SEQUENCE_MAX, size: 'max' }),
      async (isTeam, list) => {
        sequences += 1
        const ids = [idOf(`user ${seed} ${sequences}`), idOf(`admin ${seed} ${sequences}`)] as const
        const [userId, adminId] = [isTeam ? teamIdOf(ids[0]) : ids[0], ids[1]]
        const people = isTeam ? [1, 2, 3, 4].map((n) => idOf(`member ${n} of ${userId}`)) : []
        const real: Real = { sql, userId, adminId, people, rowsSeen: 0, onCall }
        const model: Model = { ledger: newLedger(), atMs: START_MS, calls: [] }
        for (const [n, id] of people.entries()) model.ledger.members.set(id, ROLES[ROLES.length - 1 - n] ?? 'maker')
        if (isTeam) await openTeam(sql, userId, model.ledger, new Date(START_MS))
        try {
          await fc.asyncModelRun(() => ({ model, real }), list)
        } catch (error) {
          failed = { calls: model.calls, error }
          throw error
        }
      },
    )
    const { failed: isFailed } = await fc.check(property, { seed: seed + batch, numRuns: SEQUENCES_A_BATCH })
    if (isFailed) throw explain(failed?.calls ?? [], failed?.error)
  }
}

function explain(calls: Call[], error: unknown): Error {
  const list = calls.map((call) => `  ${JSON.stringify(call)}`).join('\n')
  const what = error instanceof Error ? error.message : String(error)
  return new Error(`After these calls the ledger differs from its model (+ ledger, - model):\n${list}\n${what}`)
}

/** A pseudo-random id, so that the last FIFO criterion, the id, is tested too. */
const idOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5')

/** @param resolve turns the drawn values into a call, given the state of the model; null: no call is possible now */
function command(resolve: (model: Model, real: Real) => Call | null): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      const call = resolve(model, real)
      if (!call) return
      model.calls.push(call)
      await callBoth(call, model, real)
    },
    toString: () => 'a call',
  }
}

async function callBoth(call: Call, { ledger }: Model, real: Real): Promise<void> {
  const { sql, userId, rowsSeen } = real
  // Pipelined: both queries are sent together and run in this order, which saves one round trip.
  const [result, state] = await Promise.all([callDatabase(sql, userId, call), readState(sql, userId, rowsSeen)])
  real.onCall()
  const expected = perform(ledger, call)
  real.rowsSeen = assertSameState(ledger, state, rowsSeen)
  assert.deepEqual(result, expected, `the result of ${call.kind}`)
}

const smallAmount = fc.integer({ min: 1, max: 120 })
// Few distinct lifetimes, so that packages often expire together and FIFO needs its further criteria.
const lifeMs = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(HOUR_MS, DAY_MS, 7 * DAY_MS, 7 * DAY_MS + 1, 30 * DAY_MS) },
  { weight: 1, arbitrary: fc.constantFrom(1, 0, -1, -DAY_MS) },
)
const pick = fc.nat(1000)

const grant = fc
  .record({
    source: fc.nat(40),
    type: fc.constantFrom('ORDER_PAY', 'SUBSCRIPTION'),
    credits: smallAmount,
    lifeMs,
    orderNo: fc.constantFrom('order-1', 'order-2', null),
    collects: fc.boolean(),
  })
  .map(({ source, lifeMs, ...facts }) =>
    command(({ atMs }, { userId }) => ({
      ...facts,
      kind: 'grant',
      atMs,
      packageId: idOf(`${userId} package ${source}`),
      source: `order:${source}`,
      expiresAtMs: atMs + lifeMs,
      remark: null,
      actorId: null,
    })),
  )

const adjust = fc
  .record({ key: fc.option(fc.nat(3)), credits: fc.constantFrom(1, 10, 100), lifeMs })
  .map(({ key, credits, lifeMs }) =>
    command(({ atMs, calls }, { userId, adminId }) => ({
      kind: 'adjust',
      atMs,
      packageId: idOf(`${userId} adjust ${calls.length}`),
      credits,
      expiresAtMs: atMs + lifeMs,
      remark: 'by hand',
      actorId: adminId,
      key: key === null ? null : `key-${key}`,
      request: `${credits}`,
    })),
  )

const gift = fc.record({ credits: fc.constantFrom(0, 60), lifeMs }).map(({ credits, lifeMs }) =>
  command(({ atMs, calls }, { userId }) => ({
    kind: 'gift',
    atMs,
    packageId: idOf(`${userId} gift ${calls.length}`),
    credits,
    expiresAtMs: atMs + lifeMs,
  })),
)

const freeze = fc
  .record({
    credits: smallAmount,
    share: fc.constantFrom(0, 0.2, 0.5, 1),
    repeatHold: fc.nat(9),
    pick,
    maxOpen: fc.constantFrom(0, 0, 3),
    maker: fc.nat(4),
  })
  .map((drawn) =>
    command(({ ledger, atMs, calls }, { userId, people }) => {
      const known = drawn.repeatHold === 0 ? at([...ledger.holds.keys()], drawn.pick) : undefined
      // A share of the available credits, at times all of them; a share of 0 gives a number that may exceed them.
      const left = ledger.packages.reduce((sum, each) => sum + remaining(each), 0)
      const credits = Math.round(left * drawn.share) || drawn.credits
      const { maxOpen } = drawn
      return {
        kind: 'freeze',
        maxOpen,
        atMs,
        holdId: known ?? idOf(`${userId} hold ${calls.length}`),
        credits,
        remark: 'film',
        // Also of a former member, whose request was authenticated before.
        keyId: people[drawn.maker] ?? null,
      }
    }),
  )

const role = fc.constantFrom(...ROLES)
const join = fc.record({ member: fc.nat(3), role }).map(({ member, role }) =>
  command(({ atMs }, { people }) => {
    const memberId = people[member]
    return memberId ? { kind: 'join', atMs, memberId, role } : null
  }),
)

const member = fc
  .record({ member: fc.nat(3), actor: fc.nat(3), role: fc.option(role, { freq: 2 }) })
  .map(({ member, actor, role }) =>
    command(({ atMs }, { people }) => {
      const [memberId, actorId] = [people[member], people[actor]]
      return memberId && actorId ? { kind: 'member', atMs, memberId, role, actorId } : null
    }),
  )

const budget = fc
  .record({
    member: fc.nat(3),
    actor: fc.nat(3),
    credits: fc.constantFrom(null, 0, 20, 60, 60, 200),
    period: fc.constantFrom(...BUDGET_PERIODS),
  })
  .map(({ member, actor, credits, period }) =>
    command(({ ledger, atMs }, { people }) => {
      const [memberId, actorId] = [people[member], people[actor]]
      const actorRole = ledger.members.get(actorId ?? '')
      if (!memberId || !actorId || (actorRole !== 'admin' && actorRole !== 'owner')) return null
      return {
        kind: 'budget',
        atMs,
        memberId,
        actorId,
        actorRole,
        budget: credits === null ? null : { credits, period },
      }
    }),
  )

const settle = fc.record({ pick, anyState: fc.nat(5) }).map(({ pick, anyState }) =>
  command((model, { userId }) => ({
    kind: 'settle',
    atMs: model.atMs,
    holdId: holdOf(model, userId, pick, anyState),
  })),
)

const release = fc
  .record({ pick, anyState: fc.nat(5), graceMs: fc.constantFrom(DAY_MS, DAY_MS, HOUR_MS, 1) })
  .map(({ pick, anyState, graceMs }) =>
    command((model, { userId }) => ({
      kind: 'release',
      atMs: model.atMs,
      holdId: holdOf(model, userId, pick, anyState),
      graceMs,
      remark: 'it failed',
    })),
  )

const read = fc.constantFrom('lock' as const, 'balance' as const).map((kind) => command(({ atMs }) => ({ kind, atMs })))

/** Repeats an earlier call, at its original time or at the present one. */
const repeat = fc.record({ pick, now: fc.boolean() }).map(({ pick, now }) =>
  command(({ calls, atMs }) => {
    const call = at(calls, pick)
    return call ? { ...call, ...(now ? { atMs } : {}) } : null
  }),
)

const turnClock = fc
  .oneof(
    fc.record({ by: fc.constantFrom(1, 1000, HOUR_MS, DAY_MS, 3 * DAY_MS, -1, -1000, -HOUR_MS, -2 * DAY_MS) }),
    fc.record({ toExpiry: fc.constantFrom(-1, 0, 0, 1), pick }),
  )
  .map((drawn) =>
    command((model) => {
      const { packages } = model.ledger
      const target =
        'by' in drawn
          ? undefined
          : at(
              packages.filter((each) => each.expiresAtMs > model.atMs),
              drawn.pick,
            )
      if ('by' in drawn) model.atMs += drawn.by
      else if (target) model.atMs = target.expiresAtMs + drawn.toExpiry
      return null
    }),
  )

const part = fc.constantFrom(0.125, 0.25, 0.5, 1)
const claim = fc.record({ source: fc.nat(40), pick, key: fc.nat(2), part }).map(({ source, pick, key, part }) =>
  command(({ ledger, atMs }) => {
    // Mostly a payment that was granted; sometimes one that is granted later, or never.
    const known = at(
      ledger.packages.filter((each) => !each.parent && each.type !== 'SYSTEM_ADJUST'),
      pick,
    )
    const isKnown = known && source < 32
    return { kind: 'claim', atMs, source: isKnown ? known.source : `order:${source}`, key: `claim-${key}`, part }
  }),
)

const reverseClaim = fc.record({ pick, early: fc.nat(7), key: fc.nat(2) }).map(({ pick, early, key }) =>
  command(({ ledger, atMs }) => {
    const known = early === 0 ? undefined : at(ledger.claims, pick)
    return { kind: 'reverseClaim', atMs, source: known?.source ?? `order:${early}`, key: known?.key ?? `claim-${key}` }
  }),
)

const correction = { key: fc.option(fc.nat(3)), isDryRun: fc.nat(4).map((drawn) => drawn === 0) }
const take = fc.record({ credits: smallAmount, share: fc.constantFrom(0, 0.3, 1), ...correction }).map((drawn) =>
  command(({ ledger, atMs }, { adminId }) => {
    const left = ledger.packages.reduce((sum, each) => sum + remaining(each), 0)
    const credits = Math.round(left * drawn.share) || drawn.credits
    const { isDryRun } = drawn
    const key = drawn.key === null ? null : `key-${drawn.key}`
    return { kind: 'take', atMs, credits, key, request: `${credits}`, reason: 'a mistake', actorId: adminId, isDryRun }
  }),
)

const settleOwed = fc.record({ credits: smallAmount, forgives: fc.boolean(), ...correction }).map((drawn) =>
  command(({ ledger, atMs }, { adminId }) => {
    const { forgives, isDryRun } = drawn
    // Mostly an amount that can be settled.
    const most = forgives ? owed(ledger) : Math.min(owed(ledger), available(ledger))
    const credits = 1 + (drawn.credits % (most + 1))
    const key = drawn.key === null ? null : `key-${drawn.key}`
    const facts = { credits, forgives, key, request: `${credits}`, reason: 'agreed', actorId: adminId, isDryRun }
    return { kind: 'settleOwed', atMs, ...facts }
  }),
)

const reverseExpiry = fc
  .record({ pick, isOwn: fc.boolean(), anyPackage: fc.nat(5), lifeMs, ...correction })
  .map(({ pick, isOwn, anyPackage, lifeMs, ...drawn }) =>
    command(({ ledger, atMs }, { userId, adminId }) => {
      const packages = ledger.packages.filter((each) => anyPackage === 0 || each.expired > 0)
      const packageId = at(packages, pick)?.id ?? idOf(`${userId} unknown package`)
      const expiresAtMs = isOwn ? null : atMs + lifeMs
      const key = drawn.key === null ? null : `key-${drawn.key}`
      const facts = { packageId, expiresAtMs, key, request: `${packageId} ${expiresAtMs}` }
      const { isDryRun } = drawn
      return { kind: 'reverseExpiry', atMs, ...facts, reason: 'a wrong clock', actorId: adminId, isDryRun }
    }),
  )

/** Repeats an earlier call from a process whose clock is ahead. */
const ahead = pick.map((pick) =>
  command(({ calls }) => {
    const call = at(calls, pick)
    // Members and budgets are no movement, and have no clock.
    return call && call.kind !== 'join' && call.kind !== 'budget' ? { ...call, atMs: AHEAD_MS } : null
  }),
)

const commands = [grant, grant, adjust, gift, freeze, freeze, freeze, settle, settle, release, release].concat([
  read,
  repeat,
  turnClock,
  turnClock,
  claim,
  claim,
  reverseClaim,
  take,
  settleOwed,
  settleOwed,
  reverseExpiry,
  ahead,
  join,
  member,
  budget,
])

/** Mostly an open hold; sometimes a closed one or one that does not exist. */
function holdOf({ ledger }: Model, userId: string, pick: number, anyState: number): string {
  const ids = anyState === 0 ? [...ledger.holds.keys()] : openHolds(ledger).map((hold) => hold.id)
  return at(ids, pick) ?? idOf(`${userId} unknown hold`)
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]
