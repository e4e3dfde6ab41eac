/**
 * What better-auth refuses with, in sentences that say what to do. Its codes stay, for programs; a refusal of the library's
 * that has no words here keeps its own.
 */
import { API_KEY_DAYS_MAX, API_KEY_NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../account/auth.ts'

export type Refusal = { code: string; message: string }

const NOT_SIGNED_IN = 'You are not signed in, or your session has ended. Sign in again.'
const NO_ADDRESS = 'This is not an e-mail address.'
const TAKEN = 'There is an account with this e-mail address already. Sign in, or take another address.'
const LOCKED = 'This account is locked. Ask those who run this service why.'

const words: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_EMAIL: NO_ADDRESS,
  INVALID_PASSWORD: 'This is not your current password.',
  PASSWORD_TOO_SHORT: `A password has at least ${PASSWORD_MIN} characters.`,
  PASSWORD_TOO_LONG: `A password has at most ${PASSWORD_MAX} characters.`,
  USER_ALREADY_EXISTS: TAKEN,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: TAKEN,
  BANNED_USER: LOCKED,
  UNAUTHORIZED: NOT_SIGNED_IN,
  UNAUTHORIZED_SESSION: NOT_SIGNED_IN,
  MISSING_OR_NULL_ORIGIN:
    'A request with a cookie names the page it comes from in the header Origin. Programs send a token instead.',
  EMAIL_CAN_NOT_BE_UPDATED: 'The e-mail address cannot be changed.',
  KEY_NOT_FOUND: 'You have no such key.',
  NAME_REQUIRED: 'Give the key a name.',
  INVALID_NAME_LENGTH: `The name of a key has 1 to ${API_KEY_NAME_MAX} characters.`,
  EXPIRES_IN_IS_TOO_SMALL: 'A key is good for at least a day.',
  EXPIRES_IN_IS_TOO_LARGE: `A key is good for at most ${API_KEY_DAYS_MAX} days; leave expiresIn out for one that never ends.`,
  SERVER_ONLY_PROPERTY: 'A key has a name and expiresIn; nothing else can be set.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json.',
}

/** The answer's body as this service says it: always a code and a sentence, whatever the library left out. */
export function inPlainWords(status: number, body: string, publicUrl: string): Refusal {
  const { code, message = '' } = readRefusal(body)
  if (code === 'INVALID_ORIGIN' || code === 'CROSS_SITE_NAVIGATION_LOGIN_BLOCKED') {
    const advice = `Open the service at ${publicUrl}, or have its operator set PUBLIC_URL to where it is opened.`
    return { code, message: `This comes from a page at another address. ${advice}` }
  }
  if (code === 'VALIDATION_ERROR') return { code, message: fieldsToCheck(message) }
  if (code && words[code]) return { code, message: words[code] }
  if (status === 404 && !code)
    return { code: 'NOT_FOUND', message: 'There is nothing at this address, or not with this method.' }
  return { code: code ?? 'BAD_REQUEST', message: asSentence(message) }
}

function readRefusal(body: string): Partial<Refusal> {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

/** Its own words are `[body.email] Invalid input: expected string, received undefined; [body.password] …`. */
function fieldsToCheck(message: string): string {
  const fields = [...message.matchAll(/\[(?:body|query)\.([\w.]+)\]/g)].map(([, field]) => field)
  if (/^\[body\.email\] Invalid email/i.test(message)) return NO_ADDRESS
  if (fields.length === 0) return 'The body must be a JSON object.'
  return `Check ${fields.join(' and ')}: missing, or not of the right kind.`
}

const asSentence = (text: string): string => {
  const said = text.trim() || 'This cannot be done'
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.?]$/.test(said) ? '' : '.'}`
}
