/**
 * What signing in and signing up have in common: the way into the studio afterwards, and the service's refusals in words
 * at the field they belong to.
 */
import type { KinoraError } from '@kinora/client'
import { useRouter } from '@tanstack/react-router'
import { broadcastSession, dataOf, kinora, queryClient, sessionQuery } from '../api.ts'

/** Reads the session that the cookie now stands for, then goes to `next`, a path of our own, or to the studio. */
export function useCompleteSignIn(next: string | undefined): (prepare?: (userId: string) => void) => Promise<void> {
  const router = useRouter()
  return async (prepare) => {
    const known = await dataOf(kinora.GET('/api/auth/get-session'))
    queryClient.setQueryData(sessionQuery.queryKey, known)
    if (known) {
      broadcastSession(known.user.id)
      prepare?.(known.user.id)
    }
    router.history.push(next ?? '/')
  }
}

type Place = 'name' | 'email' | 'password' | 'form'
type Problems = { [Name in Place]?: string }

/** The field that a refusal is about. */
const placeOf: Record<string, Place> = {
  INVALID_EMAIL_OR_PASSWORD: 'password',
  INVALID_EMAIL: 'email',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  INVALID_NAME: 'name',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
}

export function fieldErrors(error: KinoraError | null): Problems {
  if (!error) return {}
  if (error.code === 'RATE_LIMITED' && error.retryAfterSeconds !== null) {
    // Whoever stands at a door wants to know when it opens.
    return { form: `That was too often. Try again in ${inWords(error.retryAfterSeconds)}.` }
  }
  return { [placeOf[error.authCode ?? ''] ?? 'form']: error.message }
}

const inWords = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)
