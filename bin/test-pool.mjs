/**
 * Runs test files in a pool of worker processes; an idle worker takes the next file. A file that hangs or ends its
 * process counts as failed, and a new worker continues with the rest.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { processorTimeMs } from './processor-time.mjs'

const worker = fileURLToPath(new URL('./test-worker.mjs', import.meta.url))
// A worker closes its browser before it exits.
const ABORT_GRACE_MS = 2000
const reporter = new URL('./test-events.mjs', import.meta.url).href

/**
 * @param {string[]} files absolute paths, in the order in which they are started
 * @param {object} options
 * @param {number} options.workers how many run at once
 * @param {number} options.testTimeoutMs after this long without a test that starts or ends, and without output, the
 * file counts as hung
 * @param {Record<string, string>} options.env
 * @param {AbortSignal} options.signal ends every worker and its children; running files are not reported
 * @param {(result: FileResult) => void} options.onResult called when a file has ended
 * @typedef {{ file: string, tests: Test[], problem: string, output: string, durationMs: number, processorMs: number }}
 *   FileResult `problem`: an error outside the file's tests, or ''; `processorMs`: of the worker and what it started,
 *   zero where that is not known
 * @typedef {{ name: string, passed: boolean, skipped?: string | boolean, durationMs: number,
 *   failureType?: string, text: string }} Test
 */
export async function runFiles(files, options) {
  const queue = [...files]
  const count = Math.min(options.workers, queue.length)
  await Promise.all(Array.from({ length: count }, () => runWorkers(queue, options)))
}

async function runWorkers(queue, options) {
  while (queue.length > 0 && !options.signal.aborted) await runOneWorker(queue, options)
}

/** Resolves when the worker has ended: after the last file, or with the file that ended it. */
function runOneWorker(queue, { testTimeoutMs, env, signal, onResult }) {
  const child = forkWorker(env)
  let current
  const kill = () => killGroup(child)
  const onAbort = () => {
    child.kill('SIGTERM')
    setTimeout(kill, ABORT_GRACE_MS).unref()
  }
  const finish = (problem) => {
    clearTimeout(current.timer)
    const { file, tests, output, startedAtMs, processorStartMs } = current
    current = undefined
    const processorMs = Math.max(0, processorTimeMs(child.pid) - processorStartMs)
    onResult({ file, tests, problem, output, durationMs: performance.now() - startedAtMs, processorMs })
  }
  const next = () => {
    const file = queue.shift()
    if (file === undefined || signal.aborted) return child.send({ end: true })
    current = {
      file,
      tests: [],
      output: '',
      running: '',
      startedAtMs: performance.now(),
      processorStartMs: processorTimeMs(child.pid),
      timer: setTimeout(onTimeout, testTimeoutMs),
    }
    child.send({ file })
  }
  const onTimeout = () => {
    finish(`No test started or ended, and nothing was printed, for ${testTimeoutMs / 1000} s; ${lastStarted(current)}`)
    kill()
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      if (!current) return
      current.output += text
      current.timer.refresh()
    })
  }
  child.on('message', ({ started, test, end }) => {
    if (!current) return
    current.timer.refresh()
    if (started !== undefined) current.running = started
    if (test) current.tests.push(test)
    if (!end) return
    finish(end.failureType === undefined || end.failureType === 'subtestsFailed' ? end.problem : end.text)
    next()
  })
  signal.addEventListener('abort', onAbort)
  next()
  return new Promise((resolve) => {
    child.on('error', (error) => current && finish(error.message))
    // 'exit' comes before 'close', which waits until no child process of a test (the shared simulator) holds the
    // worker's output open.
    child.on('exit', kill)
    child.on('close', (code, by) => {
      signal.removeEventListener('abort', onAbort)
      if (current && !signal.aborted) {
        finish(`Its process ended with ${by ?? code}; ${lastStarted(current)}`)
      }
      clearTimeout(current?.timer)
      resolve()
    })
  })
}

const forkWorker = (env) =>
  fork(worker, {
    // The garbage collector takes a sixth of a worker's time with the default semi-space of 16 MB.
    execArgv: [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', '--max-semi-space-size=64'],
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own, so that a file's child processes (services, simulators) can be killed with it.
    detached: true,
  })

function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}

const lastStarted = ({ running }) => (running ? `the last test that started was “${running}”.` : 'no test had started.')
