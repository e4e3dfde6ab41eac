/**
 * The token of a mailed link: in the fragment, which the browser sends to no server. One whose page needs a sign-in
 * first is kept in the tab meanwhile, because the address of the sign-in page names the page to which it leads, and the
 * server reads that.
 */
import { useState } from 'react'
import { tabStorage } from '../browser-storage.ts'

/**
 * Read once, because `forget` removes the token from the address bar and the history: the page calls it when the token
 * is used.
 * @param name of the token in the fragment; `token` is empty without one
 */
export function useLinkToken(name: 'token' | 'link' | 'invitation' | 'team-invitation' = 'token'): {
  token: string
  forget: () => void
} {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1) || keptFragment()).get(name) ?? '')
  return { token, forget: forgetFragment }
}

const forgetFragment = (): void => {
  tabStorage.write(KEPT_KEY, null)
  history.replaceState(history.state, '', location.pathname + location.search)
}

const KEPT_KEY = 'kinora.fragment'
const keptFragment = (): string => String(tabStorage.read(KEPT_KEY) ?? '')

/** The path to which a sign-in leads back, without the fragment, which the page there finds in the tab. */
export function pathAfterSignIn({
  pathname,
  searchStr,
  hash,
}: {
  pathname: string
  searchStr: string
  hash: string
}): string {
  if (hash) tabStorage.write(KEPT_KEY, hash)
  return pathname + searchStr
}
