/**
 * The programs that `kinora` starts: the server and the simulator, each in a process of its own. A child never gets the
 * terminal's signals itself, so that this process decides in which order things end; when this process is killed, the
 * closed channel tells the child.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Child = {
  process: ChildProcess
  /** Resolves, never rejects, with how it ended: `status 1`, `SIGKILL`. */
  ended: Promise<string>
  exitCode: () => number | null
  /** Asks it to end, and ends it when it does not within the limit. */
  stop: () => Promise<void>
  kill: () => void
}

// The server gives itself 10 s; a little more leaves the decision to it.
const STOP_LIMIT_MS = 12_000

const END_WITH_PARENT = import.meta.resolve('./exit-with-parent.ts')

/** The repository's folder. */
export const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param script relative to the repository's folder
 * @param output `inherit`: the child writes to this terminal; otherwise an open file, and `pipe` for what this process reads
 */
export function startChild(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  output: { stdout: 'inherit' | 'pipe' | number; stderr: 'inherit' | number },
): Child {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, path.join(root, script), ...args], {
    env,
    stdio: ['ignore', output.stdout, output.stderr, 'ipc'],
    detached: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    process: child,
    ended,
    exitCode: () => child.exitCode,
    kill: () => child.kill('SIGKILL'),
    stop: async () => {
      if (isOver()) return
      child.kill('SIGTERM')
      const over = await Promise.race([ended.then(() => true), wait(STOP_LIMIT_MS, false, { ref: false })])
      if (!over) child.kill('SIGKILL')
      await ended
    },
  }
}
