/**
 * The session that authenticated a request. better-auth reads the bearer token and the session cookie by its own rules,
 * and no API key, so a request with two credentials could be one user's here and another user's there.
 *
 * Invariant: better-auth acts for the session that authenticated the request (credential.ts), and for no other one
 * beside it.
 */
import type { App } from '../app.ts'
import type { Auth, CurrentSession } from './auth.ts'
import type { Caller } from './credential/credential.ts'
import { type Presented, sessionCookieOf } from './credential/presented.ts'
import { presentingHeader } from './credential/recent-headers.ts'

type Authenticated = Pick<Presented, 'headers'> & { caller: Caller | null }

export const isSession = (caller: Caller | null): caller is Caller => caller !== null && caller.key === null

/** The session of the request, without extending it; null when an API key authenticated it, or nothing. */
export async function ownSession(
  { config }: Pick<App, 'config'>,
  auth: Pick<Auth, 'findSession'>,
  { headers, caller }: Authenticated,
): Promise<CurrentSession | null> {
  if (!isSession(caller)) return null
  const sent = new Headers()
  keepOwnSession(sent, { headers, caller }, config.publicUrl)
  const session = await auth.findSession(sent)
  return session?.userId === caller.userId ? session : null
}

/** Leaves in the headers for better-auth only the session that authenticated the request. Other cookies stay. */
export function keepOwnSession(forwarded: Headers, { headers, caller }: Authenticated, publicUrl: string): void {
  const presenting = isSession(caller) ? presentingHeader(headers) : null
  if (presenting === 'authorization') forwarded.set('authorization', String(headers.authorization))
  else forwarded.delete('authorization')
  const cookies = (forwarded.get('cookie') ?? '').split(';').map((cookie) => cookie.trim())
  const others = cookies.filter((cookie) => cookie && !sessionCookie.test(cookie))
  const own = presenting === 'cookie' ? [`${cookieName(publicUrl)}=${sessionCookieOf(headers, publicUrl)}`] : []
  const kept = [...others, ...own].join('; ')
  if (kept) forwarded.set('cookie', kept)
  else forwarded.delete('cookie')
}

/** better-auth also reads a name with a space after it. */
const sessionCookie = /^(__Host-|__Secure-)?kinora\.session_token\s*=/

const cookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-kinora.session_token' : 'kinora.session_token'
