/**
 * An administrator who acts for a user. The session names the administrator and ends with the administrator's own
 * session and rights (triggers of public."session" and public."user"). Here is what it may do, the one place for every
 * route: it reads, and with a reason it does what its route names as a change. Default deny for all else, such as keys,
 * endpoints, invitations, passwords, exports and deletions, which would outlast it.
 */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'

/** `reason`: why the administrator may change something; null: the session reads only. */
export type Impersonation = { actorId: string; reason: string | null }

/** What a route is to an impersonation: by default a GET is a read, and all else is refused. */
export type ImpersonationUse = 'read' | 'change' | 'none'

type Route = { method: string; use: ImpersonationUse | undefined }

const useOf = ({ method, use }: Route): ImpersonationUse =>
  use ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'none')

/** @throws AppError FORBIDDEN */
export function permitImpersonation({ reason }: Impersonation, route: Route): void {
  const use = useOf(route)
  if (use === 'read' || (use === 'change' && reason !== null)) return
  if (use !== 'change') throw onlyUser()
  const message =
    'You are signed in for another user, and read only. Stop impersonating, and give a reason when you begin again.'
  throw new AppError('FORBIDDEN', message, { details: { reason: 'impersonating_read_only' } })
}

/** The refusal of what would act after the impersonation has ended. */
export const onlyUser = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'Only the user may do this: you are signed in for another user. Stop impersonating first.',
    { details: { reason: 'impersonating' } },
  )

type Change = Route & {
  userId: string
  teamId: string | null
  path: string
  subject: unknown
  requestId: string
  impersonation: Impersonation
}

/**
 * Names the administrator and the user in the audit log, before the request changes anything: no change is without an
 * entry, though an entry may be of a request that was refused afterwards.
 */
export async function auditImpersonation({ sql, now }: App, change: Change): Promise<void> {
  if (useOf(change) !== 'change') return
  const { userId, teamId, method, path, subject, requestId, impersonation } = change
  await call(sql, 'audit_add', {
    actorId: impersonation.actorId,
    action: 'user.act',
    userId,
    subject: typeof subject === 'string' && isUuid(subject) ? subject : null,
    after: { method, path, ...(teamId && { teamId }) },
    requestId,
    reason: impersonation.reason,
    now: now(),
  })
}
