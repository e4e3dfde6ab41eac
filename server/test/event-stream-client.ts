/** A client of the event stream, as bare as it gets: what came, what was said beside it, and how it ended. */
import { type IncomingMessage, request } from 'node:http'
import type { Person } from './harness.ts'
import { waitFor } from './video-row.ts'

export type Told = { event: string; id: string; data: { uuid?: string; status?: string; progress?: number } }
export type EventStream = {
  response: IncomingMessage
  /** All there was so far, in order, without marks. */
  told: Told[]
  /** Everything as it came. */
  text: () => string
  /** The id to go on from. */
  lastId: () => string
  /** The statuses of a video as they were told, each once; `deleted` among them. */
  statusesOf: (uuid: string) => string[]
  /** Waits until a video was told with this status, or as `deleted`. */
  until: (uuid: string, status: string) => Promise<void>
  /** Waits until the stream is over: `in order`, or `cut off`. */
  ended: () => Promise<string>
  close: () => void
}
type Options = { lastEventId?: string; query?: string; headers?: Record<string, string> }

/** @throws Error with the body when the answer is not a stream */
export async function openStream(url: string, as: Person, options: Options = {}): Promise<EventStream> {
  const { lastEventId, query = '', headers = {} } = options
  const asked = request(`${url}/api/v1/video/events${query}`, {
    agent: false,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  })
  asked.end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject)
  })
  asked.on('error', () => {})
  response.setEncoding('utf8')
  const told: Told[] = []
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
      if (fields.data && fields.event !== 'mark')
        told.push({ event: fields.event ?? '', id: lastId, data: JSON.parse(fields.data) })
    }
  })
  let end = ''
  response.once('end', () => (end ||= 'in order')).once('close', () => (end ||= 'cut off'))
  response.on('error', () => {})
  const ended = async () => {
    await waitFor('the end of the stream', () => end !== '')
    return end
  }
  if (response.statusCode !== 200) {
    await ended()
    throw new Error(`${response.statusCode} ${chunks.join('')}`)
  }
  // The first words are the proof that the server has begun to follow.
  await waitFor('the head of the stream', () => lastId !== '')
  const statusesOf = (uuid: string) =>
    told
      .filter(({ data }) => data.uuid === uuid)
      .map(({ event, data }) => data.status ?? event)
      .filter((status, i, all) => status !== all[i - 1])
  return {
    response,
    told,
    text: () => chunks.join(''),
    lastId: () => lastId,
    statusesOf,
    until: (uuid, status) => waitFor(`${status} of ${uuid}`, () => statusesOf(uuid).includes(status)),
    ended,
    close: () => asked.destroy(),
  }
}

const fieldsOf = (block: string): Record<string, string> =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
