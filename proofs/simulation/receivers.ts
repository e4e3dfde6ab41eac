/**
 * The receivers of webhooks: endpoints that users have registered, and the webhookUrls of generate requests. They check
 * signatures, note what arrives, and answer; some are away, overloaded or broken for a time.
 */
import { createHmac } from 'node:crypto'
import type { App } from '../../server/src/app.ts'
import { FetchError } from '../../server/src/net/fetch-error.ts'
import type { PostResponse, SafePost } from '../../server/src/net/safe-post.ts'
import { createEndpoint, openWebhookAccount, rotateSecret } from '../../server/src/webhook/endpoints.ts'
import type { FaultInjector } from './fault-injector.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { short } from './statement.ts'

/** A delivery as its receiver knows it, however often it was sent. Listed in the order of the first attempts. */
export type Received = {
  url: string
  /** The webhook-id. */
  id: string
  type: string
  /** The video or package; of another event its webhook-id. */
  subjectId: string
  body: string
  /** Attempts that were answered with 2xx, whether or not the response arrived. */
  accepted: number
}

export type Receivers = {
  received: Received[]
  /** What no receiver may see: a wrong signature, another body for an id, two webhooks of one subject at a time. */
  problems: string[]
  /** Registers an endpoint for all types of event. */
  open: (app: App, userId: string) => Promise<void>
  endpointOf: (userId: string) => string
  /** The URL that the user's generate requests name. */
  webhookUrlOf: (userId: string) => string
  post: (process: Process) => SafePost
}

export function openReceivers(scheduler: Scheduler, injector: FaultInjector): Receivers {
  const books: Books = {
    scheduler,
    injector,
    secrets: new Map(),
    byName: new Map(),
    received: [],
    problems: [],
    underWay: new Map(),
  }
  const endpointOf = (userId: string) => `https://hooks.example/${userId}`
  const webhookUrlOf = (userId: string) => `https://calls.example/${userId}`

  return {
    received: books.received,
    problems: books.problems,
    open: async (app, userId) => {
      const { secret } = await createEndpoint(app, userId, { url: endpointOf(userId) })
      await openWebhookAccount(app, userId)
      const rotated = await rotateSecret(app, userId, null)
      for (const [url, text] of [
        [endpointOf(userId), secret],
        [webhookUrlOf(userId), rotated.secret],
      ] as const) {
        books.secrets.set(url, Buffer.from(text.replace('whsec_', ''), 'base64'))
      }
    },
    endpointOf,
    webhookUrlOf,
    post: (process) => ({
      checkUrl: () => {},
      checkHost: () => Promise.resolve(),
      post: post(books, process),
      close: () => Promise.resolve(),
    }),
  }
}

type Books = {
  scheduler: Scheduler
  injector: FaultInjector
  /** The secrets by URL. */
  secrets: Map<string, Buffer>
  byName: Map<string, Received>
  received: Received[]
  problems: string[]
  /** Attempts, by process, URL and subject, whose outcome the process does not know yet. */
  underWay: Map<string, Received>
}

/** A receiver, as the process sees it. */
const post =
  (books: Books, process: Process): SafePost['post'] =>
  (url, headers, body, { timeoutMs, signal }) =>
    new Promise<PostResponse>((resolve, reject) => {
      const { scheduler, injector, problems, underWay } = books
      const entry = entryOf(books, url, headers['webhook-id'] ?? '', body)
      const queue = `${process.name} ${url} ${entry.subjectId}`
      const before = underWay.get(queue)
      // A lease that began by a wrong clock ends early, and the endpoint is served twice.
      if (before && before !== entry && injector.skewMaxMs === 0)
        problems.push(`two webhooks of ${short(entry.subjectId)} are under way at a time`)
      underWay.set(queue, entry)
      let isSettled = false
      const settle = (act: () => void) => () => {
        if (!isSettled && underWay.get(queue) === entry) underWay.delete(queue)
        isSettled = true
        act()
      }
      if (signal?.aborted) return settle(() => reject(signal.reason))()
      signal?.addEventListener(
        'abort',
        settle(() => reject(signal.reason)),
      )
      const delayMs = () => scheduler.random.between(1, injector.injects('slow') ? 40_000 : 300)
      const fail = (code: 'UNREACHABLE' | 'TIMEOUT') =>
        settle(() => reject(new FetchError(code, 'The receiver is away.')))
      scheduler.after(timeoutMs, process, fail('TIMEOUT'))
      if (injector.injects('connection refused')) return scheduler.after(1, process, fail('UNREACHABLE'))
      if (injector.injects('request lost')) return
      // The request is on its way, whether or not the process lives when it arrives.
      scheduler.after(delayMs(), null, () => {
        const { response, isLost } = answer(books, entry, headers, body)
        const arrive = settle(() => resolve(response))
        if (!isLost) scheduler.after(delayMs(), process, arrive)
      })
    })

/** The delivery of an attempt, which is noted when the attempt begins. */
function entryOf({ byName, received, problems }: Books, url: string, id: string, body: string): Received {
  const known = byName.get(`${url} ${id}`)
  if (known) {
    if (known.body !== body) problems.push(`the webhook ${id} was sent with two bodies`)
    return known
  }
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, string> }
  const entry = { url, id, type, subjectId: data.uuid ?? data.packageId ?? id, body, accepted: 0 }
  byName.set(`${url} ${id}`, entry)
  received.push(entry)
  return entry
}

/** The request arrives. Returns the response. */
function answer(
  { scheduler, injector, secrets, problems }: Books,
  entry: Received,
  headers: Record<string, string>,
  body: string,
): { response: PostResponse; isLost: boolean } {
  const { random } = scheduler
  if (!isSigned(secrets.get(entry.url) ?? Buffer.alloc(0), headers, body))
    problems.push(`the signature of the webhook ${entry.id} is wrong`)
  const status = injector.injects('receiver fails') ? random.pick([500, 500, 302, 429, 503]) : 204
  if (status === 204) entry.accepted++
  const retryAfter = status === 429 ? String(random.int(1, 60)) : null
  const isLost = injector.injects('response lost')
  const to = `${entry.type} ${short(entry.subjectId)}`
  scheduler.trace('receiver', `webhook ${short(entry.id)} ${to} → ${status}${isLost ? ', the response is lost' : ''}`)
  return { response: { status, retryAfter, text: '' }, isLost }
}

function isSigned(secret: Buffer, headers: Record<string, string>, body: string): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', secret).update(content).digest('base64')
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${expected}`)
}
