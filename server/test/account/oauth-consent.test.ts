/** OAuth for MCP clients: registration, requests for authorization, and the page that asks for consent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { oauthClients, REDIRECT } from '../support/oauth-client.ts'

const kinora = await openKinora()
const { get, form, decide, register, authorization } = oauthClients(kinora)

test('400: an authorization with an address that is not registered, or without PKCE → no redirect with a code', async () => {
  const ann = await kinora.person()
  const { clientId } = await register()
  const elsewhere = [
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: `${REDIRECT}/more` },
    { redirect_uri: `${REDIRECT}?x=1` },
    { redirect_uri: 'http://localhost:33418/callback' },
    { redirect_uri: 'javascript:alert(1)' },
    { client_id: 'unknown' },
  ]
  for (const change of elsewhere) {
    const { status, headers } = await get(authorization(clientId, change).href.slice(kinora.url.length), ann)
    assert.deepEqual([status, headers.get('location')], [400, null], JSON.stringify(change))
  }
  const errors = [{ code_challenge: '' }, { code_challenge_method: 'plain' }, { scope: 'account' }, { scope: 'openid' }]
  for (const change of errors) {
    const { headers } = await get(authorization(clientId, change).href.slice(kinora.url.length), ann)
    const location = headers.get('location')
    assert.ok(location === null || (location.startsWith(`${REDIRECT}?`) && /error=/.test(location)), `${location}`)
  }
  // The port of the user's own machine may differ (RFC 8252); nothing else may.
  const port = await get(
    authorization(clientId, { redirect_uri: 'http://127.0.0.1:4711/callback' }).href.slice(kinora.url.length),
    ann,
  )
  assert.match(port.headers.get('location') ?? '', /^\/oauth\/consent\?/)
})

test('400: a registration with an address that a browser must not be led to → refused', async () => {
  for (const uri of [
    'javascript:alert(1)',
    'http://evil.example/cb',
    'data:text/html,x',
    'https://a@b.example/',
    'x',
  ]) {
    assert.equal((await register({ redirect_uris: [uri] })).status, 400, uri)
  }
  assert.equal((await register({ redirect_uris: [] })).status, 400)
  assert.equal((await register({ grant_types: ['client_credentials'] })).status, 400)
  const kept = await register({
    redirect_uris: ['https://claude.example/cb'],
    client_name: 'a\u202E\u200bb'.padEnd(500, 'x'),
  })
  assert.equal(kept.status, 201)
  assert.equal((JSON.parse(kept.text) as { client_name: string }).client_name.length, 100)
})

test('consent: page → shows program and address, escaped; refused or forged → no code; without a session → sign-in first', async () => {
  const ann = await kinora.person()
  const { clientId } = await register({ client_name: '<script>alert(1)</script>' })
  const address = authorization(clientId)
  const { headers } = await get(address.pathname + address.search)
  assert.equal(headers.get('location')?.startsWith(`/connect?response_type=code&client_id=${clientId}`), true)

  const location = (await get(address.pathname + address.search, ann)).headers.get('location') ?? ''
  const page = await get(location, ann)
  assert.ok(!page.text.includes('<script>') && page.text.includes('127.0.0.1:33418'))
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/127\.0\.0\.1:33418;/)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.match((await decide(ann, address, 'deny')).search, /error=access_denied/)

  const forged = location.slice('/oauth/consent?'.length).replace('scope=read', 'scope=read+generate')
  assert.equal((await form('/oauth/consent', { decision: 'allow', query: forged }, ann)).status, 400)
  const crossSite = { 'sec-fetch-site': 'cross-site', cookie: 'kinora.session_token=x' }
  const query = location.slice('/oauth/consent?'.length)
  assert.equal((await form('/oauth/consent', { decision: 'allow', query }, undefined, crossSite)).status, 403)
  assert.equal((await form('/oauth/consent', { decision: 'allow', query })).status, 401)
})

test('consent page and list of programs: user of the studio in Chinese → Chinese, errors too', async () => {
  const ann = await kinora.person()
  await kinora.app.sql`update public."user" set "language" = 'zh-Hans' where id = ${ann.userId}`
  const { clientId } = await register({ client_name: '纸船' })
  const address = authorization(clientId, { scope: 'read generate offline_access' })
  const location = (await get(address.pathname + address.search, ann)).headers.get('location') ?? ''
  const pages = [(await get(location, ann)).text]
  await decide(ann, address)
  pages.push((await get('/oauth/apps', ann)).text)
  assert.ok((await get(`${address.pathname}?client_id=unknown`, ann)).text.includes('无法连接此程序'))
  for (const page of pages) {
    assert.match(page, /<html lang="zh-Hans">/)
    const shown = page.replace(/<style>.*<\/style>|<[^>]*>/gs, ' ').replaceAll('127.0.0.1', '')
    assert.deepEqual(
      (shown.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => word !== 'Kinora'),
      [],
    )
  }
})

test('429: the 21st registration of a network in an hour → refused; clients that no user has connected → the latest 1,000 are kept', async () => {
  await kinora.app.sql`
    insert into public."oauthClient" ("id", "clientId", "redirectUris", "createdAt")
    select 'old' || n, 'old' || n, '[]', '2020-01-01' from generate_series(1, 1100) n
  `
  await register()
  const [row] = await kinora.app.sql<{ count: number }[]>`
    select count(*)::int as count from public."oauthClient" c
    where not exists (select from public."oauthConsent" k where k."clientId" = c."clientId")
  `
  assert.equal(row?.count, 1000)
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const send = () => fetch(`${url}/api/auth/oauth2/register`, { method: 'POST', body: '{}' })
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await send()).status))
    assert.deepEqual(new Set(statuses), new Set([400]))
    assert.equal((await send()).status, 429)
  })
})
