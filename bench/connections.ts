/**
 * Busy HTTP connections over raw sockets, each with one request at a time and one reused buffer. The load shares the
 * machine's CPUs with the server, so it parses only status and length of a response.
 */
import { connect } from 'node:net'

export type Load = {
  port: number
  connections: number
  seconds: number
  nextRequest: () => Buffer | string
  /** Receives each response and the time since its request was sent. An exception ends the load. */
  onResponse: (response: string, latencyMs: number) => void
}

const RESPONSE_BYTES_MAX = 64 * 1024

/**
 * Sends requests on every connection until the time is over and the last responses have arrived.
 * @returns seconds taken
 */
export async function keepConnectionsBusy({ connections, ...load }: Load): Promise<number> {
  const startMs = performance.now()
  const endMs = startMs + load.seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => keepBusy(load, endMs)))
  return (performance.now() - startMs) / 1000
}

function keepBusy({ port, nextRequest, onResponse }: Omit<Load, 'connections'>, endMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let partial = ''
    let sentMs = 0
    const send = () => {
      const request = nextRequest()
      sentMs = performance.now()
      socket.write(request)
    }
    const buffer = Buffer.allocUnsafe(RESPONSE_BYTES_MAX)
    const onData = (length: number) => {
      const response = partial + buffer.toString('latin1', 0, length)
      if (!isComplete(response)) {
        partial = response
        return
      }
      partial = ''
      const nowMs = performance.now()
      onResponse(response, nowMs - sentMs)
      if (nowMs < endMs) send()
      else socket.destroy()
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (length) => {
          try {
            onData(length)
          } catch (error) {
            reject(error)
            socket.destroy()
          }
          return true
        },
      },
    })
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

/** @throws Error when the response has no Content-Length */
function isComplete(response: string): boolean {
  const headEnd = response.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(response)?.[1]
  if (length === undefined) throw new Error(`a response without Content-Length:\n${response}`)
  return response.length >= headEnd + 4 + Number(length)
}
