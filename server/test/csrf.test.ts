/** What pages of others can have a signed-in browser do: nothing. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from './harness.ts'

const kinora = await openKinora()

function cookieOf({ token }: Person): string {
  const signature = createHmac('sha256', kinora.app.config.authSecret).update(token).digest('base64')
  return `kinora.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

const otherPages: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
]
const ourPages: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin', origin: kinora.url },
  { 'sec-fetch-site': 'none' },
  { origin: kinora.url },
  {},
]

test('403: a page at another address cannot cancel, delete, pay or check by the cookie', async () => {
  const ann = await kinora.person({ role: 'admin' })
  const { uuid } = (await kinora.generate(ann)).data
  const cookie = cookieOf(ann)
  for (const [method, path] of [
    ['POST', `/api/v1/video/${uuid}/cancel`],
    ['DELETE', `/api/v1/video/${uuid}`],
    ['POST', '/api/v1/billing/portal'],
    ['POST', '/api/v1/admin/ledger/check'],
  ] as const) {
    for (const headers of otherPages) {
      const { status, error } = await kinora.call(method, path, { headers: { cookie, ...headers } })
      assert.deepEqual([status, error?.code], [403, 'FORBIDDEN'], `${method} ${path} ${JSON.stringify(headers)}`)
    }
  }
  const { data } = await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })
  assert.equal(data.status, 'PENDING')
})

test('200: our own pages and programs can; a token or a key counts wherever it comes from', async () => {
  const ann = await kinora.person({ credits: 200 })
  const cookie = cookieOf(ann)
  const make = async () => `/api/v1/video/${(await kinora.generate(ann)).data.uuid}`
  for (const headers of ourPages) {
    const { status } = await kinora.call('DELETE', await make(), { headers: { cookie, ...headers } })
    assert.equal(status, 200, JSON.stringify(headers))
  }
  for (const headers of otherPages) {
    assert.equal((await kinora.call('DELETE', await make(), { as: ann, headers })).status, 200, JSON.stringify(headers))
    assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { headers: { cookie, ...headers } })).status, 200)
  }
})
