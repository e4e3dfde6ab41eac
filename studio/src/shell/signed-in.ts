/** Who is signed in, for pages that exist only then. */
import { useRouteContext } from '@tanstack/react-router'

export const useSignedIn = () => useRouteContext({ from: '/signed-in' })
