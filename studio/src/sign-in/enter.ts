/**
 * What signing in and signing up have in common: the way into the studio afterwards, and the service's refusals in words
 * at the field they belong to.
 */
import type { KinoraError } from '@kinora/client'
import { useRouter } from '@tanstack/react-router'
import { dataOf, kinora, queries, session, tellTabs } from '../api.ts'

/** Reads the session that the cookie now stands for, then goes to `next`, a path of our own, or to the studio. */
export function useEnter(next: string | undefined): (prepare?: (userId: string) => void) => Promise<void> {
  const router = useRouter()
  return async (prepare) => {
    const known = await dataOf(kinora.GET('/api/auth/get-session'))
    queries.setQueryData(session.queryKey, known)
    if (known) {
      tellTabs(known.user.id)
      prepare?.(known.user.id)
    }
    router.history.push(next ?? '/')
  }
}

export type Problems = { name?: string; email?: string; password?: string; form?: string }

const TAKEN = 'There is an account with this e-mail address already. Sign in instead, or take another address.'
const atField: Record<string, Problems> = {
  INVALID_EMAIL_OR_PASSWORD: { password: 'The e-mail address or the password is wrong.' },
  INVALID_EMAIL: { email: 'This is not an e-mail address.' },
  PASSWORD_TOO_SHORT: { password: 'A password has at least 8 characters.' },
  PASSWORD_TOO_LONG: { password: 'A password has at most 128 characters.' },
  INVALID_NAME: { name: 'A name has 1 to 100 characters.' },
  USER_ALREADY_EXISTS: { email: TAKEN },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { email: TAKEN },
  BANNED_USER: { form: 'This account is locked. Ask those who run this service why.' },
}

export function problemsOf(error: KinoraError | null): Problems {
  if (!error) return {}
  if (error.code === 'RATE_LIMITED' && error.retryAfterSeconds !== null) {
    return { form: `That was too often. Try again in ${inWords(error.retryAfterSeconds)}.` }
  }
  return atField[error.authCode ?? ''] ?? { form: error.message }
}

const inWords = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)
