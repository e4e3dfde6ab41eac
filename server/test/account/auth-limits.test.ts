/** The sizes of what /api/auth takes: bodies, fields, and the number of API keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { makeFourKeysAtOnce } from '../support/keys-at-once.ts'

const kinora = await openKinora()
const password = 'a good and long password'

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await kinora.call('POST', `/api/auth/${path}`, { body, headers })
  return { ...response, json: response.text ? JSON.parse(response.text) : null }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('413: body of more than 16 kB → refused before it is read, with the usual error', async () => {
  for (const path of [
    'sign-in/email',
    'sign-up/email',
    'update-user',
    'api-key/create',
    'admin/create-user',
    'nothing',
  ]) {
    const { status, error } = await post(path, { name: 'x'.repeat(16 * 1024) })
    assert.equal(status, 413, path)
    assert.equal(error?.code, 'PAYLOAD_TOO_LARGE')
  }
  assert.equal((await post('sign-in/email', { email: 'a@example.com', password: 'x'.repeat(15_000) })).status, 400)
})

test('401: webhook of 100 kB → read whole, because payment events are larger', async () => {
  assert.equal((await post('payment-a/webhook', { object: 'x'.repeat(100_000) })).status, 401)
})

test('400: e-mail address of more than 254 characters, link to an image of more than 2 kB → refused', async () => {
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  for (const path of ['sign-up/email', 'sign-in/email']) {
    const { status, json } = await post(path, {
      email,
      password,
      ...(path.startsWith('sign-up') ? { name: 'Ann' } : {}),
    })
    assert.equal(status, 400, path)
    assert.equal(json.code, 'INVALID_EMAIL')
  }
  const ann = await kinora.person()
  const image = (length: number) => `https://example.com/${'x'.repeat(length - 20)}`
  assert.equal((await post('update-user', { image: image(2049) }, bearer(ann.token))).status, 400)
  assert.equal((await post('update-user', { image: image(2048) }, bearer(ann.token))).status, 200)
})

test('200: User-Agent of 8 kB → 512 characters of it are stored with the session', async () => {
  const body = { name: 'Cid', email: 'cid@example.com', password }
  assert.equal((await post('sign-up/email', body, { 'user-agent': 'x'.repeat(8_000) })).status, 200)
  const [row] = await kinora.app.sql<{ length: number }[]>`
    select max(length("userAgent")) as length from public.session
  `
  assert.equal(row?.length, 512)
})

test('200, 400: 100th API key of a user → made; 101st → refused; of four created at the same time with 98, two are kept', async () => {
  const ann = await kinora.person()
  const { sql } = kinora.app
  const make = () => post('api-key/create', { name: 'server' }, bearer(ann.token))
  assert.equal((await make()).status, 200)
  // Afterwards each sees those of the others.
  const responses = await makeFourKeysAtOnce(sql, ann.userId, make)
  const refused = responses.filter(({ status }) => status !== 200)
  for (const { status, json } of [...refused, await make()]) {
    assert.equal(status, 400)
    assert.equal(json.code, 'TOO_MANY_KEYS')
    assert.match(json.message, /^You have 100 keys/)
  }
  assert.equal(refused.length, 2)
  const keys = await sql`select from public.apikey where "referenceId" = ${ann.userId}`
  assert.equal(keys.length, 100)
  await sql`delete from public.apikey where "referenceId" = ${ann.userId} and key = 'copy 1'`
  assert.equal((await make()).status, 200)
})
