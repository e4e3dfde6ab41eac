/**
 * Addresses that need no header, for clients that send none to an address which a response names. The last part of one
 * is sealed: the credential of the request that got it, the one thing for which it counts, and its end. The credential
 * is presented as a header would present it, so the address ends with it, and has no more than its scopes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Credentials } from '../account/credential/credential.ts'
import { readCredential } from '../account/credential/presented.ts'
import { requireScope } from '../account/key/scope.ts'
import type { App } from '../app.ts'
import { seal, unseal } from '../config/seal.ts'
import { AppError } from '../errors.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import type { Call } from './format.ts'

/** What the addresses of a kind are for. `purpose`: no other kind opens them. `scope`: what their request needs. */
type Kind = { purpose: string; scope: 'read' | 'generate'; minutes: number }
type Ticket = { id: string; credential: string; team: string | undefined; endsMs: number }

/** `id`: what the address is for. */
const Params = Type.Object({ token: Type.String(), id: Type.String() })

/** @returns the last part of the address. @param id what it is for */
export function sealAddress(
  { app, request: { headers } }: Pick<Call, 'app' | 'request'>,
  { purpose, minutes }: Kind,
  id: string,
): string {
  const ticket: Ticket = {
    id,
    credential: readCredential(headers, app.config)?.value ?? '',
    team: headers['x-team'] === undefined ? undefined : String(headers['x-team']),
    endsMs: app.now().getTime() + minutes * 60_000,
  }
  return seal(app.config, { purpose, owner: '' }, Buffer.from(JSON.stringify(ticket))).toString('base64url')
}

/** The options of the route `…/:token`. @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE, RATE_LIMITED */
export const bySealedAddress = (app: App, recheck: Credentials['recheck'], kind: Kind) => ({
  config: { limit: 'signed' } as const,
  schema: { hide: true, params: Params },
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as { token: string; id: string }
    const ticket = readTicket(app, kind, params.token)
    if (ticket) {
      const { id, credential, team } = ticket
      params.id = id
      // A wait for a film reads them again.
      const presented = { 'x-api-key': undefined, authorization: `Bearer ${credential}`, 'x-team': team }
      Object.assign(request.headers, presented)
      request.caller = await recheck(request)
    }
    const counted = limitAlso(app, request, reply, 'user')
    if (counted) await counted
    if (!request.caller) {
      const message = 'The time of this address is over, or its key has ended; ask for another address.'
      throw new AppError('UNAUTHENTICATED', message)
    }
    requireScope(request.caller, kind.scope)
  },
})

function readTicket(app: App, { purpose }: Kind, token: string): Ticket | null {
  const opened = unseal(app.config, { purpose, owner: '' }, Buffer.from(token, 'base64url'))
  const ticket: Ticket | null = opened && JSON.parse(opened.toString())
  return ticket && ticket.endsMs > app.now().getTime() ? ticket : null
}
