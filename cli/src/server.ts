/** Runs the server as a child process and waits until it is ready. */
import { type Child, startChild } from './child.ts'
import { CliError } from './cli-error.ts'

const SCRIPT = 'server/main.mjs'

/** Runs one of the server's commands at this terminal. */
export function spawnServer(command: string, env: NodeJS.ProcessEnv, args: string[] = []): Child {
  return startChild(SCRIPT, [command, ...args], env, { stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' })
}

/**
 * Starts API and worker in one process.
 * @param track receives the child at once, before it is ready
 * @returns the server's URL, once it is ready
 * @throws CliError when the server exits before it is ready; with an empty message when it has printed the reason
 * itself
 */
export function startServer(env: NodeJS.ProcessEnv, track: (child: Child) => void): Promise<string> {
  const child = spawnServer('all', env)
  track(child)
  return new Promise((resolve, reject) => {
    child.process.on('message', (message) => {
      const url = readyUrl(message)
      if (url) resolve(url)
    })
    child.ended.then((how) =>
      reject(new CliError(how.startsWith('status') ? '' : `The server could not start: ${how}.`)),
    )
  })
}

function readyUrl(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('kind' in message) || message.kind !== 'ready') return null
  return 'url' in message && typeof message.url === 'string' ? message.url : null
}
