/**
 * Spawns `kinora`'s child processes, the server and the simulator. Each runs in its own process group, so that the
 * terminal's signals reach this process alone, which stops the children in order. The IPC channel closes when this
 * process is killed, and the child then exits.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Child = {
  process: ChildProcess
  /** Resolves with the exit status or signal (`status 1`, `SIGKILL`); never rejects. */
  ended: Promise<string>
  exitCode: () => number | null
  /** Sends SIGTERM, and SIGKILL when the child has not exited within the limit. Resolves when it has exited. */
  stop: () => Promise<void>
  kill: () => void
}

// The server's own shutdown limit is 10 s, so it exits by itself before this one.
const STOP_LIMIT_MS = 12_000

const EXIT_WITH_PARENT = import.meta.resolve('./exit-with-parent.ts')

/** The repository's folder, absolute. */
const root = path.resolve(import.meta.dirname, '../..')

/**
 * @param script relative to the repository's folder
 * @param streams `inherit`: this terminal; `pipe`: readable by this process; a number: an open file descriptor
 */
export function startChild(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  streams: { stdin?: 'inherit'; stdout: 'inherit' | 'pipe' | number; stderr: 'inherit' | number },
): Child {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, path.join(root, script), ...args], {
    env,
    stdio: [streams.stdin ?? 'ignore', streams.stdout, streams.stderr, 'ipc'],
    detached: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    process: child,
    ended,
    exitCode: () => child.exitCode,
    kill: () => child.kill('SIGKILL'),
    stop: async () => {
      if (hasEnded()) return
      child.kill('SIGTERM')
      const isStopped = await Promise.race([ended.then(() => true), sleep(STOP_LIMIT_MS, false, { ref: false })])
      if (!isStopped) child.kill('SIGKILL')
      await ended
    },
  }
}
