/**
 * What a session may not do although better-auth would let it: choose a password that many people have, and create API
 * keys, change the e-mail address or the ways to sign in long after the sign-in without the password. impersonation.ts
 * has what an administrator may not do for a user.
 */
import type { App } from '../app.ts'
import type { Auth, CurrentSession } from './auth.ts'
import type { Caller } from './credential/credential.ts'
import type { Presented } from './credential/presented.ts'
import { ownSession } from './own-session.ts'
import { type PasswordProblem, passwordProblem } from './password-policy.ts'

/** Age of a sign-in up to which an operation that needs a recent one takes no password. */
export const FRESH_SIGN_IN_MIN = 10

export type Refusal = {
  status: 400 | 401 | 403
  code:
    | PasswordProblem
    | 'UNAUTHORIZED'
    | 'USER_ALREADY_EXISTS'
    | 'IMPERSONATING'
    | 'INVALID_PASSWORD'
    | 'SESSION_NOT_FRESH'
}

/** What an operation of better-auth requires; http/sign-in states it with each operation. */
export type Policy = {
  /**
   * `any`: a session, however old. `recent`: the password too, or a sign-in of at most `FRESH_SIGN_IN_MIN`, so that a
   * stolen session does not reach it; `recentFor`: only for a body with one of these fields.
   */
  session: 'none' | 'any' | 'recent' | { recentFor: readonly string[] }
  /** It reads, or ends the impersonation; impersonation allows no other operation that needs a session. */
  isAllowedWhileImpersonating?: true
  /**
   * The field of the body with the new password, and the user whose password it becomes: the one of an address, id or
   * token in the body, or the caller.
   */
  newPassword?: { field: string; owner: 'email' | 'userId' | 'caller' | 'token' }
}

/** The fields of updateApiKey that may let a key do more. */
export const KEY_CHANGES = ['scopes', 'budget', 'expiresIn']

type Request = {
  operation: Policy & { operationId: string }
  headers: Presented['headers']
  caller: Caller | null
  body: Record<string, unknown>
  query: URLSearchParams
}

/** @param request an operation whose body is valid. @returns why it is refused; null when better-auth may decide */
export async function refusalOf(app: App, auth: Auth, request: Request): Promise<Refusal | null> {
  const { operation, body, query } = request
  if (operation.operationId === 'verifyEmail') return refusalOfLink(app, auth, request, query.get('token'))
  let session: CurrentSession | null = null
  if (operation.session !== 'none') {
    session = await ownSession(app, auth, request)
    if (!session) return { status: 401, code: 'UNAUTHORIZED' }
  }
  const rule = operation.newPassword
  const password = rule && body[rule.field]
  if (rule && typeof password === 'string') {
    const problem = passwordProblem(password, await ownerEmail(auth, rule.owner, body, session?.email))
    if (problem) return { status: 400, code: problem }
  }
  if (!session || !needsRecent(operation, body)) return null
  if (typeof body.password === 'string') {
    return (await auth.isPassword(session.userId, body.password)) ? null : { status: 400, code: 'INVALID_PASSWORD' }
  }
  const ageMs = app.now().getTime() - session.signedInAt.getTime()
  return ageMs <= FRESH_SIGN_IN_MIN * 60_000 ? null : { status: 403, code: 'SESSION_NOT_FRESH' }
}

const needsRecent = ({ session }: Policy, body: Request['body']): boolean =>
  typeof session === 'object' ? session.recentFor.some((field) => field in body) : session === 'recent'

/** The address of the user who will have a new password; empty when it is unknown. */
async function ownerEmail(auth: Auth, owner: string, body: Request['body'], callers = ''): Promise<string> {
  if (owner === 'caller') return callers
  if (owner === 'email') return `${body.email}`
  return auth.emailOf(owner === 'token' ? await auth.userOfResetToken(`${body.token}`) : `${body.userId}`)
}

/**
 * A mailed link changes an e-mail address in a session of its user only: better-auth would sign any reader of the link
 * in, without the password and without a second factor.
 * @param token of a link, whose signature better-auth checks afterwards
 */
async function refusalOfLink(
  app: App,
  auth: Auth,
  request: Pick<Request, 'headers' | 'caller'>,
  token: string | null,
): Promise<Refusal | null> {
  const newEmail = newEmailOf(token)
  if (newEmail === null) return null
  const session = await ownSession(app, auth, request)
  if (!session) return { status: 401, code: 'UNAUTHORIZED' }
  if (session.impersonatedBy !== null) return { status: 403, code: 'IMPERSONATING' }
  // The address may have been taken since the link was mailed.
  const taken = await app.sql`select from public."user" where email = ${newEmail}`
  return taken.length > 0 ? { status: 400, code: 'USER_ALREADY_EXISTS' } : null
}

function newEmailOf(token: string | null): string | null {
  try {
    const { updateTo } = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof updateTo === 'string' ? updateTo : null
  } catch {
    return null
  }
}
