/** Local ports that Kinora chooses: the same at every start unless another program has taken the port. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { errorCode } from './cli-error.ts'

// The range is above the well-known ports and below the ephemeral range of Linux and macOS for outgoing connections.
const FIRST_PORT = 20_000
const LAST_PORT = 29_999

/** @returns `preferred` when it is a port number and free, else a random free port */
export async function freePort(preferred: unknown): Promise<number> {
  let port = Number.isInteger(preferred) ? Number(preferred) : randomInt(FIRST_PORT, LAST_PORT + 1)
  while ((await listenErrorCode(port, '127.0.0.1')) !== null) port = randomInt(FIRST_PORT, LAST_PORT + 1)
  return port
}

/**
 * @returns null when a server can listen on the port, else the code of the system's error (`EADDRINUSE`, `EACCES`, …)
 */
export function listenErrorCode(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(errorCode(error) ?? 'EINVAL'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
