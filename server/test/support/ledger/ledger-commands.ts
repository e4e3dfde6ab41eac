/**
 * fast-check commands: random calls of the ledger's functions, made both on the model and in PostgreSQL. After each
 * call the result, the account, all packages, all holds and the new history rows are compared. `ledger/model.test.ts`
 * makes 20,000 calls, `soak.ts` any number.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { BUDGET_PERIODS } from '../../../src/account/key/api-key.ts'
import { ROLES } from '../../../src/account/team/role.ts'
import type { Sql } from '../../../src/db/db.ts'
import { teamIdOf } from '../../../src/id.ts'
import { available, givenOf, type Ledger, newLedger, openHolds, owed, remaining } from './ledger-books.ts'
import { AHEAD_MS, type Call, isMovable, perform } from './ledger-model.ts'
import { assertSameState, callDatabase, openTeam, openUser, readState } from './ledger-state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2030, 0, 1)
const SEQUENCE_MAX = 150
const SEQUENCES_A_BATCH = 10
/** A batch takes seconds. A failing sequence is shrunk no longer than this: a silent test counts as hung. */
const BATCH_MAX_MS = 60_000

/** `ledger`: of the owner, one of `ledgers`, whom the next call is about. */
type Model = { ledgers: Ledger[]; ledger: Ledger; atMs: number; calls: { ledger: Ledger; call: Call }[] }
type Real = { sql: Sql; onCall: () => void }
type Command = fc.AsyncCommand<Model, Real>

/** `sql` has one connection. The seed determines all but grace packages' ids. `onCall` runs after each call. */
export type Run = { sql: Sql; seed: number; onCall: () => void; shouldContinue: () => boolean }

/** A divided database moves no credits, and deletes an account in two transactions. */
const isDivided = Boolean(process.env.CITUS_URL)
/** The users and teams of a sequence. */
const OWNERS = isDivided ? ['U', 'T'] : ['U', 'T', 'UT', 'UT', 'UT', 'UTT', 'UUT']
/** Calls of a user that reach the accounts of teams. */
const REACHING: readonly Call['kind'][] = ['transfer', 'grant', 'claim', 'reverseClaim', 'reverseExpiry']

/**
 * Runs sequence after sequence of calls, each for users and teams of its own, while `shouldContinue()`.
 * @throws Error with the shrunk sequence of calls, when the ledger differs from its model
 */
export async function runSequences({ sql, seed, onCall, shouldContinue }: Run): Promise<void> {
  let sequences = 0
  // fast-check shrinks a failing sequence, so the last one to fail is the shortest.
  let failed: { calls: Model['calls']; error: unknown } | undefined
  for (let batch = 0; shouldContinue(); batch += 1) {
    const property = fc.asyncProperty(
      fc.constantFrom(...OWNERS),
      fc.commands(commands, { maxCommands: SEQUENCE_MAX, size: 'max' }),
      async (owners, list) => {
        sequences += 1
        const name = `${seed} ${sequences}`
        const real: Real = { sql, onCall }
        const ledgers = await openOwners(sql, owners, name)
        const model: Model = { ledgers, ledger: ledgers[0] ?? assert.fail(), atMs: START_MS, calls: [] }
        try {
          await fc.asyncModelRun(() => ({ model, real }), list)
        } catch (error) {
          failed = { calls: model.calls, error }
          throw error
        }
      },
    )
    await fc.check(property, {
      seed: seed + batch,
      numRuns: SEQUENCES_A_BATCH,
      plugins: [fc.interruptAfterTimeLimit(BATCH_MAX_MS)],
    })
    if (failed) throw explain(failed?.calls ?? [], failed?.error)
  }
}

/** Users, and teams of four people, of whom the last ones are the users. */
async function openOwners(sql: Sql, owners: string, name: string): Promise<Ledger[]> {
  const count = (kind: string) => owners.split(kind).length - 1
  const users = Array.from({ length: count('U') }, (_, n) => newLedger(idOf(`user ${n} ${name}`)))
  const people = [1, 2, 3, 4].map((n) => users[4 - n]?.ownerId ?? idOf(`member ${n} ${name}`))
  const teams = Array.from({ length: count('T') }, (_, n) => {
    const members = people.map((id, n) => [id, ROLES[ROLES.length - 1 - n] ?? 'maker'] as const)
    return newLedger(teamIdOf(idOf(`team ${n} ${name}`)), new Map(members))
  })
  for (const user of isDivided ? [] : users) await openUser(sql, user)
  for (const team of teams) await openTeam(sql, team, new Date(START_MS))
  for (const user of users) user.teams = new Map(teams.map((team) => [team.ownerId, team]))
  return [...users, ...teams]
}

function explain(calls: Model['calls'], error: unknown): Error {
  const list = calls.map(({ ledger, call }) => `  ${ledger.ownerId} ${JSON.stringify(call)}`).join('\n')
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
function command(resolve: (model: Model) => Call | null): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      const call = resolve(model)
      if (!call) return
      model.calls.push({ ledger: model.ledger, call })
      await callBoth(call, model, real)
    },
    toString: () => 'a call',
  }
}

async function callBoth(call: Call, { ledger, ledgers }: Model, { sql, onCall }: Real): Promise<void> {
  const compared = REACHING.includes(call.kind) ? ledgers : [ledger]
  // Pipelined: the queries are sent together and run in this order, which saves round trips.
  const [result, ...states] = await Promise.all([
    callDatabase(sql, ledger, call),
    ...compared.map((each) => readState(sql, each)),
  ])
  onCall()
  const expected = perform(ledger, call)
  for (const [n, each] of compared.entries()) assertSameState(each, states[n] ?? assert.fail())
  assert.deepEqual(result, expected, `the result of ${call.kind}`)
}

/** Of each owner another one: an idempotency key is its administrator's. */
const adminOf = ({ ownerId }: Ledger): string => idOf(`admin of ${ownerId}`)

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
    command(({ ledger, atMs }) => ({
      ...facts,
      kind: 'grant',
      atMs,
      packageId: idOf(`${ledger.ownerId} package ${source}`),
      source: `order:${source}`,
      expiresAtMs: atMs + lifeMs,
      remark: null,
      actorId: null,
    })),
  )

const adjust = fc
  .record({ key: fc.option(fc.nat(3)), credits: fc.constantFrom(1, 10, 100), lifeMs })
  .map(({ key, credits, lifeMs }) =>
    command(({ ledger, atMs, calls }) => ({
      kind: 'adjust',
      atMs,
      packageId: idOf(`${ledger.ownerId} adjust ${calls.length}`),
      credits,
      expiresAtMs: atMs + lifeMs,
      remark: 'by hand',
      actorId: adminOf(ledger),
      key: key === null ? null : `key-${key}`,
      request: `${credits}`,
    })),
  )

const gift = fc.record({ credits: fc.constantFrom(0, 60), lifeMs }).map(({ credits, lifeMs }) =>
  command(({ ledger, atMs, calls }) => ({
    kind: 'gift',
    atMs,
    packageId: idOf(`${ledger.ownerId} gift ${calls.length}`),
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
    command(({ ledger, atMs, calls }) => {
      const known = drawn.repeatHold === 0 ? at([...ledger.holds.keys()], drawn.pick) : undefined
      // A share of the available credits, at times all of them; a share of 0 gives a number that may exceed them.
      const left = ledger.packages.reduce((sum, each) => sum + remaining(each), 0)
      const credits = Math.round(left * drawn.share) || drawn.credits
      const { maxOpen } = drawn
      return {
        kind: 'freeze',
        maxOpen,
        atMs,
        holdId: known ?? idOf(`${ledger.ownerId} hold ${calls.length}`),
        credits,
        remark: 'film',
        // Also of a former member, whose request was authenticated before.
        keyId: ledger.people[drawn.maker] ?? null,
      }
    }),
  )

const role = fc.constantFrom(...ROLES)
const join = fc.record({ member: fc.nat(3), role }).map(({ member, role }) =>
  command(({ ledger, atMs }) => {
    const memberId = ledger.people[member]
    return memberId ? { kind: 'join', atMs, memberId, role } : null
  }),
)

const member = fc
  .record({ member: fc.nat(3), actor: fc.nat(3), role: fc.option(role, { freq: 2 }) })
  .map(({ member, actor, role }) =>
    command(({ ledger, atMs }) => {
      const [memberId, actorId] = [ledger.people[member], ledger.people[actor]]
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
    command(({ ledger, atMs }) => {
      const [memberId, actorId] = [ledger.people[member], ledger.people[actor]]
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

const graceMs = fc.constantFrom(DAY_MS, DAY_MS, HOUR_MS, 1)
const settle = fc
  .record({ pick, anyState: fc.nat(5), share: fc.constantFrom(0, 0.1, 0.5, 0.9, 1, 2, null), graceMs })
  .map(({ pick, anyState, share, graceMs }) =>
    command((model) => {
      const holdId = holdOf(model, pick, anyState)
      const credits =
        share === null ? null : Math.max(1, Math.round(share * (model.ledger.holds.get(holdId)?.credits ?? 1)))
      return { kind: 'settle', atMs: model.atMs, holdId, credits, graceMs, remark: 'a short film' }
    }),
  )

const release = fc.record({ pick, anyState: fc.nat(5), graceMs }).map(({ pick, anyState, graceMs }) =>
  command((model) => ({
    kind: 'release',
    atMs: model.atMs,
    holdId: holdOf(model, pick, anyState),
    graceMs,
    remark: 'it failed',
  })),
)

const read = fc.constantFrom('lock' as const, 'balance' as const).map((kind) => command(({ atMs }) => ({ kind, atMs })))

/** Repeats an earlier call, at its original time or at the present one. */
const repeat = fc.record({ pick, now: fc.boolean() }).map(({ pick, now }) =>
  command((model) => {
    const call = turnToEarlier(model, pick)
    return call && { ...call, ...(now ? { atMs: model.atMs } : {}) }
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
    // Mostly a payment that was granted, often one that teams have credits of; sometimes one that is granted later, or
    // never.
    const paid = ledger.packages.filter((each) => !each.parent && !each.from && each.type !== 'SYSTEM_ADJUST')
    const moved = paid.filter((each) => givenOf(each).length > 0)
    const known = at(source % 2 === 0 || moved.length === 0 ? paid : moved, pick)
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
  command(({ ledger, atMs }) => {
    const left = ledger.packages.reduce((sum, each) => sum + remaining(each), 0)
    const credits = Math.round(left * drawn.share) || drawn.credits
    const { isDryRun } = drawn
    const key = drawn.key === null ? null : `key-${drawn.key}`
    return {
      kind: 'take',
      atMs,
      credits,
      key,
      request: `${credits}`,
      reason: 'a mistake',
      actorId: adminOf(ledger),
      isDryRun,
    }
  }),
)

const settleOwed = fc.record({ credits: smallAmount, forgives: fc.boolean(), ...correction }).map((drawn) =>
  command(({ ledger, atMs }) => {
    const { forgives, isDryRun } = drawn
    // Mostly an amount that can be settled.
    const most = forgives ? owed(ledger) : Math.min(owed(ledger), available(ledger))
    const credits = 1 + (drawn.credits % (most + 1))
    const key = drawn.key === null ? null : `key-${drawn.key}`
    const facts = {
      credits,
      forgives,
      key,
      request: `${credits}`,
      reason: 'agreed',
      actorId: adminOf(ledger),
      isDryRun,
    }
    return { kind: 'settleOwed', atMs, ...facts }
  }),
)

const reverseExpiry = fc
  .record({ pick, isOwn: fc.boolean(), anyPackage: fc.nat(5), lifeMs, ...correction })
  .map(({ pick, isOwn, anyPackage, lifeMs, ...drawn }) =>
    command(({ ledger, atMs }) => {
      const packages = ledger.packages.filter((each) => anyPackage === 0 || each.expired > 0)
      const packageId = at(packages, pick)?.id ?? idOf(`${ledger.ownerId} unknown package`)
      const expiresAtMs = isOwn ? null : atMs + lifeMs
      const key = drawn.key === null ? null : `key-${drawn.key}`
      const facts = { packageId, expiresAtMs, key, request: `${packageId} ${expiresAtMs}` }
      const { isDryRun } = drawn
      return { kind: 'reverseExpiry', atMs, ...facts, reason: 'a wrong clock', actorId: adminOf(ledger), isDryRun }
    }),
  )

/** Repeats an earlier call from a process whose clock is ahead. */
const ahead = pick.map((pick) =>
  command((model) => {
    const call = turnToEarlier(model, pick)
    // Members and budgets are no movement, and have no clock.
    return call && call.kind !== 'join' && call.kind !== 'budget' ? { ...call, atMs: AHEAD_MS } : null
  }),
)

/** The next calls are about another owner. */
const turn = pick.map((pick) =>
  command((model) => {
    model.ledger = at(model.ledgers, pick) ?? model.ledger
    return null
  }),
)

const transfer = fc
  .record({
    pick,
    credits: smallAmount,
    share: fc.constantFrom(0, 0.1, 0.3, 0.6, 1),
    key: fc.option(fc.nat(3)),
    collects: fc.boolean(),
  })
  .map(({ pick, share, key, collects, ...drawn }) =>
    command(({ ledger, atMs, calls }) => {
      const teamId = at([...ledger.teams.keys()], pick)
      if (!teamId) return null
      const left = ledger.packages.reduce((sum, each) => sum + (isMovable(each) ? remaining(each) : 0), 0)
      const credits = Math.round(left * share) || drawn.credits
      const transferId = idOf(`${ledger.ownerId} transfer ${calls.length}`)
      const facts = { key: key === null ? null : `key-${key}`, request: `${teamId} ${credits}`, collects }
      return { kind: 'transfer', atMs, teamId, transferId, credits, ...facts }
    }),
  )

/** Late in few sequences, because less happens to a deleted owner. */
const remove = fc
  .record({ rarely: fc.nat(9), owed: fc.constantFrom(0, 1_000_000) })
  .map((drawn) =>
    command(({ ledger, atMs, calls }) =>
      isDivided || drawn.rarely > 0 || ledger.isDeleted || calls.length < 40
        ? null
        : { kind: 'delete', atMs, isTeam: ledger.people.length > 0, actorId: adminOf(ledger), owed: drawn.owed },
    ),
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
  turn,
  turn,
  turn,
  turn,
  turn,
  turn,
  transfer,
  transfer,
  transfer,
  remove,
])

/** Mostly an open hold; sometimes a closed one or one that does not exist. */
function holdOf({ ledger }: Model, pick: number, anyState: number): string {
  const ids = anyState === 0 ? [...ledger.holds.keys()] : openHolds(ledger).map((hold) => hold.id)
  return at(ids, pick) ?? idOf(`${ledger.ownerId} unknown hold`)
}

/** An earlier call; the owner whom it was about is turned to. */
function turnToEarlier(model: Model, pick: number): Call | null {
  const { ledger, call } = at(model.calls, pick) ?? { ledger: model.ledger, call: null }
  model.ledger = ledger
  return call
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]
