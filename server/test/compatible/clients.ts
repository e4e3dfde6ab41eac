/** Shared by tests of the compatible APIs: API keys, lost responses, films, and the lists of docs/compatibility.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf, models } from '../support/changed-models.ts'
import { completeVideo } from '../support/completed-video.ts'
import type { Kinora, Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'
import { dispatchAll, type Received, type Receiver } from '../support/webhook-receiver.ts'

export type Row = { api: string; call: string }
export const rows: Row[] = []

/** A test whose call docs/compatibility.md lists: what a call of an official client does here. */
export function check(api: string, call: string, result: string, run: () => Promise<void>): void {
  rows.push({ api, call })
  test(`${api}: ${call} → ${result}`, run)
}

export const PROMPT = 'A paper boat in a rain gutter, dawn'

/** The AI SDK refuses to download from a private address, which the test's service has. */
export const download = ({ url }: { url: URL }): Promise<{ data: Uint8Array; mediaType: string | undefined }> =>
  fetch(url).then(async (response) => ({
    data: new Uint8Array(await response.arrayBuffer()),
    mediaType: response.headers.get('content-type') ?? undefined,
  }))

/** A user with an API key, as these clients have one. */
export async function customer(kinora: Kinora, credits = 60): Promise<Person & { apiKey: string }> {
  const person = await kinora.person({ credits })
  const body = { name: 'client' }
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as: person, body })
  return { ...person, apiKey: (JSON.parse(text) as { key: string }).key }
}

/** A receiver of webhooks that the service may reach, and the user's secret for them. */
export type Hooks = { receiver: Receiver; secretOf: (as: Person) => Promise<string>; sent: () => Promise<Received[]> }

export function hooksOf(kinora: Kinora, receiver: Receiver): Hooks {
  return {
    receiver,
    secretOf: async (as) =>
      (await kinora.call<{ secret: string }>('POST', '/api/v1/webhook/secret', { as })).data.secret,
    sent: async () => {
      await dispatchAll(kinora)
      return receiver.received.splice(0)
    },
  }
}

/**
 * A fetch that loses the first response to a POST after the server has sent it, or an event stream after its head, as a
 * connection that breaks does, and counts POSTs.
 */
export function losingFetch(isLost = (_body: string, _url: string) => true): {
  fetch: typeof fetch
  posts: () => number
} {
  let posts = 0
  const losing: typeof fetch = async (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const response = await fetch(input, init)
    if (method.toUpperCase() !== 'POST' || !isLost(String(init?.body), response.url)) return response
    posts += 1
    if (posts > 1) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    await (isStream ? response.body?.cancel() : response.arrayBuffer())
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
  }
  return { fetch: losing, posts: () => posts }
}

/** A fetch that counts the requests to the service. OpenAI's package also tries whether fetch can send a form. */
export function countingFetch(url: string): { fetch: typeof fetch; requests: () => number } {
  let requests = 0
  const counting: typeof fetch = (input, init) => {
    if (String(input).startsWith(url)) requests += 1
    return fetch(input, init)
  }
  return { fetch: counting, requests: () => requests }
}

/** A request by hand, for what the types of a client do not let through. */
export async function post(
  url: string,
  apiKey: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

/** Asserts that each field is refused by its name, and makes no film. */
export async function assertRefused(
  kinora: Kinora,
  path: string,
  bodies: Record<string, object>,
  headers: Record<string, string> = {},
): Promise<void> {
  const ann = await customer(kinora)
  for (const [field, body] of Object.entries(bodies)) {
    const { status, text } = await post(`${kinora.url}${path}`, ann.apiKey, body, headers)
    assert.equal(status, 400, `${field}: ${text}`)
    assert.ok(text.includes(`${field} here; leave it out`), text)
  }
  assert.equal((await videosOf(kinora, ann)).length, 0)
}

/** Runs while no new film of the model can be requested. */
export async function withModelDisabled(name: string, run: () => Promise<void>): Promise<void> {
  const model = modelOf(name)
  models().set(name, { ...model, enabled: false })
  try {
    await run()
  } finally {
    models().set(name, model)
  }
}

export async function videosOf(
  { app }: Kinora,
  { userId }: Person,
): Promise<{ id: string; startImageUrl: string | null; seed: number | null }[]> {
  return app.sql`
    select id, seed, jsonb_path_query_first(made_of, '$[*] ? (@.role == "start").source') #>> '{}' as start_image_url
    from kinora.video
    where user_id = ${userId}
    order by id
  `
}

/** Asserts that the bytes are an MP4 file that was stored for the user's only video. */
export async function assertFilm(kinora: Kinora, as: Person, bytes: Uint8Array): Promise<void> {
  assert.equal(Buffer.from(bytes.subarray(4, 8)).toString('latin1'), 'ftyp')
  const stored = await kinora.app.sql<{ sizeBytes: number }[]>`
    select size_bytes from kinora.video where user_id = ${as.userId}
  `
  assert.deepEqual(
    stored.map(({ sizeBytes }) => sizeBytes),
    [bytes.length],
  )
}

/** Runs the only video of a user until it is final, as soon as its client has created it. */
export async function finishOnly(kinora: Kinora, as: Person): Promise<void> {
  await kinora.finish(as, await onlyVideo(kinora, as))
}

/** Completes the only video of a user with a prepared film, as soon as its client has created it. */
export async function completeOnly(kinora: Kinora, as: Person): Promise<void> {
  await completeVideo(kinora, as, await onlyVideo(kinora, as))
}

async function onlyVideo(kinora: Kinora, as: Person): Promise<string> {
  await waitFor('the video of the client', async () => (await videosOf(kinora, as)).length === 1)
  const [video] = await videosOf(kinora, as)
  return video?.id ?? ''
}
