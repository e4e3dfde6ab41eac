/**
 * The IPC channel between the primary of `kinora api --processes` and one of its children. Either side asks, the other
 * side replies. Nothing here knows what is asked: the topics are registered by their owners.
 */
import cluster from 'node:cluster'

export type Topic = 'rate-limit' | 'metrics' | 'streams'
type Ask = { kinora: 'ask'; id: number; topic: Topic; body: unknown }
type Reply = { kinora: 'reply'; id: number; body?: unknown; error?: string }

/** The other process: `process` in a child, a cluster.Worker in the primary. */
type Peer = {
  on: (event: 'message', listener: (message: unknown) => void) => unknown
  send?: (message: object, callback: (error: Error | null) => void) => unknown
}

export type Channel = {
  /**
   * Sends the body, which is JSON, and resolves with the reply.
   * @throws Error when the other process is gone, does not reply in time, or its handler throws
   */
  ask: (topic: Topic, body: unknown) => Promise<unknown>
  /** Registers the function that replies to what the other process asks. */
  handle: (topic: Topic, handler: (body: unknown) => unknown) => void
}

const REPLY_TIMEOUT_MS = 2_000
/** The primary asks its children before it replies. */
const PRIMARY_REPLY_TIMEOUT_MS = 4_000

export function openChannel(peer: Peer, timeoutMs = REPLY_TIMEOUT_MS): Channel {
  const handlers = new Map<Topic, (body: unknown) => unknown>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0

  /** A failed send is noticed by the side that asked: its timer ends. */
  const reply = (message: Reply) => void peer.send?.(message, () => undefined)

  const run = async (topic: Topic, body: unknown): Promise<unknown> => {
    const handler = handlers.get(topic)
    if (!handler) throw new Error(`this process does not handle ${topic}`)
    return handler(body)
  }

  peer.on('message', (message) => {
    if (isReply(message)) {
      const { id, body, error } = message
      if (error === undefined) waiting.get(id)?.resolve(body)
      else waiting.get(id)?.reject(new Error(error))
    } else if (isAsk(message)) {
      const { id, topic, body } = message
      void run(topic, body).then(
        (result) => reply({ kinora: 'reply', id, body: result }),
        (error: Error) => reply({ kinora: 'reply', id, error: error.message }),
      )
    }
  })

  return {
    handle: (topic, handler) => void handlers.set(topic, handler),
    ask: (topic, body) => {
      const id = ++lastId
      const result = Promise.withResolvers<unknown>()
      waiting.set(id, result)
      const timer = setTimeout(() => result.reject(new Error('the other process did not reply')), timeoutMs)
      peer.send?.({ kinora: 'ask', id, topic, body } satisfies Ask, (error) => error && result.reject(error))
      return result.promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(id)
      })
    },
  }
}

let toPrimary: Channel | null = null

/** The channel of a child of `kinora api --processes` to its primary; null in every other process. */
export function primaryChannel(): Channel | null {
  if (cluster.isWorker) toPrimary ??= openChannel(process, PRIMARY_REPLY_TIMEOUT_MS)
  return toPrimary
}

/** Whether this is a child of `kinora api --processes`, which its primary starts, stops and restarts. */
export const isChild = cluster.isWorker

/**
 * Resolves when the primary asks this child to stop; never in another process. A second request changes nothing: a
 * terminal and systemd send their signal to the children too, so the child gets that signal and the primary's message.
 */
export function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (!cluster.worker) return promise
  // Node ends a child at once when its primary is gone. This child drains instead: see `disconnect` in process.ts.
  cluster.worker.exitedAfterDisconnect = true
  process.on('message', (message) => {
    if ((message as { kind?: unknown } | null)?.kind === 'stop') resolve()
  })
  return promise
}

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kinora' in message ? message.kinora : null
const isAsk = (message: unknown): message is Ask => kindOf(message) === 'ask'
const isReply = (message: unknown): message is Reply => kindOf(message) === 'reply'
