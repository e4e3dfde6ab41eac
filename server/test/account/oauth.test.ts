/** OAuth for MCP clients, end to end over HTTP: metadata, codes, tokens, and how they end. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { oauthClients } from '../support/oauth-client.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { get, form, decide, connected, balanceWith, mcp, register, authorization, exchange } = oauthClients(kinora)
const film = { prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }

test('OAuth: MCP client without a key → registers, its user consents, and it makes a film in the user’s name', async () => {
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

test('OAuth: film of a connected program → list, history and usage name it; once it is disconnected its kind alone', async () => {
  const ann = await kinora.person()
  const { client } = await connected(ann)
  await client.callTool({ name: 'generate_video', arguments: film })
  await client.close()
  const [consent] = await kinora.app.sql<
    [{ id: string }]
  >`select id from public."oauthConsent" where "userId" = ${ann.userId}`
  const assertName = async (name: string | null) => {
    for (const path of ['video/list', 'credit/history', 'credit/usage?by=maker'])
      assert.deepEqual(
        (await get(`/api/v1/${path}`, ann)).data.makers,
        [{ id: consent.id, name, kind: 'program' }],
        path,
      )
  }
  await assertName('Test <b>client</b>')
  assert.equal((await form('/oauth/apps', { id: consent.id }, ann)).status, 303)
  await assertName(null)
})

test('OAuth metadata: resource and authorization server → what a client needs; WWW-Authenticate links to them', async () => {
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

test('401: OAuth access token → valid at /mcp only, within the consented scopes', async () => {
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

test('OAuth: refresh → a new token; disconnected, revoked or locked → refused everywhere within a second', async () => {
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
