/** Ports for tests that have to know one before anybody listens. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Where to look next: below those that the system deals out to everybody who asks for any, and elsewhere in each process. */
let next = 10_000 + ((process.pid * 32) % 20_000)

/** A port where nobody listens, and that nobody else is given before it is used. */
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
