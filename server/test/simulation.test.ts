/** Deterministic simulation (server/simulation): 300 seeds, and that a seed repeats its run exactly. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

type Result = { seed: number; hash: string; violations: string[]; lines?: string[] }

const main = fileURLToPath(new URL('../simulation/main.ts', import.meta.url))

/** Runs seeds in a process of their own, because the simulation replaces timers and random numbers. */
async function simulate(
  first: number,
  runs: number,
  { fault = '', isEnough = (_: Result): boolean => false } = {},
): Promise<Result[]> {
  const child = spawn(process.execPath, [main, `${first}`, `${runs}`, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KINORA_SIMULATED_FAULT: fault },
  })
  const results: Result[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = JSON.parse(line) as Result
    results.push(result)
    if (isEnough(result)) child.kill('SIGTERM')
  })
  const [status] = await new Promise<[number | null]>((resolve) => child.once('close', (code) => resolve([code])))
  assert.equal(status, 0)
  return results
}

test('simulation: 300 seeds of crashes, lost messages and lies → no violation, and a seed repeats its trace', async () => {
  const results = await simulate(1, 300)
  assert.equal(results.length, 300)
  const failed = results.find(({ violations }) => violations.length > 0)
  assert.equal(failed, undefined, failed && `${failed.lines?.join('\n')}\nnpm run simulate -- --seed ${failed.seed}`)
  for (const seed of [3, 200]) {
    const [again] = await simulate(seed, 1)
    assert.equal(again?.hash, results[seed - 1]?.hash)
  }
})

test('simulation: a planted fault → a run fails, and its seed repeats the failure', async () => {
  const fault = 'a webhook is answered before its event is stored'
  const isEnough = ({ violations }: Result) => violations.length > 0
  const found = (await simulate(1, 2000, { fault, isEnough })).find(isEnough)
  assert.ok(found, 'the fault was not found')
  const [again] = await simulate(found.seed, 1, { fault })
  assert.deepEqual(again?.violations, found.violations)
  assert.equal(again?.hash, found.hash)
})
