/** Runs the real commands as child processes, with a bare environment, a temporary folder each and real signals. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '../..')
const LIMIT_MS = 60_000

export type CliProcess = {
  process: ChildProcess
  /** Resolves with stdout and stderr so far once they match; rejects when the process ends before that. */
  waitForOutput: (pattern: RegExp) => Promise<string>
  /** Resolves with the exit status (null after an unhandled signal) and the output, both streams. */
  ended: Promise<{ status: number | null; output: string }>
}

const cleanups = new WeakMap<TestContext, (() => unknown)[]>()

/** Runs after the test, last registered first: `t.after` runs in registration order, which deletes folders in use. */
export function afterTest(t: TestContext, step: () => unknown): void {
  const steps = cleanups.get(t) ?? []
  if (!cleanups.has(t)) {
    cleanups.set(t, steps)
    t.after(async () => {
      for (const each of steps.reverse()) await each()
    })
  }
  steps.push(step)
}

/**
 * A new folder, removed after the test. Its mode lets other users traverse it, as that of a data folder made by root
 * does.
 */
export function temporaryDir(t: TestContext, mode = 0o711): string {
  const dir = realpathSync(mkdtempSync(path.join(process.env.TEST_CLUSTER_DIR ?? tmpdir(), 'kinora-cli-test-')))
  spawnSync('chmod', [mode.toString(8), dir])
  // A process that is shutting down may still write into the folder.
  afterTest(t, () => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return dir
}

/** Uses the compile cache of the test run: compiling the server for a new data folder takes a second of CPU time. */
function inherited(): Record<string, string> {
  const { PATH = '', HOME = '/', NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}

/** Runs `kinora <args>` with no environment but `inherited` and `env`, so without LANG. Stopped after the test. */
export function runKinora(t: TestContext, args: string[], env: Record<string, string>): CliProcess {
  const child = spawn(process.execPath, [path.join(root, 'bin/run.mjs'), ...args], {
    cwd: root,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let listeners: (() => void)[] = []
  const onData = (chunk: Buffer) => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', onData)
  child.stderr.on('data', onData)
  const ended = new Promise<{ status: number | null; output: string }>((resolve) => {
    child.on('exit', (status) => setImmediate(() => resolve({ status, output })))
  })
  const waitForOutput = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        if (pattern.test(output)) resolve(output)
      }
      listeners = [...listeners, check]
      check()
      ended.then(({ status }) =>
        reject(new Error(`ended with status ${status} before it printed ${pattern}:\n${output}`)),
      )
    })
  afterTest(t, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { process: child, waitForOutput, ended }
}

/** Polls until the result is not undefined. */
export async function waitUntil<T>(poll: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const deadlineMs = Date.now() + LIMIT_MS; Date.now() < deadlineMs; ) {
    const result = await poll()
    if (result !== undefined) return result
    await sleep(20)
  }
  throw new Error(`timed out waiting for: ${what}`)
}

/** The living processes whose command line contains the text. */
export function processesWith(text: string): { pid: number; command: string }[] {
  const listing = spawnSync('ps', ['-ww', '-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).stdout
  return listing.split('\n').flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid && command?.includes(text) && !state?.startsWith('Z') ? [{ pid: Number(pid), command }] : []
  })
}

/**
 * Waits until no living process has the text in its command line: a watchdog exits only after the process it watches.
 */
export async function waitForNoProcess(text: string): Promise<void> {
  await waitUntil(() => (processesWith(text).length === 0 ? true : undefined), `no process of ${text} is left`)
}

export function readJsonFile(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

export function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}
