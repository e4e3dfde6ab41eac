/** A TCP proxy that slows down or cuts what passes through it, and whose target may change. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Added to every chunk, in both directions. */
  delayMs: number
  /** Resets all connections and refuses new ones. */
  isCut: boolean
  cut: () => void
  close: () => void
}

/** @param target the port for a new connection; null: it is refused */
export async function openTcpProxy(target: () => number | null): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const port = target()
    if (proxy.isCut || port === null) return client.resetAndDestroy()
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
      from.on('data', (chunk) => later(() => to.destroyed || to.write(chunk)))
      from.on('end', () => later(() => to.end()))
      from.on('close', () => later(() => to.destroy()))
    }
  })
  const later = (send: () => unknown) => (proxy.delayMs > 0 ? void setTimeout(send, proxy.delayMs) : void send())
  const drop = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    isCut: false,
    cut: () => {
      proxy.isCut = true
      drop()
    },
    close: () => {
      server.close()
      drop()
    },
  }
  return proxy
}
