/** Requests of the compatible APIs whose body contains an image: few are received at a time. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'large bodies test' })
after(() => sql.end())

const LARGE_BYTES = 2 * 1024 * 1024
/** Its prompt is too long. */
const body = `{"prompt":"${'x'.repeat(LARGE_BYTES - 13)}"}`

/** Sends the headers of a large body. Resolves when the server has them. */
async function begin({ token }: Person): Promise<{ client: http.ClientRequest; response: http.ServerResponse }> {
  const arrived = Promise.withResolvers<http.ServerResponse>()
  const listener = (message: unknown) => arrived.resolve((message as { response: http.ServerResponse }).response)
  subscribe('http.server.request.start', listener)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': LARGE_BYTES,
  }
  const client = http.request(`${kinora.url}/v1/videos`, { method: 'POST', headers })
  client.on('error', () => undefined)
  client.flushHeaders()
  const response = await arrived.promise
  unsubscribe('http.server.request.start', listener)
  return { client, response }
}

const statusOf = async (as: Person): Promise<number> => {
  const headers = { 'content-type': 'application/json' }
  return (await kinora.call('POST', '/v1/videos', { as, body, headers })).status
}

test('400: clients went while their credential was looked up → the next large bodies are received all the same', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  await sql.begin(async (tx) => {
    await tx`lock table public.session`
    for (const person of [ann, ann, bob, bob]) {
      const { client, response } = await begin(person)
      client.destroy()
      await once(response, 'close')
    }
  })
  for (const as of [ann, bob]) assert.equal(await statusOf(as), 400)
})

test('503: third large body of a user at the same time, and fifth of all → refused; those before → received', async () => {
  const [ann, bob, cleo] = [await kinora.person(), await kinora.person(), await kinora.person()]
  // A body counts once its sender is known: of a new credential a later body could count before.
  for (const as of [ann, bob, cleo]) await kinora.call('GET', '/api/v1/video/list', { as })
  const begun = []
  for (const as of [ann, ann, bob, bob]) {
    const { client } = await begin(as)
    begun.push({ client, response: once(client, 'response') })
    const full = { 2: ann, 4: cleo }[begun.length]
    if (full) await waitFor('a further body to be refused', async () => (await statusOf(full)) === 503)
  }
  const received = begun.map(async ({ client, response }) => {
    client.end(body)
    const [{ statusCode }] = (await response) as [http.IncomingMessage]
    return statusCode
  })
  assert.deepEqual(await Promise.all(received), [400, 400, 400, 400])
  await waitFor('a further body to be received', async () => (await statusOf(cleo)) === 400)
})

test('400: form of 101 parts → refused; of 100 → read', async () => {
  const ann = await kinora.person({ credits: 0 })
  const part = '--x\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nA boat\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const send = async (parts: number) => {
    const { status, text } = await kinora.call('POST', '/v1/videos', {
      as: ann,
      body: `${part.repeat(parts)}--x--`,
      headers,
    })
    return [status, text.includes('it has more than 100 parts')]
  }
  // It costs more than nothing.
  assert.deepEqual(
    [await send(100), await send(101)],
    [
      [402, false],
      [400, true],
    ],
  )
})
