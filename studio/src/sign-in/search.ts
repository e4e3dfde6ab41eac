/** The search params of the sign-in and sign-up pages, validated. */
import { nonEmptyString } from '../search-params.ts'

/** `error`: why a sign-in at a provider failed. `second-factor`: it goes on with a code. */
export type SignInSearch = {
  next?: string | undefined
  error?: string | undefined
  'second-factor'?: string | undefined
}
export const signInSearch = (search: Record<string, unknown>): SignInSearch => ({
  error: nonEmptyString(search.error),
  'second-factor': search['second-factor'] === 'totp' ? 'totp' : undefined,
  ...nextOf(search),
})
const nextOf = ({ next }: Record<string, unknown>): Pick<SignInSearch, 'next'> => ({
  // Open redirect protection: accept a same-origin path only. Return `next: undefined` explicitly: TanStack Router
  // merges this over the raw search, so an omitted key stays unvalidated.
  next: typeof next === 'string' && isSameOriginPath(next) ? next : undefined,
})
/** Parses as the browser does: URL parsing strips tabs and newlines, so "/\t/host" is the scheme-relative "//host". */
const isSameOriginPath = (next: string): boolean =>
  next.startsWith('/') && URL.parse(next, location.origin)?.origin === location.origin
