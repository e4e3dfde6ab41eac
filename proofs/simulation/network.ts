/**
 * Stands in for undici in http-client.ts: requests of a simulated process to providers and payment processors. The real
 * client runs on top of it, with its timeouts and its distinction between a request that was not sent and one without a
 * response.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { currentServices, type Request, type Response } from './services.ts'

export class Agent {
  destroy = () => Promise.resolve()
}

type Options = {
  method: string
  headers: Record<string, string>
  body: Readable | null
  signal: AbortSignal
}
type Answer = { statusCode: number; headers: Record<string, string>; body: AsyncIterable<Uint8Array> }

const SLOW_MAX_MS = 60_000

export function request(url: string, { method, headers, body, signal }: Options): Promise<Answer> {
  const { scheduler, injector, process, host } = currentServices()
  const { random } = scheduler
  const to = new URL(url)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
    const delayMs = () => random.between(1, injector.injects('slow') ? SLOW_MAX_MS : 300)
    const reset = () => scheduler.after(delayMs(), process, () => reject(networkError('ECONNRESET')))

    const connect = async () => {
      if (signal.aborted) return
      if (injector.injects('connection refused')) return reject(networkError('ECONNREFUSED'))
      const text = await textOf(body).catch(reject)
      if (text === undefined) return
      scheduler.trace(process.name, `→ ${to.host} ${method} ${to.pathname.slice(0, 40)}`)
      if (injector.injects('request lost')) {
        scheduler.trace(process.name, '  the request is lost')
        if (random.chance(0.5)) reset()
        return
      }
      const arriving = { method, url: to, headers, body: text }
      deliver(arriving)
      // A proxy repeats only what it may: a GET, or a POST with an idempotency key.
      const isRepeatable = method === 'GET' || 'idempotency-key' in headers
      if (isRepeatable && injector.injects('request twice')) deliver(arriving)
    }
    /** Delivers: the request is on its way from here on, whether or not its process lives. */
    const deliver = (arriving: Request) =>
      scheduler.after(delayMs(), null, async () => {
        const response = await host(arriving)
        if (response === 'silence') return
        scheduler.trace(
          to.host.split('.')[0] ?? '',
          // A vendor's public keys are as random as its process made them.
          `← HTTP ${response.status} ${isKeySet(response.body) ? 'its keys' : JSON.stringify(response.body).slice(0, 100)}`,
        )
        if (injector.injects('response lost')) {
          scheduler.trace(process.name, '  the response is lost')
          if (random.chance(0.5)) reset()
          return
        }
        const isCut = injector.injects('response cut')
        scheduler.after(delayMs() + (response.delayMs ?? 0), process, () => resolve(answerOf(response, isCut)))
      })
    // In the context of the process, whose clock the body asks when it is sent.
    scheduler.after(random.between(1, 20), process, AsyncResource.bind(connect))
  })
}

function answerOf({ status, headers = {}, body }: Response, isCut: boolean): Answer {
  const bytes = Buffer.from(JSON.stringify(body))
  async function* chunks() {
    yield isCut ? bytes.subarray(0, bytes.length >> 1) : bytes
  }
  return { statusCode: status, headers, body: chunks() }
}

async function textOf(body: Readable | null): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body ?? []) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const networkError = (code: string) => Object.assign(new Error(code), { code })

const isKeySet = (body: unknown): boolean => typeof body === 'object' && body !== null && 'keys' in body
