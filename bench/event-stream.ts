/** An event stream of the load, read from a plain socket: a client library would take more CPU time than the service. */
import { connect, type Socket } from 'node:net'
import { tokenOf } from './users.ts'

/** Opens the stream of user n; appends the age of every new video at the arrival of its event. */
export function openStream(port: number, n: number, latenciesMs: number[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let rest = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.write(
      `GET /api/v1/video/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokenOf(n)}\r\n` +
        'accept: text/event-stream\r\n\r\n',
    )
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const nowMs = Date.now()
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) {
        if (text.startsWith('retry:')) resolve(socket)
        if (text.startsWith('HTTP/1.1') && !text.includes(' 200 ')) reject(new Error(text))
        // The first 48 bits of a UUIDv7 are its time in milliseconds.
        const [, high, low] = /^data: \{"uuid":"(\w{8})-(\w{4})-[^"]*","status":"PENDING"/.exec(text) ?? []
        // The prepared videos have ids of the year 1970.
        if (high && low && !high.startsWith('0000')) latenciesMs.push(nowMs - Number.parseInt(high + low, 16))
      }
    })
  })
}
