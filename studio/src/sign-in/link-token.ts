/** The token of a mailed link: in the fragment, which the browser sends to no server. */
import { useState } from 'react'

/** Read once: the page removes the token from the URL, so that the history does not keep it. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  return token
}

/** Removes the token from the address bar and the history, once it is used. */
export const forgetLinkToken = (): void => history.replaceState(history.state, '', location.pathname + location.search)
