/**
 * OAuth 2.1 for MCP clients over HTTP: the metadata of the protected resource (RFC 9728) and of the authorization
 * server (RFC 8414), and the endpoints that better-auth's plugin serves (account/oauth.ts), each with the parameters
 * that it may have. Invariant: a redirect leaves this service only to an address that the client has registered (open
 * redirect): the plugin compares it before it redirects there.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../account/auth.ts'
import {
  beginAuthorization,
  boundClients,
  CONNECT_PAGE,
  issuerOf,
  OAUTH_SCOPES,
  OFFLINE_ACCESS,
  resourceOf,
} from '../../account/oauth.ts'
import { errorUrl } from '../../account/sign-in-providers.ts'
import type { App } from '../../app.ts'
import { cleanName } from '../../text/name.ts'
import { rawBodyOf } from '../request/request-body.ts'
import { sendOauthError } from './oauth-pages.ts'

const VALUE_CHARACTERS_MAX = 4096
const BODY_BYTES_MAX = 16 * 1024
const NAME_CHARACTERS_MAX = 100
const REDIRECT_URIS_MAX = 10

/** Parameters of an authorization request. Others are dropped. */
const authorizationParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
]
/** Parameters of the request of a token and of its revocation. */
const tokenParameters = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
  'scope',
  'token',
  'token_type_hint',
]

type Passed = {
  toRequest: (app: App, request: FastifyRequest, url: URL, body: Buffer) => Request
  send: (reply: FastifyReply, response: Response) => FastifyReply
}

/** Where a client that has no token finds the authorization server. */
export const resourceMetadataUrl = ({ publicUrl }: App['config']): string =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp`

export function registerOauthMetadata(server: FastifyInstance, { config }: App): void {
  const issuer = issuerOf(config)
  const resource = {
    resource: resourceOf(config),
    resource_name: config.site.name,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: OAUTH_SCOPES,
  }
  const authorizationServer = {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    registration_endpoint: `${issuer}/oauth2/register`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
  const serve = (urls: string[], document: object) => {
    const text = JSON.stringify(document)
    for (const url of urls) {
      server.get(url, { schema: { hide: true } }, async (_request, reply) =>
        // Public, and read by pages of other sites, such as a debugger of MCP servers.
        reply
          .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
          .type('application/json')
          .send(text),
      )
    }
  }
  const wellKnown = '/.well-known/oauth'
  serve([`${wellKnown}-protected-resource`, `${wellKnown}-protected-resource/mcp`], resource)
  // The address of clients from before RFC 9728 is the one without a path.
  serve([`${wellKnown}-authorization-server`, `${wellKnown}-authorization-server/api/auth`], authorizationServer)
}

/** @param scope routes whose bodies arrive as they were sent */
export function registerOauth(scope: FastifyInstance, app: App, auth: Auth, { toRequest, send }: Passed): void {
  const { config } = app
  const urlOf = (name: string) => new URL(`/api/auth/oauth2/${name}`, config.publicUrl)

  /** Only what the plugin may read: a cookie or another credential would make the caller a user. */
  const forward = (request: FastifyRequest, url: URL, body: string): Request => {
    const forwarded = toRequest(app, request, url, Buffer.from(body))
    forwarded.headers.delete('cookie')
    const { authorization = '' } = request.headers
    if (/^basic /i.test(authorization)) forwarded.headers.set('authorization', authorization)
    else forwarded.headers.delete('authorization')
    return forwarded
  }
  const respond = async (reply: FastifyReply, response: Response) => {
    const text = await response.text()
    if (response.status >= 500) throw new Error(`better-auth failed with ${response.status}: ${text}`)
    send(reply, response).header('cache-control', 'no-store')
    return text ? reply.type('application/json').serializer(String).send(text) : reply.send()
  }
  const options = { config: { access: 'optional' }, bodyLimit: BODY_BYTES_MAX, schema: { hide: true } } as const

  // Of a user who has consented it makes a code at once.
  const authorize = { ...options, config: { ...options.config, impersonation: 'none' } } as const
  scope.get('/api/auth/oauth2/authorize', authorize, async (request, reply) => {
    const sent = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
    const url = urlOf('authorize')
    url.search = allowed(sent, authorizationParameters, resourceOf(config)).toString()
    // An API key is no user who consents.
    if (request.caller === null || request.caller.key !== null)
      return reply.redirect(`${CONNECT_PAGE}${url.search}`, 302)
    const { searchParams } = url
    const scopes = (searchParams.get('scope') || OAUTH_SCOPES.join(' ')).split(' ')
    const refreshes = await beginAuthorization(app, request.caller.userId, searchParams.get('client_id') ?? '')
    searchParams.set('scope', [...new Set([...scopes, ...(refreshes ? [OFFLINE_ACCESS] : [])])].join(' '))
    const forwarded = toRequest(app, request, url, Buffer.alloc(0))
    forwarded.headers.set('accept', 'text/html')
    forwarded.headers.delete('sec-fetch-mode')
    const response = await auth.handler(forwarded)
    const location = response.headers.get('location') ?? ''
    if (location.startsWith(errorUrl(config)) || response.status >= 400 || location === '') {
      return sendOauthError(app, reply, URL.parse(location)?.searchParams.get('error_description') ?? 'invalid request')
    }
    return reply.redirect(location, 302)
  })

  for (const name of ['token', 'revoke'] as const) {
    scope.post(`/api/auth/oauth2/${name}`, options, async (request, reply) => {
      const sent = new URLSearchParams(rawBodyOf(request).toString())
      const body = allowed(sent, tokenParameters, name === 'token' ? resourceOf(config) : null)
      const forwarded = forward(request, urlOf(name), body.toString())
      forwarded.headers.set('content-type', 'application/x-www-form-urlencoded')
      return respond(reply, await auth.handler(forwarded))
    })
  }

  const registerOptions = { ...options, config: { access: 'optional', limit: 'register' } } as const
  scope.post('/api/auth/oauth2/register', registerOptions, async (request, reply) => {
    const metadata = clientMetadata(rawBodyOf(request).toString())
    await boundClients(app)
    const forwarded = forward(request, urlOf('register'), JSON.stringify(metadata))
    forwarded.headers.delete('authorization')
    forwarded.headers.set('content-type', 'application/json')
    return respond(reply, await auth.handler(forwarded))
  })
}

/** @param resource what the request is for when it does not say; null: it is for none */
function allowed(sent: URLSearchParams, names: readonly string[], resource: string | null): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of names) {
    const value = sent.get(name)
    if (value !== null && value.length <= VALUE_CHARACTERS_MAX) kept.set(name, value)
  }
  if (resource !== null && !kept.has('resource')) kept.set('resource', resource)
  return kept
}

/**
 * What is kept of a registration. A client that names no type and comes back to its own machine, or to a scheme of its
 * own, is a native one (RFC 8252), as most MCP clients are.
 */
function clientMetadata(text: string): Record<string, unknown> {
  const sent = parse(text)
  const uris = Array.isArray(sent.redirect_uris) ? sent.redirect_uris.slice(0, REDIRECT_URIS_MAX).map(String) : []
  const isNative = uris.every((uri) => !uri.startsWith('https:'))
  const name = typeof sent.client_name === 'string' ? sent.client_name : ''
  const kept = ['grant_types', 'response_types', 'token_endpoint_auth_method'].flatMap((field) =>
    sent[field] === undefined ? [] : [[field, sent[field]]],
  )
  return {
    ...Object.fromEntries(kept),
    client_name: cleanName(name, NAME_CHARACTERS_MAX),
    redirect_uris: uris,
    application_type: typeof sent.application_type === 'string' ? sent.application_type : isNative ? 'native' : 'web',
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
