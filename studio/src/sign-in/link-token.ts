/** The token of a mailed link: in the fragment, which the browser sends to no server. */
import { useState } from 'react'

/**
 * Read once, because `forget` removes the token from the address bar and the history: the page calls it when the token is used.
 * @param name of the token in the fragment; `token` is empty without one
 */
export function useLinkToken(name: 'token' | 'link' | 'invitation' | 'team-invitation' = 'token'): {
  token: string
  forget: () => void
} {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get(name) ?? '')
  return { token, forget: forgetFragment }
}

const forgetFragment = (): void => history.replaceState(history.state, '', location.pathname + location.search)
