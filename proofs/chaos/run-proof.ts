/** The frame of a run with real processes: what it started is ended, whether it ends, fails or is stopped. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Runs `run` and exits: with 0 when it returns true, else with 1. Every step that starts a process, mounts a file
 * system or makes a folder defers its undoing to the stack.
 */
export async function runProof(run: (stack: AsyncDisposableStack) => Promise<boolean>): Promise<never> {
  const stack = new AsyncDisposableStack()
  let isEnding = false
  const end = async (status: number): Promise<never> => {
    if (isEnding) return await new Promise(() => {})
    isEnding = true
    try {
      await stack.disposeAsync()
    } catch (error) {
      console.error(error)
      process.exit(1)
    }
    process.exit(status)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end(1))
  const fail = (error: unknown) => {
    console.error(error)
    return end(1)
  }
  process.once('uncaughtException', (error) => void fail(error))
  try {
    return await end((await run(stack)) ? 0 : 1)
  } catch (error) {
    return await fail(error)
  }
}

/** A folder for the files of a run. PostgreSQL runs as another user under root, and passes through it. */
export function openProofFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `kinora-${name}-`))
  if (process.getuid?.() === 0) spawnSync('chmod', ['711', folder])
  return folder
}
