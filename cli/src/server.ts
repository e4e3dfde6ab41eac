/** The server as a child process: started, and awaited until it takes requests. */
import { type Child, startChild } from './child.ts'
import { Refusal } from './cli-error.ts'

const SCRIPT = 'server/src/main.ts'

/** Runs one of the server's commands; it writes to this terminal. */
export function spawnServer(command: string, env: NodeJS.ProcessEnv): Child {
  return startChild(SCRIPT, [command], env, { stdout: 'inherit', stderr: 'inherit' })
}

/**
 * Starts API and worker in one process.
 * @param track gets the child at once, before it is ready
 * @returns the address it answers at, once it does
 * @throws Refusal without words when it does not come up: the server has said why on this terminal
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
      reject(new Refusal(how.startsWith('status') ? '' : `The server could not start: ${how}.`)),
    )
  })
}

function readyUrl(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('kind' in message) || message.kind !== 'ready') return null
  return 'url' in message && typeof message.url === 'string' ? message.url : null
}
