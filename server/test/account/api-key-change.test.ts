/** Changing the limits of an API key: scopes, budget, expiry and name, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const DAY_S = 86_400

type Key = {
  id: string
  key: string
  name: string
  scopes: string[]
  budget: { credits: number; period: string; used: number } | null
  expiresAt: string | null
}
const post = async (as: Person, path: string, body: object) => {
  const { status, text } = await kinora.call('POST', `/api/auth/api-key/${path}`, { as, body })
  return { status, key: JSON.parse(text) as Key & { code?: string } }
}
const create = async (as: Person, limits: object = {}) => (await post(as, 'create', { name: 'k', ...limits })).key
const generateWith = async (key: string) =>
  (await kinora.call('POST', '/api/v1/video/generate', { body: generateBody, headers: { 'x-api-key': key } })).status

test('200: scopes, budget, expiry and name of a key changed → effective within a second; omitted fields unchanged', async () => {
  const ann = await kinora.person()
  const { id: keyId, key } = await create(ann, { scopes: ['read'] })
  assert.equal(await generateWith(key), 403)
  const wider = await post(ann, 'update', { keyId, scopes: ['read', 'generate'] })
  assert.deepEqual([wider.status, wider.key.scopes, wider.key.name], [200, ['read', 'generate'], 'k'])
  await waitFor('the wider scopes', async () => (await generateWith(key)) === 200)

  const budget = { credits: 20, period: 'day' }
  const bounded = await post(ann, 'update', { keyId, budget, name: 'bounded', expiresIn: 2 * DAY_S })
  assert.deepEqual([bounded.key.name, bounded.key.scopes], ['bounded', ['read', 'generate']])
  assert.deepEqual({ ...bounded.key.budget, resetAt: undefined }, { ...budget, used: 16, resetAt: undefined })
  assert.ok(Math.abs(Date.parse(bounded.key.expiresAt ?? '') - Date.now() - 2 * DAY_S * 1000) < 60_000)
  assert.equal(await generateWith(key), 402)

  const free = await post(ann, 'update', { keyId, budget: null, expiresIn: null, scopes: ['read'] })
  assert.deepEqual([free.key.budget, free.key.expiresAt, free.key.name], [null, null, 'bounded'])
  await waitFor('the narrower scopes', async () => (await generateWith(key)) === 403)
})

test('400, 403, 404: wrong limits, an old sign-in without the password, another user’s key → unchanged', async () => {
  const [ann, eve] = [await kinora.person(), await kinora.person()]
  const { id: keyId } = await create(ann, { scopes: ['read'] })
  for (const change of [
    { scopes: [] },
    { scopes: ['all'] },
    { budget: { credits: 0, period: 'day' } },
    { expiresIn: 1 },
  ]) {
    assert.equal((await post(ann, 'update', { keyId, ...change })).status, 400, JSON.stringify(change))
  }
  assert.equal((await post(eve, 'update', { keyId, scopes: ['account'] })).status, 404)
  await kinora.app.sql`update public.session set "createdAt" = now() - interval '1 hour' where "userId" = ${ann.userId}`
  const old = await post(ann, 'update', { keyId, scopes: ['account'] })
  assert.deepEqual([old.status, old.key.code], [403, 'FORBIDDEN'])
  // A name is no right.
  assert.deepEqual((await post(ann, 'update', { keyId, name: 'n' })).key.scopes, ['read'])
})
