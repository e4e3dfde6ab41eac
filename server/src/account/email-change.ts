/**
 * A mailed link changes an e-mail address in a session of its user only: better-auth would sign any reader of the link in,
 * without the password and without a second factor.
 */
import type { App } from '../app.ts'
import type { Auth } from './auth.ts'
import type { Caller, Presented } from './credential/credential.ts'
import { ownSession } from './own-session.ts'

/** @param token of a link, whose signature better-auth checks afterwards. @returns why it is refused; null when better-auth may decide */
export async function refusalOfLink(
  app: App,
  auth: Auth,
  request: Pick<Presented, 'headers'> & { caller: Caller | null },
  token: string | null,
) {
  const newEmail = newEmailOf(token)
  if (newEmail === null) return null
  const session = await ownSession(app, auth, request)
  if (!session) return { status: 401, code: 'UNAUTHORIZED' } as const
  if (session.impersonatedBy !== null) return { status: 403, code: 'IMPERSONATING' } as const
  // Since the link was mailed.
  const taken = await app.sql`select from public."user" where email = ${newEmail}`
  return taken.length > 0 ? ({ status: 400, code: 'USER_ALREADY_EXISTS' } as const) : null
}

function newEmailOf(token: string | null): string | null {
  try {
    const { updateTo } = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof updateTo === 'string' ? updateTo : null
  } catch {
    return null
  }
}
