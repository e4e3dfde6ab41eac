/**
 * OAuth for MCP clients, end to end over HTTP: by the protocol's own client, and by requests that it would never send. One file,
 * although it is long: its tests share one service, and the browser and the client of one protocol.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { openKinora, type Person } from './harness.ts'
import { waitFor } from './video-row.ts'

const kinora = await openKinora()
const REDIRECT = 'http://127.0.0.1:33418/callback'
const film = { prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }

/** What an MCP client remembers; `url`: where it sends its user. */
function memory() {
  const stored: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; url?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Test <b>client</b>',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      stored.url = url
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier ?? '',
  }
  return { stored, provider }
}

const transportOf = (provider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(`${kinora.url}/mcp`), { authProvider: provider })
const newClient = () =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })

const get = (url: string, as?: Person) => kinora.call('GET', url, as ? { as } : {})
const form = (path: string, fields: Record<string, string>, as?: Person, headers: Record<string, string> = {}) =>
  kinora.call('POST', path, {
    ...(as ? { as } : {}),
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** What the browser of a signed-in user does: shows the consent page, and sends the decision. @returns where it is led */
async function decide(as: Person, address: URL, decision = 'allow'): Promise<URL> {
  const asked = await get(address.pathname + address.search, as)
  const location = asked.headers.get('location') ?? ''
  assert.match(location, /^\/oauth\/consent\?/)
  const page = await get(location, as)
  assert.equal(page.status, 200)
  const [, query = ''] = /name="query" value="([^"]*)"/.exec(page.text) ?? []
  const sent = await form('/oauth/consent', { decision, query: query.replaceAll('&#38;', '&') }, as)
  assert.equal(sent.status, 303, sent.text)
  return new URL(sent.headers.get('location') ?? '')
}

/** A client that the user has connected. */
async function connected(as: Person) {
  const { stored, provider } = memory()
  const first = transportOf(provider)
  await assert.rejects(newClient().connect(first), UnauthorizedError)
  assert.ok(stored.url)
  const back = await decide(as, stored.url)
  assert.equal(back.origin + back.pathname, REDIRECT)
  await first.finishAuth(back.searchParams)
  const client = newClient()
  await client.connect(transportOf(provider))
  return { client, stored, provider }
}

const balanceWith = (token: string) =>
  kinora.call('GET', '/api/v1/credit/balance', { headers: { authorization: `Bearer ${token}` } })
const mcp = (token: string) =>
  kinora.call('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
  })

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

async function register(change: object = {}) {
  const body = { client_name: 'Raw', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...change }
  const response = await kinora.call('POST', '/api/auth/oauth2/register', { body })
  return { ...response, clientId: (JSON.parse(response.text || '{}') as { client_id?: string }).client_id ?? '' }
}

const authorization = (clientId: string, change: Record<string, string> = {}) => {
  const url = new URL('/api/auth/oauth2/authorize', kinora.url)
  const parameters = { response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 's1' }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  url.search = new URLSearchParams({ ...parameters, ...pkce, scope: 'read', ...change }).toString()
  return url
}

const exchange = (clientId: string, change: Record<string, string>) =>
  form('/api/auth/oauth2/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT, code_verifier: verifier },
    ...change,
  })

test('an MCP client without a key → registers, its user consents, and it makes a film in the user’s name', async () => {
  const ann = await kinora.person()
  const { client, stored } = await connected(ann)
  const { structuredContent } = await client.callTool({ name: 'generate_video', arguments: film })
  const { uuid } = structuredContent as { uuid: string }
  assert.equal((await get(`/api/v1/video/${uuid}`, ann)).data.uuid, uuid)
  assert.equal((await kinora.balance(ann)).available, 44)
  assert.match(stored.tokens?.access_token ?? '', /^kinora_at_[\w-]{43}$/)
  assert.equal(stored.tokens?.scope?.includes('account'), false)
  await client.close()
})

test('metadata: resource and authorization server → what a client needs to begin; the challenge names them', async () => {
  const refused = await kinora.call('POST', '/mcp', { body: {} })
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const resource = JSON.parse((await get(new URL(address).pathname)).text)
  assert.equal(resource.resource, `${kinora.url}/mcp`)
  assert.deepEqual(resource.scopes_supported, ['read', 'generate'])
  const issuer = new URL(resource.authorization_servers[0])
  const server = JSON.parse((await get(`/.well-known/oauth-authorization-server${issuer.pathname}`)).text)
  assert.equal(server.issuer, issuer.href)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  for (const name of ['authorization', 'token', 'registration', 'revocation']) {
    assert.ok(server[`${name}_endpoint`].startsWith(`${kinora.url}/api/auth/oauth2/`))
  }
})

test('401: a token of OAuth → counts at /mcp alone, and for what was consented to', async () => {
  const ann = await kinora.person()
  const { clientId } = await register()
  const back = await decide(ann, authorization(clientId))
  assert.deepEqual([back.searchParams.get('state'), back.searchParams.get('iss')], ['s1', `${kinora.url}/api/auth`])
  const { status, text } = await exchange(clientId, { code: back.searchParams.get('code') ?? '' })
  assert.equal(status, 200, text)
  const { access_token: token, scope } = JSON.parse(text) as { access_token: string; scope: string }
  assert.equal(scope, 'read')
  assert.equal((await mcp(token)).status, 200)
  assert.equal((await balanceWith(token)).status, 401)
  assert.equal((await kinora.call('GET', '/api/v1/key', { headers: { 'x-api-key': token } })).status, 401)
  const refused = await kinora.call('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'generate_video', arguments: film } },
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
  })
  assert.equal(refused.status, 403)
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="generate"/)
})

test('400: a code → counts once, with its verifier, for its client and its address', async () => {
  const ann = await kinora.person()
  const [{ clientId }, { clientId: other }] = [await register(), await register()]
  const codeOf = async () =>
    (await decide(ann, authorization(clientId, { prompt: 'consent' }))).searchParams.get('code')
  const wrong = [
    { code_verifier: randomBytes(32).toString('base64url') },
    { redirect_uri: 'http://127.0.0.1:33418/other' },
    { client_id: other },
    { resource: 'https://other.example/mcp' },
  ]
  for (const change of wrong) {
    const { status, text } = await exchange(clientId, { code: (await codeOf()) ?? '', ...change })
    assert.ok(status === 400 || status === 401, `${JSON.stringify(change)}: ${status} ${text}`)
  }
  const code = (await codeOf()) ?? ''
  const first = await exchange(clientId, { code })
  assert.equal(first.status, 200)
  const { access_token: token } = JSON.parse(first.text) as { access_token: string }
  assert.equal((await exchange(clientId, { code })).status, 400)
  // The code was stolen, so the token that it gave ends, too.
  await waitFor('the end of the token', async () => (await mcp(token)).status === 401)
})

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
    client_name: 'a\u202Eb'.padEnd(500, 'x'),
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

test('400: refresh token → no refresh moves its absolute end, 90 days after the consent', async () => {
  const ann = await kinora.person()
  const { client, stored } = await connected(ann)
  await client.close()
  const { sql } = kinora.app
  const refresh = async (token = '') => {
    const clientId = stored.client?.client_id ?? ''
    const { status, text } = await form('/api/auth/oauth2/token', {
      ...{ grant_type: 'refresh_token', client_id: clientId, refresh_token: token },
    })
    return { status, token: (JSON.parse(text) as { refresh_token?: string }).refresh_token }
  }
  const daysLeft = async () => {
    const [row] = await sql<{ end: number; expiry: number }[]>`
      select round(extract(epoch from "endsAt" - now()) / 86400)::int as end,
             round(extract(epoch from "expiresAt" - now()) / 86400)::int as expiry
      from public."oauthRefreshToken"
      where "userId" = ${ann.userId} and revoked is null
    `
    return row
  }
  assert.deepEqual(await daysLeft(), { end: 90, expiry: 30 })
  // 70 days pass in which the program refreshes.
  await sql`update public."oauthRefreshToken" set "endsAt" = "endsAt" - interval '70 days' where "userId" = ${ann.userId}`
  const renewed = await refresh(stored.tokens?.refresh_token)
  assert.equal(renewed.status, 200)
  assert.deepEqual(await daysLeft(), { end: 20, expiry: 20 })
  await sql`update public."oauthRefreshToken" set "endsAt" = "endsAt" - interval '21 days' where "userId" = ${ann.userId}`
  const last = await refresh(renewed.token)
  assert.equal((await refresh(last.token)).status, 400)
})

test('refresh → a new token; disconnected, revoked or locked → refused everywhere within a second', async () => {
  const ann = await kinora.person()
  const { client, stored } = await connected(ann)
  const clientId = stored.client?.client_id ?? ''
  const refresh = (token: string) =>
    form('/api/auth/oauth2/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
  const renewed = await refresh(stored.tokens?.refresh_token ?? '')
  assert.equal(renewed.status, 200, renewed.text)
  const tokens = JSON.parse(renewed.text) as { access_token: string; refresh_token: string }
  assert.equal((await mcp(tokens.access_token)).status, 200)

  await form('/api/auth/oauth2/revoke', { client_id: clientId, token: tokens.access_token })
  await waitFor('the end of the revoked token', async () => (await mcp(tokens.access_token)).status === 401)

  const again = JSON.parse((await refresh(tokens.refresh_token)).text) as typeof tokens
  await kinora.app.sql`update public."user" set banned = true where id = ${ann.userId}`
  await waitFor('the lock', async () => (await mcp(again.access_token)).status === 401)
  await kinora.app.sql`update public."user" set banned = false where id = ${ann.userId}`
  await waitFor('the unlock', async () => (await mcp(again.access_token)).status === 200)

  const page = await get('/oauth/apps', ann)
  assert.ok(page.text.includes('Test &#60;b&#62;client'))
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(page.text) ?? []
  const eve = await kinora.person()
  await form('/oauth/apps', { id }, eve)
  assert.equal((await mcp(again.access_token)).status, 200)
  const startMs = performance.now()
  assert.equal((await form('/oauth/apps', { id }, ann)).status, 303)
  await waitFor('the end of the connection', async () => (await mcp(again.access_token)).status === 401)
  assert.ok(performance.now() - startMs < 2_000)
  assert.equal((await refresh(again.refresh_token)).status, 400)
  assert.match((await get('/oauth/apps', ann)).text, /No program is connected/)
  await client.close()
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
