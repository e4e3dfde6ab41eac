/** Requests of the compatible APIs whose body contains an image: few are received at a time. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora()
const sql = openDb(kinora.databaseUrl, { connections: 1, name: 'large bodies test' })
after(() => sql.end())

const LARGE_BYTES = 2 * 1024 * 1024

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
  const body = { prompt: 'x'.repeat(LARGE_BYTES) }
  for (const as of [ann, bob]) {
    const { status } = await kinora.call('POST', '/v1/videos', { as, body })
    assert.equal(status, 400)
  }
})
