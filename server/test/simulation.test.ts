/** Deterministic simulation (server/simulation): 300 seeds, and that a seed repeats its run exactly. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

type Result = { seed: number; hash: string; violations: string[]; lines?: string[] }

const main = fileURLToPath(new URL('../simulation/main.ts', import.meta.url))

type Run = {
  results: Result[]
  /** Resolves when this many results have arrived. @throws when the process has ended before. */
  until: (count: number) => Promise<void>
  stop: () => void
}

/** Runs seeds in a process of their own, because the simulation replaces timers and random numbers. */
function startSimulation(first: number, runs: number, fault = ''): Run {
  const child = spawn(process.execPath, [main, `${first}`, `${runs}`, '1'], {
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

async function simulateOne(seed: number, fault = ''): Promise<Result | undefined> {
  const run = startSimulation(seed, 1, fault)
  await run.until(1)
  return run.results[0]
}

const all = startSimulation(1, 300)
after(all.stop)

// Several tests, because a test that reports nothing for minutes counts as hung.
for (let first = 1; first <= 300; first += 50) {
  const last = first + 49
  test(`simulation: seeds ${first} to ${last} of crashes, lost messages and lies → no violation`, async () => {
    await all.until(last)
    const failed = all.results.slice(first - 1, last).find(({ violations }) => violations.length > 0)
    assert.equal(failed, undefined, failed && `${failed.lines?.join('\n')}\nnpm run simulate -- --seed ${failed.seed}`)
  })
}

test('simulation: the same seed again → the same trace', async () => {
  for (const seed of [3, 200]) assert.equal((await simulateOne(seed))?.hash, all.results[seed - 1]?.hash)
})

test('simulation: a planted fault → a run fails, and its seed repeats the failure', async () => {
  const fault = 'a webhook is answered before its event is stored'
  const run = startSimulation(1, 2000, fault)
  let found: Result | undefined
  while (!found && run.results.length < 2000) {
    await run.until(run.results.length + 1)
    found = run.results.find(({ violations }) => violations.length > 0)
  }
  run.stop()
  assert.ok(found, 'the fault was not found')
  const again = await simulateOne(found.seed, fault)
  assert.deepEqual(again?.violations, found.violations)
  assert.equal(again?.hash, found.hash)
})
