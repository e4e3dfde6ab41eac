/** A PostgreSQL server for tests and soak runs, in a temporary folder. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** Returns null when it did not start; its output is on stderr. It exits when this process is killed (IPC disconnect). */
export async function startDatabase(root) {
  const args = [path.join(root, 'cli/src/main.ts'), 'postgres', '--fast']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true })
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
