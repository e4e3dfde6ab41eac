/**
 * Errors of `/api/auth/*`: the codes of sign-in, each with a sentence that says what to do, beside the codes of the API
 * (errors.ts). They have the envelope, and `code` and `message` at the top too, where better-auth's own client reads
 * them. What better-auth calls otherwise has the API's code; a code that is not here has that of its status, and
 * better-auth's own message.
 */

import { API_KEY_DAYS_MAX, API_KEY_NAME_MAX, NAME_MAX } from '../../account/auth.ts'
import { API_KEYS_MAX } from '../../account/key/api-key-limit.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../account/password-policy.ts'
import { FRESH_SIGN_IN_MIN } from '../../account/restrictions.ts'
import { PASSKEY_NAME_MAX } from '../../account/second-factor.ts'
import type { ErrorCode, FieldProblem, REASONS } from '../../errors.ts'
import { NAME_RULE } from '../../text/name.ts'

export type AuthError = {
  code: SignInCode | ErrorCode
  message: string
  details?: FieldProblem[] | { reason: (typeof REASONS)[number] }
}

const NOT_SIGNED_IN = 'You are not signed in, or your session has ended. Sign in again.'
const NOT_AN_EMAIL = 'This is not an e-mail address.'
const EMAIL_TAKEN = 'There is an account with this e-mail address already. Sign in, or take another address.'
const LOCKED = 'This account is locked. Ask those who run this service why.'

const messages = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_EMAIL: NOT_AN_EMAIL,
  INVALID_PASSWORD: 'This is not your current password.',
  PASSWORD_TOO_SHORT: `A password has at least ${PASSWORD_MIN} characters.`,
  PASSWORD_TOO_LONG: `A password has at most ${PASSWORD_MAX} characters.`,
  PASSWORD_TOO_COMMON: 'Many people use this password, so it is guessed first. Choose another one.',
  PASSWORD_IS_EMAIL: 'The password must not be the e-mail address.',
  NOT_IMPERSONATING: 'You are not impersonating a user.',
  LAST_ADMINISTRATOR: 'This is the last administrator: make another user an administrator first.',
  YOU_CANNOT_IMPERSONATE_ADMINS: 'An administrator cannot be impersonated.',
  YOU_CANNOT_BAN_YOURSELF: 'You cannot lock your own account.',
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: 'Only an administrator locks accounts.',
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: 'Only an administrator changes roles.',
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: 'Only an administrator ends sessions of others.',
  USER_NOT_FOUND: 'There is no user with this id.',
  NO_FIELDS_TO_UPDATE: 'No fields to update.',
  USER_ALREADY_EXISTS: EMAIL_TAKEN,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: EMAIL_TAKEN,
  INVALID_TOKEN: 'This link was used already or is wrong. Ask for a new one.',
  TOKEN_EXPIRED: 'This link is older than an hour. Ask for a new one.',
  INVALID_USER: 'This link is for another account. Sign in to that one, then open it again.',
  EMAIL_MISMATCH: 'This is not your e-mail address.',
  EMAIL_ALREADY_VERIFIED: 'Your e-mail address is verified already.',
  BANNED_USER: LOCKED,
  MISSING_OR_NULL_ORIGIN:
    'A request with a cookie names the page it comes from in the header Origin. Programs send a token instead.',
  INVALID_NAME: `A name has 1 to ${NAME_MAX} characters: ${NAME_RULE}.`,
  TOO_MANY_KEYS: `You have ${API_KEYS_MAX} keys, which is the most; delete one that you no longer use.`,
  KEY_NOT_FOUND: 'You have no such key.',
  INVALID_PASSKEY_NAME: `The name of a passkey has 1 to ${PASSKEY_NAME_MAX} characters: ${NAME_RULE}.`,
  NAME_REQUIRED: 'Give the key a name.',
  INVALID_NAME_LENGTH: `The name of a key has 1 to ${API_KEY_NAME_MAX} characters: ${NAME_RULE}.`,
  EXPIRES_IN_IS_TOO_SMALL: 'A key is good for at least a day.',
  EXPIRES_IN_IS_TOO_LARGE: `A key is good for at most ${API_KEY_DAYS_MAX} days; leave expiresIn out for one that never ends.`,
  SERVER_ONLY_PROPERTY: 'A key has a name, expiresIn, scopes and a budget; nothing else can be set.',
  PROVIDER_NOT_FOUND: 'This way to sign in is not set up.',
  INVALID_CALLBACK_URL: 'The address to return to must be a path of this service, such as /account.',
  FAILED_TO_UNLINK_LAST_ACCOUNT: 'This is your only way to sign in; add another one first.',
  ACCOUNT_NOT_FOUND: 'You have no such account.',
  SECOND_FACTOR_REQUIRED: 'This account has a second factor. Sign in at the sign-in page.',
  USER_NOT_VERIFIED: 'This passkey did not ask for a PIN, a fingerprint or a face. Set that up, or use another one.',
  INVALID_CODE: 'This code is wrong, or its time is over. Check the clock of the device that made it.',
  INVALID_BACKUP_CODE: 'There is no such recovery code, or it was used.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has taken too long. Begin it again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many codes were wrong. Begin the sign-in again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many codes were wrong. Try again in 15 minutes.',
  TOTP_ALREADY_ENABLED: 'You have a second factor already. Remove it first.',
  TOTP_NOT_ENABLED: 'You have no second factor. Set it up first.',
  TWO_FACTOR_NOT_ENABLED: 'You have no second factor. Set it up first.',
  CHALLENGE_NOT_FOUND: 'This has taken too long. Begin again.',
  PASSKEY_NOT_FOUND: 'There is no account with this passkey here.',
  AUTHENTICATION_FAILED: 'The passkey was not accepted. Sign in another way.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be added. Try again, or with another device.',
  SIGN_UP_CLOSED: 'This service takes no new accounts. Ask those who run it for one.',
  INVITATION_NEEDED:
    'A new account needs an invitation that is for this e-mail address, was not used and has not ended. Ask those who run this service for one.',
  MISSING_RESPONSE: 'Sign-up asks for a CAPTCHA: solve it, and send its response in the header X-Captcha-Response.',
  VERIFICATION_FAILED: 'The CAPTCHA was not solved, or its response was used before. Solve it again.',
}

export type SignInCode = keyof typeof messages | 'INVALID_ORIGIN'
export const SIGN_IN_CODES = [...Object.keys(messages), 'INVALID_ORIGIN'] as SignInCode[]
export const signInMessage = (code: SignInCode): string =>
  code === 'INVALID_ORIGIN' ? 'This comes from a page at another address.' : messages[code]

/** What the API calls otherwise. */
const general: Record<string, AuthError> = {
  UNAUTHORIZED: { code: 'UNAUTHENTICATED', message: NOT_SIGNED_IN },
  UNAUTHORIZED_SESSION: { code: 'UNAUTHENTICATED', message: NOT_SIGNED_IN },
  UNSUPPORTED_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json.' },
  SESSION_NOT_FRESH: {
    code: 'FORBIDDEN',
    message: `Your sign-in is more than ${FRESH_SIGN_IN_MIN} minutes old. Send your password too, or sign in again.`,
    details: { reason: 'sign_in_old' },
  },
  IMPERSONATING: {
    code: 'FORBIDDEN',
    message: 'Only the user may do this: you are signed in for another user. Stop impersonating first.',
    details: { reason: 'impersonating' },
  },
}
const codesOfStatuses: Record<number, ErrorCode> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
}

/** @param field of the body, for the codes of a field */
export function authError(code: string, field?: string): AuthError {
  const details = field ? { details: [{ path: field, message: 'is not valid' }] } : {}
  if (Object.hasOwn(messages, code)) {
    const known = code as keyof typeof messages
    return { code: known, message: messages[known], ...details }
  }
  return general[code] ?? { code: 'INVALID_REQUEST', message: asSentence(code.toLowerCase().replaceAll('_', ' ')) }
}

/** The error of fields without a code of their own. */
export const invalidFields = (fields: readonly string[], message: string): AuthError => ({
  code: 'INVALID_REQUEST',
  message,
  ...(fields.length > 0 && { details: fields.map((path) => ({ path, message: 'is not valid' })) }),
})

export const fieldNotAllowed = (field: string): AuthError =>
  invalidFields([field], asSentence(`${field} is not allowed to be set`))

/** The error for a path or a method that has no operation. */
export const unknownAuthPath = (): AuthError => ({
  code: 'NOT_FOUND',
  message: 'There is nothing at this address, or not with this method.',
})

/** The body of an error's response. */
export const authErrorBody = ({ code, message, details }: AuthError, requestId: string) => ({
  ...{ success: false, data: {}, error: { code, message, ...(details && { details }), requestId } },
  ...{ code, message },
})

/** Where a request comes from, for the error of one that comes from elsewhere. */
export type Site = { publicUrl: string; corsOrigins: readonly string[]; origin: string | undefined }

/** Maps better-auth's error body to a code and a sentence; both always present, though better-auth may omit either. */
export function toAuthError(status: number, body: string, site: Site): AuthError {
  const { code = '', message = '' } = parseError(body)
  if (code === 'INVALID_ORIGIN' || code === 'CROSS_SITE_NAVIGATION_LOGIN_BLOCKED')
    return { code: 'INVALID_ORIGIN', message: `${signInMessage('INVALID_ORIGIN')} ${adviceFor(site)}` }
  if (code === 'VALIDATION_ERROR') return validationError(message)
  if (Object.hasOwn(messages, code) || Object.hasOwn(general, code)) return authError(code)
  if (status === 401) return authError('UNAUTHORIZED')
  if (status === 404 && !code) return unknownAuthPath()
  return {
    code: codesOfStatuses[status] ?? 'INVALID_REQUEST',
    message: asSentence(message || code.toLowerCase().replaceAll('_', ' ')),
  }
}

const adviceFor = ({ publicUrl, corsOrigins, origin = '' }: Site): string =>
  corsOrigins.includes(origin)
    ? `A page of CORS_ORIGINS calls /api/v1 with an API key or a browser token; people sign in at ${publicUrl}.`
    : `Open the service at ${publicUrl}, or have its operator set PUBLIC_URL to where it is opened.`

function parseError(body: string): { code?: string; message?: string } {
  try {
    const { code, message } = JSON.parse(body) ?? {}
    return { ...(typeof code === 'string' ? { code } : {}), ...(typeof message === 'string' ? { message } : {}) }
  } catch {
    return {}
  }
}

/** better-auth's message is `[body.email] Invalid input: expected string, received undefined; [body.password] …`. */
function validationError(message: string): AuthError {
  const fields = [...message.matchAll(/\[(?:body|query)\.([\w.]+)\]/g)].map(([, field = '']) => field)
  if (/^\[body\.email\] Invalid email/i.test(message)) return authError('INVALID_EMAIL', 'email')
  if (fields.length === 0) return invalidFields([], 'The body must be a JSON object.')
  return invalidFields(fields, `Check ${fields.join(' and ')}: missing, or not of the right kind.`)
}

const asSentence = (text: string): string => {
  const trimmed = text.trim() || 'This cannot be done'
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.?]$/.test(trimmed) ? '' : '.'}`
}
