/** Ports for tests that need to know one before a server listens on it. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// The range is below the ports that the system assigns, and without 10080, which fetch refuses as a bad port.
const FIRST_PORT = 11_000
const BLOCKS = 200
const BLOCK_PORTS = 100

/** Resolves to null when the port is taken. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1')
  return await once(server, 'listening').then(
    () => server,
    () => null,
  )
}

/** The first port of a block of this process: listening there while the process lives, reserves the others. */
async function reserveBlock(): Promise<number> {
  for (let i = 0; i < BLOCKS; i++) {
    const first = FIRST_PORT + ((process.pid + i) % BLOCKS) * BLOCK_PORTS
    const guard = await listen(first)
    if (guard === null) continue
    guard.unref()
    return first
  }
  throw new Error('Every block of ports is in use.')
}

let block: Promise<number> | undefined
let given = 0

/** A port on which no server listens and which is returned to no other test before it is used. */
export async function freePort(): Promise<number> {
  block ??= reserveBlock()
  const first = await block
  for (;;) {
    const port = first + 1 + (given++ % (BLOCK_PORTS - 1))
    const server = await listen(port)
    if (server === null) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
