/**
 * What a session may not do although better-auth would let it: choose a password that many people have, act in the user's name
 * for good while an administrator impersonates the user, and create API keys, change the e-mail address or the ways to sign in
 * long after the sign-in without the password.
 */
import type { App } from '../app.ts'
import type { Auth, CurrentSession } from './auth.ts'
import type { Caller, Presented } from './credential/credential.ts'
import { refusalOfLink } from './email-change.ts'
import { ownSession } from './own-session.ts'
import { type PasswordProblem, passwordProblem } from './password-policy.ts'

/** Age of a sign-in up to which the operations of `recentOperations` need no password. */
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

/**
 * The field of the body with the new password, and the user whose password it becomes: the one of an address, id or token in the
 * body, or the caller.
 */
const newPasswords: Record<string, { field: string; owner: 'email' | 'userId' | 'caller' | 'token' }> = {
  signUp: { field: 'password', owner: 'email' },
  createUser: { field: 'password', owner: 'email' },
  setUserPassword: { field: 'newPassword', owner: 'userId' },
  changePassword: { field: 'newPassword', owner: 'caller' },
  resetPassword: { field: 'newPassword', owner: 'token' },
}

/** The operations with a session that an impersonating administrator may use: they read, or end the impersonation. */
const whileImpersonating = ['listSessions', 'listApiKeys', 'stopImpersonating', 'hasPermission']

/** Operations that a stolen session must not reach: with the password, or soon after the sign-in. */
const recentOperations = [
  'createApiKey',
  'changeEmail',
  'addPasskey',
  'deletePasskey',
  'linkProvider',
  'unlinkAccount',
  'enableTwoFactor',
  'disableTwoFactor',
  'generateRecoveryCodes',
]

/** The fields of updateApiKey that may let a key do more. A change of one needs the password or a fresh sign-in, as `recentOperations` do. */
export const KEY_CHANGES = ['scopes', 'budget', 'expiresIn']

type Request = {
  operationId: string
  session: boolean
  headers: Presented['headers']
  caller: Caller | null
  body: Record<string, unknown>
  query: URLSearchParams
}

/** @param request an operation whose body is valid. @returns why it is refused; null when better-auth may decide */
export async function refusalOf(app: App, auth: Auth, request: Request): Promise<Refusal | null> {
  const { operationId, session: needsSession, body, query } = request
  if (operationId === 'verifyEmail') return refusalOfLink(app, auth, request, query.get('token'))
  let session: CurrentSession | null = null
  if (needsSession) {
    session = await ownSession(app, auth, request)
    if (!session) return { status: 401, code: 'UNAUTHORIZED' }
    if (session.impersonatedBy !== null && !whileImpersonating.includes(operationId)) {
      return { status: 403, code: 'IMPERSONATING' }
    }
  }
  const rule = newPasswords[operationId]
  const password = rule && body[rule.field]
  if (rule && typeof password === 'string') {
    const problem = passwordProblem(password, await ownerEmail(auth, rule.owner, body, session?.email))
    if (problem) return { status: 400, code: problem }
  }
  const changesKey = operationId === 'updateApiKey' && KEY_CHANGES.some((field) => field in body)
  if ((!changesKey && !recentOperations.includes(operationId)) || !session) return null
  if (typeof body.password === 'string') {
    return (await auth.isPassword(session.userId, body.password)) ? null : { status: 400, code: 'INVALID_PASSWORD' }
  }
  const ageMs = app.now().getTime() - session.signedInAt.getTime()
  return ageMs <= FRESH_SIGN_IN_MIN * 60_000 ? null : { status: 403, code: 'SESSION_NOT_FRESH' }
}

/** The address of the user who will have a new password; empty when it is unknown. */
async function ownerEmail(auth: Auth, owner: string, body: Request['body'], callers = ''): Promise<string> {
  if (owner === 'caller') return callers
  if (owner === 'email') return `${body.email}`
  return auth.emailOf(owner === 'token' ? await auth.userOfResetToken(`${body.token}`) : `${body.userId}`)
}
