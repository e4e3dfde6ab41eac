/** A PostgreSQL server for tests and soak runs, in a temporary folder. */
import { spawn } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const MEMORY_DIR = '/dev/shm'
/** `max_wal_size` alone is 2 GB. */
const MEMORY_FREE_BYTES_MIN = 6 * 1024 ** 3

/**
 * The folder for temporary clusters: in memory, where a copy of the template database takes a tenth of the CPU time
 * that it takes on ext4, or else the system's temporary folder.
 */
export function clusterParentDir() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DIR)
    return bavail * bsize >= MEMORY_FREE_BYTES_MIN ? MEMORY_DIR : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Returns null when it did not start; its output is on stderr. It exits when this process dies (IPC disconnect). */
export async function startDatabase(root) {
  const args = [path.join(root, 'cli/src/main.ts'), 'postgres', '--fast']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: clusterParentDir() },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const line = await Promise.race([
    new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then(() => null),
  ])
  if (line === null) return null
  return {
    url: JSON.parse(line).url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
