// slow
/** Deterministic simulation (proofs/simulation): the first seeds, and that a seed repeats its run exactly. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { notDistributed } from '../../server/test/support/citus/database.ts'
import type { Fault, FaultInjector } from '../simulation/fault-injector.ts'
import { openProviders } from '../simulation/providers.ts'
import { openScheduler } from '../simulation/scheduler.ts'

type Result = { seed: number; hash: string; violations: string[]; lines?: string[] }

const main = fileURLToPath(new URL('../simulation/main.ts', import.meta.url))

type Run = {
  results: Result[]
  /** Resolves when this many results have arrived. @throws when the process has ended before. */
  until: (count: number) => Promise<void>
  stop: () => void
}

/** Runs seeds in a process of their own, because the simulation replaces timers and random numbers. */
function startSimulation(first: number, runs: number, { fault = '', step = 1 } = {}): Run {
  const child = spawn(process.execPath, [main, `${first}`, `${runs}`, `${step}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KINORA_SIMULATED_FAULT: fault },
  })
  const results: Result[] = []
  let notify = () => {}
  let end: string | null = null
  createInterface({ input: child.stdout }).on('line', (line) => {
    results.push(JSON.parse(line) as Result)
    notify()
  })
  child.once('close', (code, signal) => {
    end = `${signal ?? code}`
    notify()
  })
  const until = async (count: number) => {
    while (results.length < count) {
      assert.equal(end, null, `the simulation ended with ${end} after ${results.length} runs`)
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    }
  }
  return { results, until, stop: () => void child.kill('SIGTERM') }
}

const oneTransaction = notDistributed('a run is not one transaction of one connection, which can be rolled back')
let started: Run | undefined
/** A run takes a second of CPU time with PostgreSQL's; `npm run simulate` runs more. */
const SEEDS = 60
/** Those seeds, from the first test that needs them. */
const all = (): Run => {
  started ??= startSimulation(1, SEEDS)
  return started
}
after(() => started?.stop())

// Several tests, because a test that reports nothing for minutes counts as hung.
for (let first = 1; first <= SEEDS; first += 20) {
  const last = first + 19
  test(
    `simulation: seeds ${first} to ${last} of crashes, lost messages and lies → no violation`,
    oneTransaction,
    async () => {
      await all().until(last)
      const failed = all()
        .results.slice(first - 1, last)
        .find(({ violations }) => violations.length > 0)
      assert.equal(
        failed,
        undefined,
        failed && `${failed.lines?.join('\n')}\nnpm run simulate -- --seed ${failed.seed}`,
      )
    },
  )
}

test('simulation: the same seed again → the same trace', oneTransaction, async () => {
  const again = startSimulation(3, 2, { step: 47 })
  await again.until(2)
  for (const { seed, hash } of again.results) assert.equal(hash, all().results[seed - 1]?.hash, `seed ${seed}`)
})

// Seed 30 reported a video paid twice, with another sequence of random numbers: one copy of its submit got 401, after
// which the worker rightly tries the next provider, and the other copy was taken.
test('simulation: a submit arrives twice and one copy is refused → the other copy is refused, a repetition is taken', async () => {
  const refusals: Fault[] = ['provider refuses']
  const injector = {
    injects: (fault: Fault) => refusals.splice(refusals.indexOf(fault) >>> 0, 1)[0] === fault,
  } as FaultInjector
  const providers = openProviders(openScheduler(30), injector, async () => null)
  const callbackUrl = 'https://kinora.example/callback?ref=user.video'
  const submit = () => ({
    method: 'POST',
    url: new URL('http://provider-a.example/v1/videos/generations'),
    headers: { 'idempotency-key': 'video' },
    body: JSON.stringify({ prompt: 'A boat', model: 'alpha-2', callback_url: callbackUrl }),
  })
  const [copied, repeated] = [submit(), submit()]
  const first = await providers.host(copied)
  assert.deepEqual(await providers.host(copied), first)
  assert.equal(providers.tasks.length, 0)
  await providers.host(repeated)
  assert.deepEqual(
    providers.submits.map(({ isPaid }) => isPaid),
    [false, true],
  )
})

test('simulation: a planted fault → a run fails, and its seed repeats the failure', oneTransaction, async () => {
  const fault = 'a webhook is answered before its event is stored'
  const run = startSimulation(1, 2000, { fault })
  let found: Result | undefined
  while (!found && run.results.length < 2000) {
    await run.until(run.results.length + 1)
    found = run.results.find(({ violations }) => violations.length > 0)
  }
  run.stop()
  assert.ok(found, 'the fault was not found')
  const again = startSimulation(found.seed, 1, { fault })
  await again.until(1)
  assert.deepEqual(again.results[0]?.violations, found.violations)
  assert.equal(again.results[0]?.hash, found.hash)
})
