/**
 * Random calls of the ledger's functions, made on the model and on PostgreSQL alike; after each the answer, the account,
 * every package, every hold and every new row of history are compared. `ledger-model.test.ts` does some thousands in each
 * run of the tests, `soak.ts` as many as one has time for.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Sql } from '../src/db.ts'
import { type Call, type Ledger, newLedger, openHolds, perform, remaining } from './ledger-model.ts'
import { ask, compare, readState } from './ledger-state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2030, 0, 1)
const SEQUENCE_MAX = 150
const SEQUENCES_A_BATCH = 10

type Model = { ledger: Ledger; atMs: number; calls: Call[] }
type Real = { sql: Sql; userId: string; adminId: string; rowsSeen: number; counted: () => void }
type Command = fc.AsyncCommand<Model, Real>

/** `sql` has one connection. The seed decides everything but the ids of packages of grace. */
export type Lane = { sql: Sql; seed: number; counted: () => void; wanted: () => boolean }

/**
 * Does sequence after sequence, each on a user of its own, while `wanted`. A sequence that shows a difference is made
 * shorter as long as it still shows one, and thrown with the calls that are left.
 */
export async function runLane({ sql, seed, counted, wanted }: Lane): Promise<void> {
  let sequences = 0
  // The last sequence that failed is the shortest one.
  let failed: { calls: Call[]; error: unknown } | undefined
  for (let batch = 0; wanted(); batch += 1) {
    const property = fc.asyncProperty(
      fc.commands(commands, { maxCommands: SEQUENCE_MAX, size: 'max' }),
      async (list) => {
        sequences += 1
        const [userId, adminId] = [idOf(`user ${seed} ${sequences}`), idOf(`admin ${seed} ${sequences}`)]
        const real: Real = { sql, userId, adminId, rowsSeen: 0, counted }
        const model: Model = { ledger: newLedger(), atMs: START_MS, calls: [] }
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

/** An id in no order at all, so that the last rule of FIFO, the id, is put to the test. */
const idOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5')

/** @param resolve makes a call of what was drawn, looking at the model; null: there is nothing to call now */
function command(resolve: (model: Model, real: Real) => Call | null): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      const call = resolve(model, real)
      if (!call) return
      model.calls.push(call)
      await make(call, model, real)
    },
    toString: () => 'a call',
  }
}

async function make(call: Call, { ledger }: Model, real: Real): Promise<void> {
  const { sql, userId, rowsSeen } = real
  // Both leave together and are done in this order, which saves waiting once.
  const [answer, state] = await Promise.all([ask(sql, userId, call), readState(sql, userId, rowsSeen)])
  real.counted()
  const expected = perform(ledger, call)
  real.rowsSeen = compare(ledger, state, rowsSeen)
  assert.deepEqual(answer, expected, `the answer to ${call.kind}`)
}

const few = fc.integer({ min: 1, max: 120 })
// Often the same few moments, so that packages expire together and FIFO has to look at more than the day.
const lifeMs = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(HOUR_MS, DAY_MS, 7 * DAY_MS, 7 * DAY_MS + 1, 30 * DAY_MS) },
  { weight: 1, arbitrary: fc.constantFrom(1, 0, -1, -DAY_MS) },
)
const pick = fc.nat(1000)

const grant = fc
  .record({
    source: fc.nat(40),
    type: fc.constantFrom('ORDER_PAY', 'SUBSCRIPTION', 'SYSTEM_ADJUST'),
    credits: few,
    lifeMs,
    orderNo: fc.constantFrom('order-1', 'order-2', null),
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
    credits: few,
    share: fc.constantFrom(0, 0.2, 0.5, 1),
    again: fc.nat(9),
    pick,
    maxOpen: fc.constantFrom(0, 0, 3),
  })
  .map((drawn) =>
    command(({ ledger, atMs, calls }, { userId }) => {
      const known = drawn.again === 0 ? at([...ledger.holds.keys()], drawn.pick) : undefined
      // A share of what there is, in part all of it to the last credit; else a number that may be too many.
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
      }
    }),
  )

const settle = fc
  .record({ pick, any: fc.nat(5) })
  .map(({ pick, any }) =>
    command((model, { userId }) => ({ kind: 'settle', atMs: model.atMs, holdId: holdOf(model, userId, pick, any) })),
  )

const release = fc
  .record({ pick, any: fc.nat(5), graceMs: fc.constantFrom(DAY_MS, DAY_MS, HOUR_MS, 1) })
  .map(({ pick, any, graceMs }) =>
    command((model, { userId }) => ({
      kind: 'release',
      atMs: model.atMs,
      holdId: holdOf(model, userId, pick, any),
      graceMs,
      remark: 'it failed',
    })),
  )

const look = fc.constantFrom('lock' as const, 'balance' as const).map((kind) => command(({ atMs }) => ({ kind, atMs })))

/** The very same call once more, at its old time or at the present one. */
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

const commands = [grant, grant, adjust, gift, freeze, freeze, freeze, settle, settle, release, release].concat([
  look,
  repeat,
  turnClock,
  turnClock,
])

/** Mostly an open hold; now and then any, or one that never was. */
function holdOf({ ledger }: Model, userId: string, pick: number, any: number): string {
  const ids = any === 0 ? [...ledger.holds.keys()] : openHolds(ledger).map((hold) => hold.id)
  return at(ids, pick) ?? idOf(`${userId} never made`)
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]
