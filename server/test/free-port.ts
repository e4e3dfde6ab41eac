/** Ports for tests that need the number before a server listens on it. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The next port to try: below the ephemeral range of Linux, and from a start of its own in each process. */
let next = 10_000 + ((process.pid * 32) % 20_000)

/** Reserves a port on which no process listens; no other caller gets it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
