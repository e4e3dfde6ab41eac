/**
 * What a session may not do although better-auth would let it: choose a password that many people have, act in the user's name
 * for good while an administrator impersonates the user, and create API keys or change the ways to sign in long after the sign-in
 * without the password.
 */
import type { App } from '../app.ts'
import type { Auth } from './auth.ts'
import { type PasswordProblem, passwordProblem } from './password-policy.ts'

/** Age of a sign-in up to which the operations of `confirmed` need no password. */
export const FRESH_SIGN_IN_MIN = 10

export type Refusal = {
  status: 400 | 401 | 403
  code: PasswordProblem | 'UNAUTHORIZED' | 'IMPERSONATING' | 'INVALID_PASSWORD' | 'SESSION_NOT_FRESH'
}

/** Where a new password is in the body, and whose it will be: that of an address in the body, of a user, or of the caller. */
const newPasswords: Record<string, { field: string; owner: 'email' | 'userId' | 'caller' }> = {
  signUp: { field: 'password', owner: 'email' },
  createUser: { field: 'password', owner: 'email' },
  setUserPassword: { field: 'newPassword', owner: 'userId' },
  changePassword: { field: 'newPassword', owner: 'caller' },
}

/** The operations with a session that an impersonating administrator may use: they read, or end the impersonation. */
const whileImpersonating = ['listSessions', 'listApiKeys', 'stopImpersonating', 'hasPermission']

/** What changes how the user signs in: with the password, or shortly after the sign-in. */
const confirmed = [
  'createApiKey',
  'addPasskey',
  'deletePasskey',
  'linkProvider',
  'unlinkAccount',
  'enableTwoFactor',
  'disableTwoFactor',
  'generateRecoveryCodes',
]

type Request = { operationId: string; session: boolean; headers: Headers; body: Record<string, unknown> }

/** @param request an operation whose body is valid. @returns why it is refused; null when better-auth may decide */
export async function refusalOf(app: App, auth: Auth, request: Request): Promise<Refusal | null> {
  const { operationId, session: needsSession, headers, body } = request
  let caller: Awaited<ReturnType<Auth['findSession']>> = null
  if (needsSession && !whileImpersonating.includes(operationId)) {
    caller = await auth.findSession(headers)
    if (!caller) return { status: 401, code: 'UNAUTHORIZED' }
    if (caller.impersonatedBy !== null) return { status: 403, code: 'IMPERSONATING' }
  }
  const rule = newPasswords[operationId]
  const password = rule && body[rule.field]
  if (rule && typeof password === 'string') {
    const email = rule.owner === 'email' ? body.email : rule.owner === 'caller' ? caller?.email : null
    const known = typeof email === 'string' ? email : await auth.emailOf(`${body.userId}`)
    const problem = passwordProblem(password, known)
    if (problem) return { status: 400, code: problem }
  }
  if (!confirmed.includes(operationId) || !caller) return null
  if (typeof body.password === 'string') {
    return (await auth.isPassword(caller.userId, body.password)) ? null : { status: 400, code: 'INVALID_PASSWORD' }
  }
  const ageMs = app.now().getTime() - caller.signedInAt.getTime()
  return ageMs <= FRESH_SIGN_IN_MIN * 60_000 ? null : { status: 403, code: 'SESSION_NOT_FRESH' }
}
