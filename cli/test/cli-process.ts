/** Runs the real commands as a stranger's shell would: a bare environment, a folder of their own, real signals. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '../..')
const LIMIT_MS = 60_000

export type Running = {
  process: ChildProcess
  /** Everything it wrote so far, both streams. */
  output: () => string
  /** Resolves with the output once it matches; rejects when the process ends before. */
  says: (pattern: RegExp) => Promise<string>
  /** Resolves with exit status (null after a signal that it did not handle) and output. */
  ended: Promise<{ status: number | null; output: string }>
}

const undo = new WeakMap<TestContext, (() => unknown)[]>()

/** Runs after the test, the last one asked for first: `t.after` would delete a folder under a server that still runs in it. */
export function afterwards(t: TestContext, step: () => unknown): void {
  const steps = undo.get(t) ?? []
  if (!undo.has(t)) {
    undo.set(t, steps)
    t.after(async () => {
      for (const each of steps.reverse()) await each()
    })
  }
  steps.push(step)
}

/** A new folder for one test, removed after it. As root it can be passed through, as `npm start` makes its own. */
export function folder(t: TestContext, mode = 0o711): string {
  const made = realpathSync(mkdtempSync(path.join(tmpdir(), 'kinora-cli-test-')))
  spawnSync('chmod', [mode.toString(8), made])
  // Whoever was told to end may still be writing what it keeps.
  afterwards(t, () => rmSync(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return made
}

/** `kinora <args>` without any setting of whoever runs the tests; LANG is among what is missing. It is ended after the test. */
export function kinora(t: TestContext, args: string[], env: Record<string, string>): Running {
  const child = spawn(process.execPath, [path.join(root, 'bin/run.mjs'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let listeners: (() => void)[] = []
  const take = (chunk: Buffer) => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = new Promise<{ status: number | null; output: string }>((resolve) => {
    child.on('exit', (status) => setImmediate(() => resolve({ status, output })))
  })
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (pattern.test(output)) resolve(output)
      }
      listeners = [...listeners, look]
      look()
      ended.then(({ status }) => reject(new Error(`ended with status ${status} before it said ${pattern}:\n${output}`)))
    })
  afterwards(t, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { process: child, output: () => output, says, ended }
}

/** Asks again until the answer is not undefined. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const giveUpAt = Date.now() + LIMIT_MS; Date.now() < giveUpAt; ) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await wait(20)
  }
  throw new Error(`it never came about that ${what}`)
}

/** The living processes whose command line mentions the text. */
export function processesWith(text: string): { pid: number; command: string }[] {
  const listing = spawnSync('ps', ['-ww', '-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).stdout
  return listing.split('\n').flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid && command?.includes(text) && !state?.startsWith('Z') ? [{ pid: Number(pid), command }] : []
  })
}

/**
 * Waits until no living process mentions the text. Not at once: whoever watched over a process learns of its end only after
 * everybody else.
 */
export async function noneLeft(text: string): Promise<void> {
  await until(() => (processesWith(text).length === 0 ? true : undefined), `no process of ${text} is left`)
}

export function readJsonFile(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

export function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}

export function namesIn(place: string): string[] {
  return readdirSync(place)
}
