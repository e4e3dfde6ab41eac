/** API keys: created, listed and revoked by their owner; shown once, stored as a hash. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora()
const DAY_MS = 86_400_000

async function keys(as: Person, method: string, path: string, body?: unknown) {
  const response = await kinora.call(method, `/api/auth/api-key/${path}`, { as, body })
  return { ...response, json: response.text ? JSON.parse(response.text) : null }
}

const make = async (as: Person, more: Record<string, unknown> = {}) =>
  (await keys(as, 'POST', 'create', { name: 'server', ...more })).json as { id: string; key: string }

const balanceStatus = async (key: string) =>
  (await kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })).status

test('200: new API key → shown once, authenticates its owner', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { key } = await make(ann)
  assert.match(key, /^kin_\w{40,}$/)
  const { data } = await kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })
  assert.equal(data.available, 60)
  const made = await kinora.call('POST', '/api/v1/video/generate', {
    headers: { 'x-api-key': key },
    body: { prompt: 'boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
  })
  assert.equal(made.status, 200)

  const list = await keys(ann, 'GET', 'list')
  assert.match(list.text, /"name":"server"/)
  assert.ok(!list.text.includes(key) && !list.text.includes(key.slice(4)), 'a list never shows the key again')
})

test('storage: API key → only its hash is stored, with the time of its last use', async () => {
  const ann = await kinora.person()
  const { id, key } = await make(ann)
  await balanceStatus(key)
  const [row] = await kinora.app.sql<{ key: string; lastRequest: Date | null }[]>`
    select * from public.apikey where id = ${id}
  `
  assert.ok(row)
  assert.ok(!JSON.stringify(row).includes(key.slice(4)))
  assert.match(row.key, /^[\w-]{43}$/)
  assert.ok(row.lastRequest)
})

test('200: API key of an administrator → may call administrators’ routes', async () => {
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const { key } = await make(root)
  const headers = { 'x-api-key': key }
  const { status } = await kinora.call('POST', '/api/v1/admin/credits/add', { body: { credits: 1 }, headers })
  assert.equal(status, 200)
})

test('401: revoked API key → refused within a second', async () => {
  const ann = await kinora.person()
  const { id, key } = await make(ann)
  assert.equal(await balanceStatus(key), 200)
  assert.equal((await keys(ann, 'POST', 'delete', { keyId: id })).status, 200)
  await assertRefusedWithinASecond(() => balanceStatus(key))
  assert.doesNotMatch((await keys(ann, 'GET', 'list')).text, /"name":"server"/)
})

test('401: disabled or expired API key → refused', async () => {
  const ann = await kinora.person()
  const off = await make(ann)
  assert.equal((await keys(ann, 'POST', 'update', { keyId: off.id, enabled: false })).status, 200)
  assert.equal(await balanceStatus(off.key), 401)
  const short = await make(ann, { expiresIn: 86_400 })
  kinora.turnClock(DAY_MS + 60_000)
  assert.equal(await balanceStatus(short.key), 401)
})

test('401: altered API key, or a session token as x-api-key → refused', async () => {
  const ann = await kinora.person()
  const { key } = await make(ann)
  const changed = [key.slice(0, -1), `${key}x`, key.replace('kin_', ''), key.toUpperCase(), ann.token, 'kin_', '']
  for (const each of changed) assert.equal(await balanceStatus(each), 401, each)
})

test('401, 404: another user’s API key → not listed, deleted or changed (IDOR)', async () => {
  const [ann, eve] = [await kinora.person(), await kinora.person()]
  const { id, key } = await make(ann)
  assert.doesNotMatch((await keys(eve, 'GET', 'list')).text, /"name":"server"/)
  assert.ok((await keys(eve, 'POST', 'delete', { keyId: id })).status >= 400)
  assert.ok((await keys(eve, 'POST', 'update', { keyId: id, enabled: false })).status >= 400)
  assert.equal((await kinora.call('POST', '/api/auth/api-key/create', { body: { name: 'x' } })).status, 401)
  assert.equal((await kinora.call('GET', '/api/auth/api-key/list')).status, 401)
  assert.equal(await balanceStatus(key), 200)
})

test('401: API key as credential → creates no key and gets no session', async () => {
  const ann = await kinora.person()
  const headers = { 'x-api-key': (await make(ann)).key }
  assert.equal((await kinora.call('POST', '/api/auth/api-key/create', { body: { name: 'x' }, headers })).status, 401)
  assert.equal((await kinora.call('GET', '/api/auth/get-session', { headers })).text, 'null')
})

test('400: API key without a name → refused', async () => {
  const ann = await kinora.person()
  assert.equal((await keys(ann, 'POST', 'create', {})).status, 400)
})
