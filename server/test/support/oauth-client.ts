/** Clients of OAuth, on one service: the protocol's own, and raw requests that it would never send. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Kinora, Person } from './harness.ts'

export const REDIRECT = 'http://127.0.0.1:33418/callback'

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

export function oauthClients(kinora: Kinora) {
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

  /** What the browser of a signed-in user does: shows the consent page, sends the decision. @returns where it leads */
  async function decide(as: Person, address: URL, decision = 'allow', fields = {}): Promise<URL> {
    const asked = await get(address.pathname + address.search, as)
    const location = asked.headers.get('location') ?? ''
    assert.match(location, /^\/oauth\/consent\?/)
    const page = await get(location, as)
    assert.equal(page.status, 200)
    const [, query = ''] = /name="query" value="([^"]*)"/.exec(page.text) ?? []
    const sent = await form('/oauth/consent', { decision, query: query.replaceAll('&#38;', '&'), ...fields }, as)
    assert.equal(sent.status, 303, sent.text)
    return new URL(sent.headers.get('location') ?? '')
  }

  /** A client that the user has connected. @param fields of the consent form: owner and budget */
  async function connected(as: Person, fields = {}) {
    const { stored, provider } = memory()
    const first = transportOf(provider)
    await assert.rejects(newClient().connect(first), UnauthorizedError)
    assert.ok(stored.url)
    const back = await decide(as, stored.url, 'allow', fields)
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

  return { get, form, decide, connected, balanceWith, mcp, register, authorization, exchange }
}

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
