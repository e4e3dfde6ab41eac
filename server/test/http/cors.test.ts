/** CORS: pages of the sites in CORS_ORIGINS may call the API with a key, and no other page may. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'

const SHOP = 'https://shop.example.com'
const kinora = await openKinora({ env: { CORS_ORIGINS: `${SHOP}, http://localhost:3000` } })
const closed = await openKinora()

const preflight = (origin: string, { url } = kinora) =>
  fetch(`${url}/api/v1/video/generate`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

test('204: preflight from a site of CORS_ORIGINS → its origin, method and headers; never with cookies', async () => {
  const response = await preflight(SHOP)
  const { 'access-control-allow-methods': methods = '', ...others } = corsOf(response)
  assert.equal(response.status, 204)
  assert.match(methods, /\bPOST\b/)
  assert.deepEqual(others, {
    'access-control-allow-origin': SHOP,
    'access-control-allow-headers': 'authorization,content-type,idempotency-key',
    'access-control-max-age': '600',
    'access-control-expose-headers': '*',
  })
  assert.match(response.headers.get('vary') ?? '', /\borigin\b/i)
})

test('200, 401: site of CORS_ORIGINS → readable with its headers, also a refusal', async () => {
  const ann = await kinora.person()
  for (const headers of [{ authorization: `Bearer ${ann.token}` }, {}]) {
    const response = await fetch(`${kinora.url}/api/v1/credit/balance`, { headers: { origin: SHOP, ...headers } })
    assert.equal(response.status, 'authorization' in headers ? 200 : 401)
    assert.equal(response.headers.get('access-control-allow-origin'), SHOP)
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /^\*$/)
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
  }
})

test('200: any other origin, or no CORS_ORIGINS → no CORS header, so no page of it may read a response', async () => {
  for (const origin of ['https://example.com', `${SHOP}.evil.example`, 'https://shop.example.com:444', 'null']) {
    assert.deepEqual(corsOf(await preflight(origin)), {}, origin)
    const response = await fetch(`${kinora.url}/healthz`, { headers: { origin } })
    assert.deepEqual(corsOf(response), {}, origin)
  }
  assert.deepEqual(corsOf(await preflight(SHOP, closed)), {})
  assert.deepEqual(corsOf(await fetch(`${closed.url}/healthz`, { headers: { origin: SHOP } })), {})
})
