/** Ports on this machine that are ours to choose: kept from start to start, exchanged only when somebody else has them. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { codeOf } from './cli-error.ts'

// Below the range from which Linux and macOS take the ports of outgoing connections, above the well-known ones.
const FIRST_PORT = 20_000
const LAST_PORT = 29_999

/** @returns the port used last time when it is still free, else another one */
export async function freePort(usedBefore: unknown): Promise<number> {
  let port = Number.isInteger(usedBefore) ? Number(usedBefore) : randomInt(FIRST_PORT, LAST_PORT + 1)
  while ((await portProblem(port, '127.0.0.1')) !== null) port = randomInt(FIRST_PORT, LAST_PORT + 1)
  return port
}

/** @returns null when a server could listen there, else the system's code (`EADDRINUSE`, `EACCES`, …) */
export function portProblem(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error) ?? 'EINVAL'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
