/**
 * Parts of a request that several routes read: the caller, a user id of an administrator's request, and whether its
 * client has gone.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Caller, signedIn } from '../../account/credential/credential.ts'
import { userExists } from '../../account/user.ts'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import { isUuid } from '../../id.ts'

/** A server whose handlers have the types of their routes' schemas. */
export const typed = (server: FastifyInstance) => server.withTypeProvider<TypeBoxTypeProvider>()
export type Http = ReturnType<typeof typed>

/** The authenticated caller of a route with `access`. */
export const userOf = (request: Pick<FastifyRequest, 'caller'>): Caller => signedIn(request.caller)

/** Any of the three credentials, as the security of an operation. */
export const CREDENTIALS = [{ session: [] }, { bearer: [] }, { apiKey: [] }]
/** Schema fields of an operation that needs any of them. */
export const authenticated = (tag: string) => ({ tags: [tag], security: CREDENTIALS })

/** The query parameter of a download (`isDownload`). */
export const linkedTeam = {
  team: Type.Optional(
    Type.String({
      title: 'TeamOfLink',
      description: 'The id of a team, in the place of X-Team where no header can be sent',
    }),
  ),
}

/** @throws AppError NOT_FOUND */
export async function requireUser(app: App, userId: string): Promise<void> {
  if (isUuid(userId) && (await userExists(app, userId))) return
  throw new AppError('NOT_FOUND', 'There is no user or team with this userId.')
}

/** Aborts when the client has gone, or has gone already: the work for a response without a reader ends. */
export function disconnection({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new AppError('INVALID_REQUEST', 'The client has gone.'))
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}
