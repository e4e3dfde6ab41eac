/** Runs with real processes (chaos, failover, soak) leave none of them behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'

const module = new URL('../chaos/run-proof.ts', import.meta.url).href

/** A run that starts a process with a life of its own, as etcd has, prints its id, and goes on with `body`. */
function start(
  t: TestContext,
  body: string,
): { child: ChildProcess; pid: Promise<number>; status: Promise<number | null> } {
  const script = `
    import { spawn } from 'node:child_process'
    import { runProof } from '${module}'
    await runProof(async (stack) => {
      const program = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
      stack.defer(() => new Promise((resolve) => program.once('exit', resolve) && program.kill()))
      console.log(program.pid)
      ${body}
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(Number(line)))
  })
  const status = new Promise<number | null>((resolve) => child.once('exit', resolve))
  t.after(() => child.kill('SIGKILL'))
  return { child, pid, status }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('process run: error in the middle → it fails, and no process left', async (t) => {
  const { pid, status } = start(t, "throw new Error('the standby did not come')")
  assert.equal(await status, 1)
  assert.equal(isRunning(await pid), false)
})

test('process run: SIGTERM → no process left', async (t) => {
  const { child, pid, status } = start(t, 'await new Promise(() => setInterval(() => {}, 1000))')
  const id = await pid
  child.kill('SIGTERM')
  assert.equal(await status, 1)
  assert.equal(isRunning(id), false)
})

test('process run: ends by itself → exit status 0 or 1 by its result, and no process left', async (t) => {
  const [good, bad] = [start(t, 'return true'), start(t, 'return false')]
  assert.deepEqual([await good.status, await bad.status], [0, 1])
  assert.deepEqual([isRunning(await good.pid), isRunning(await bad.pid)], [false, false])
})
