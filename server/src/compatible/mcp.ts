/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, by the protocol's own server package, which speaks the
 * stateless revision 2026-07-28 and those of 2025 with `initialize`. Every request builds a server of its own for its
 * caller; nothing is kept between requests. mcp-tools.ts has the tools.
 */
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseToken, requireScope } from '../account/key/scope.ts'
import type { App } from '../app.ts'
import { lazy } from '../async/lazy.ts'
import { AppError } from '../errors.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import { disconnection, userOf } from '../http/request/request.ts'
import { resourceMetadataUrl } from '../http/sign-in/oauth.ts'
import { type ErrorShape, registerFormat, removeNulls, type Shared } from './format.ts'
import { isForTokens, scopeOfTool } from './mcp-schemas.ts'
import type { McpCall } from './mcp-tool.ts'

export function registerMcp(server: FastifyInstance, app: App, { waitForFilm }: Shared): void {
  let opened: McpHttpHandler | undefined
  // Loaded on demand: the package and its schemas take 0.3 s of CPU time.
  const open = lazy(async () => {
    const [{ createMcpHandler }, { openTools }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-tools.ts'),
    ])
    const makeServer = openTools(app, waitForFilm)
    opened = createMcpHandler(({ authInfo }) => makeServer(callOf(authInfo)), {
      onerror: (err) => app.log.debug({ err }, 'an MCP request was refused'),
    })
    return opened
  })
  server.addHook('onClose', async () => opened?.close())

  registerFormat(server, { prefix: '/mcp', format: 'mcp', errorShape: jsonRpcError(app) }, (scope) => {
    scope.route({
      // HEAD is listed: the route that Fastify adds for it cannot send a Response.
      method: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposeHeadRoute: false,
      url: '/',
      config: { access: 'user', scope: 'any', team: 'viewer', token: true, test: true, audience: 'mcp' },
      schema: { hide: true },
      handler: async (request, reply) => {
        rejectForeignOrigin(request, app)
        requireScopes(request)
        await limitBatch(app, request, reply)
        for (const { method, params } of messagesOf(request))
          if (method === 'tools/call') removeNulls(params, NULL_DEPTH)
        const { fetch: serve } = await open()
        return reply.send(
          await serve(toWebRequest(request, reply, app), {
            authInfo: authInfoOf(request, reply),
            parsedBody: request.body,
          }),
        )
      },
    })
  })
}

/**
 * DNS rebinding protection, which the protocol requires: programs send no Origin, and a browser only the studio's.
 * @throws AppError FORBIDDEN
 */
function rejectForeignOrigin({ headers }: FastifyRequest, { config }: App): void {
  if (headers.origin === undefined || URL.parse(headers.origin)?.origin === URL.parse(config.publicUrl)?.origin) return
  throw new AppError('FORBIDDEN', 'This comes from a page at another address, which may not use MCP here.')
}

/**
 * The scopes of the tools that the request calls and of what it reads. @throws AppError INSUFFICIENT_SCOPE; FORBIDDEN
 * for a browser token
 */
function requireScopes(request: FastifyRequest): void {
  for (const { method, params } of messagesOf(request)) {
    if (method === 'tools/call') {
      requireScope(userOf(request), scopeOfTool(params?.name))
      if (!isForTokens(params?.name)) refuseToken(userOf(request))
    }
    if (method === 'resources/read') requireScope(userOf(request), 'read')
  }
}

/**
 * Counts the further messages of a batch: the limit of the route has counted the request as one. Together, because a
 * shared store of rate limits takes the attempts of one tick in one round trip.
 * @throws AppError RATE_LIMITED
 */
async function limitBatch(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const further = messagesOf(request).slice(1)
  await Promise.all(further.map(async () => limitAlso(app, request, reply, 'user')))
}

/** The deepest null is one of `arguments.shots[0].settings`. */
const NULL_DEPTH = 5

type Message = { method?: unknown; params?: { name?: unknown } }

const messagesOf = ({ body }: FastifyRequest): Message[] =>
  (Array.isArray(body) ? body : [body]).map((message) => (message ?? {}) as Message)

/** The request without its body, parsed already. Its signal ends a tool that waits when the client has gone. */
function toWebRequest({ method, url, headers: sent }: FastifyRequest, reply: FastifyReply, { config }: App): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, String(value))
  return new Request(new URL(url, config.publicUrl), { method, headers, signal: disconnection(reply) })
}

function authInfoOf(request: FastifyRequest, reply: FastifyReply): AuthInfo {
  const caller = userOf(request)
  const call: McpCall = { caller, request, reply }
  return { token: '', clientId: caller.userId, scopes: [], extra: { call } }
}

function callOf(authInfo: AuthInfo | undefined): McpCall {
  const call = authInfo?.extra?.call
  if (!call) throw new Error('an MCP server was built without its caller')
  return call as McpCall
}

const PARSE_ERROR = -32700
/** Error code of JSON-RPC, in the range of a server's own errors. */
const SERVER_ERROR = -32000

const jsonRpcError =
  ({ config }: App): ErrorShape =>
  (error, status, request, reply) => {
    // A client that has no credential finds here how its user can give it one (RFC 9728).
    const challenge = `Bearer realm="Kinora", resource_metadata="${resourceMetadataUrl(config)}"`
    if (status === 401) {
      const isWrong = request.headers.authorization !== undefined
      reply.header('www-authenticate', `${challenge}, scope="read generate"${isWrong ? ', error="invalid_token"' : ''}`)
    }
    if (error.code === 'INSUFFICIENT_SCOPE') {
      const { scope } = error.details as { scope: string }
      reply.header('www-authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`)
    }
    const isUnreadable = status === 400 && request.body === undefined
    return {
      jsonrpc: '2.0',
      id: null,
      error: { code: isUnreadable ? PARSE_ERROR : SERVER_ERROR, message: error.message, data: { code: error.code } },
    }
  }
