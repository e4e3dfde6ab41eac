/** A minimal SSE client: records events, comments and how the stream ended. */
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import type { Person } from './harness.ts'
import { waitFor } from './video-row.ts'

export type ReceivedEvent = { event: string; id: string; data: { uuid?: string; status?: string; progress?: number } }
export type EventStream = {
  response: IncomingMessage
  /** All events so far, in order, without id-only ones. */
  events: ReceivedEvent[]
  /** The raw text. */
  text: () => string
  /** The Last-Event-ID to resume from. */
  lastId: () => string
  /** The received statuses of a video, each once, including `deleted`. */
  statusesOf: (uuid: string) => string[]
  /** Waits for an event with this status of a video, or `deleted`. */
  until: (uuid: string, status: string) => Promise<void>
  /** Waits for the end of the stream: `clean` or `cut off`. */
  ended: () => Promise<string>
  close: () => void
}
type Options = { lastEventId?: string; query?: string; headers?: Record<string, string> }

/** @throws Error with the body when the response is not a stream */
export async function openStream(url: string, as: Person, options: Options = {}): Promise<EventStream> {
  const { lastEventId, query = '', headers = {} } = options
  const outgoing = request(`${url}/api/v1/video/events${query}`, {
    agent: false,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  })
  outgoing.end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  outgoing.on('error', () => {})
  response.setEncoding('utf8')
  const events: ReceivedEvent[] = []
  const chunks: string[] = []
  let rest = ''
  let lastId = ''
  response.on('data', (chunk: string) => {
    chunks.push(chunk)
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = fieldsOf(block)
      lastId = fields.id ?? lastId
      if (!fields.data) continue
      const { type, ...data } = JSON.parse(fields.data)
      assert.equal(type, fields.event)
      if (type !== 'mark') events.push({ event: fields.event ?? '', id: lastId, data })
    }
  })
  let end = ''
  response.once('end', () => (end ||= 'clean')).once('close', () => (end ||= 'cut off'))
  response.on('error', () => {})
  const ended = async () => {
    await waitFor('the end of the stream', () => end !== '')
    return end
  }
  if (response.statusCode !== 200) {
    await ended()
    throw new Error(`${response.statusCode} ${chunks.join('')}`)
  }
  // The first bytes prove that the server has subscribed.
  await waitFor('the head of the stream', () => lastId !== '')
  const statusesOf = (uuid: string) =>
    events
      .filter(({ data }) => data.uuid === uuid)
      .map(({ event, data }) => data.status ?? event)
      .filter((status, i, all) => status !== all[i - 1])
  return {
    response,
    events,
    text: () => chunks.join(''),
    lastId: () => lastId,
    statusesOf,
    until: (uuid, status) => waitFor(`${status} of ${uuid}`, () => statusesOf(uuid).includes(status)),
    ended,
    close: () => outgoing.destroy(),
  }
}

const fieldsOf = (block: string): Record<string, string> =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
