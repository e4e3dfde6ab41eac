/** CSRF: a state-changing request from a foreign page, authenticated by the session cookie, is refused. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora()

function cookieOf({ token }: Person): string {
  const signature = createHmac('sha256', kinora.app.config.authSecret).update(token).digest('base64')
  return `kinora.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

const crossSiteHeaders: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
]
const sameOriginHeaders: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin', origin: kinora.url },
  { 'sec-fetch-site': 'none' },
  { origin: kinora.url },
  {},
]

test('403: cross-site request with the session cookie → refused, nothing changes', async () => {
  const ann = await kinora.person({ role: 'admin' })
  const { uuid } = (await kinora.generate(ann)).data
  const cookie = cookieOf(ann)
  for (const [method, path] of [
    ['POST', `/api/v1/video/${uuid}/cancel`],
    ['DELETE', `/api/v1/video/${uuid}`],
    ['POST', '/api/v1/billing/portal'],
    ['POST', '/api/v1/admin/ledger/check'],
  ] as const) {
    for (const headers of crossSiteHeaders) {
      const { status, error } = await kinora.call(method, path, { headers: { cookie, ...headers } })
      assert.deepEqual([status, error?.code], [403, 'FORBIDDEN'], `${method} ${path} ${JSON.stringify(headers)}`)
    }
  }
  const { data } = await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })
  assert.equal(data.status, 'PENDING')
})

test('200: same-origin request with the cookie, or cross-site with a token, or a GET → accepted', async () => {
  const ann = await kinora.person({ credits: 200 })
  const cookie = cookieOf(ann)
  const make = async () => `/api/v1/video/${(await kinora.generate(ann)).data.uuid}`
  for (const headers of sameOriginHeaders) {
    const { status } = await kinora.call('DELETE', await make(), { headers: { cookie, ...headers } })
    assert.equal(status, 200, JSON.stringify(headers))
  }
  for (const headers of crossSiteHeaders) {
    assert.equal((await kinora.call('DELETE', await make(), { as: ann, headers })).status, 200, JSON.stringify(headers))
    assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { headers: { cookie, ...headers } })).status, 200)
  }
})
