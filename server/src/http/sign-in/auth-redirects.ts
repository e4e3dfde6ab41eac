/**
 * Addresses of `/api/auth` at which a browser arrives from elsewhere, with a sign-in under way: better-auth serves them and
 * redirects. Invariant: no redirect leaves this service (open redirect).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../account/auth.ts'
import { errorUrl } from '../../account/sign-in-providers.ts'
import type { App } from '../../app.ts'
import { unknownAuthPath } from './auth-errors.ts'

const VALUE_CHARACTERS_MAX = 4096
/** Parameters of an authorization response (RFC 6749, RFC 9207). */
const parameters = ['code', 'state', 'error', 'error_description', 'iss']

type Passed = {
  toRequest: (app: App, request: FastifyRequest, url: URL, body: Buffer) => Request
  send: (reply: FastifyReply, response: Response) => FastifyReply
}

export function registerAuthRedirects(scope: FastifyInstance, app: App, auth: Auth, { toRequest, send }: Passed): void {
  const { publicUrl, signIn } = app.config
  scope.get<{ Params: { id: string } }>(
    '/api/auth/callback/:id',
    { config: { access: 'optional' }, schema: { hide: true } },
    async (request, reply) => {
      const { id } = request.params
      if (!signIn.providers.some((provider) => provider.id === id)) {
        return reply.code(404).type('application/json').send(JSON.stringify(unknownAuthPath()))
      }
      const sent = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
      const url = new URL(`/api/auth/callback/${id}`, publicUrl)
      for (const name of parameters) {
        const value = sent.get(name)
        if (value !== null && value.length <= VALUE_CHARACTERS_MAX) url.searchParams.set(name, value)
      }
      const response = await auth.handler(toRequest(app, request, url, Buffer.alloc(0)))
      const location = URL.parse(response.headers.get('location') ?? '', publicUrl)
      send(reply, response)
      if (location?.origin !== new URL(publicUrl).origin) {
        return reply.redirect(`${errorUrl(app.config)}?error=failed`, 302)
      }
      return reply.redirect(location.href, 302)
    },
  )
}
