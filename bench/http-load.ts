/**
 * The load: a process of its own that keeps a number of connections busy with requests written in advance, one at a time
 * on each. It shares the machine with the server it measures, so it does as little as it can: raw sockets, one buffer a
 * connection, and of an answer only status and length are read.
 */
import { connect } from 'node:net'
import { generateBody, PEOPLE, tokenOf, videoIdOf } from './users.ts'

export type Job = { kind: 'generate' | 'task'; port: number; connections: number; seconds: number }
/** `cpuUs`: processor time that this process took per request. */
export type Load = { perSecond: number; requests: number; cpuUs: number; refused: number; example: string }

const ANSWER_BYTES_MAX = 64 * 1024

process.once('message', async (job: Job) => {
  const requests = Array.from({ length: PEOPLE }, (_, index) => write(job, index + 1))
  process.send?.(await load(job, requests))
})

/** Users come round in turn, so that none of them meets a limit; each run begins with another one. */
async function load({ port, connections, seconds }: Job, requests: Buffer[]): Promise<Load> {
  let next = Math.floor(Math.random() * requests.length)
  let done = 0
  let refused = 0
  let example = ''
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const endMs = startMs + seconds * 1000

  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      let pending = ''
      const ask = () => {
        next = (next + 1) % requests.length
        socket.write(requests[next] ?? '')
      }
      const buffer = Buffer.allocUnsafe(ANSWER_BYTES_MAX)
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          callback: (length) => {
            const text = pending + buffer.toString('latin1', 0, length)
            if (!isWhole(text)) {
              pending = text
              return true
            }
            pending = ''
            done += 1
            if (!text.startsWith('HTTP/1.1 200')) {
              refused += 1
              example ||= text
            }
            if (performance.now() < endMs) ask()
            else socket.destroy()
            return true
          },
        },
      })
      socket.once('connect', ask)
      socket.once('error', reject)
      socket.once('close', () => resolve())
    })
  await Promise.all(Array.from({ length: connections }, keepBusy))

  const elapsedMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(startCpu)
  return { perSecond: done / (elapsedMs / 1000), requests: done, cpuUs: (user + system) / done, refused, example }
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (length === undefined) throw new Error(`an answer without a length:\n${text}`)
  return text.length >= headEnd + 4 + Number(length)
}

function write({ kind }: Job, n: number): Buffer {
  const head = ['host: localhost', `authorization: Bearer ${tokenOf(n)}`, 'accept: application/json']
  if (kind === 'task') {
    return Buffer.from(`GET /api/v1/video/task?uuid=${videoIdOf(n)} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  }
  const body = JSON.stringify(generateBody)
  head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`POST /api/v1/video/generate HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}
