/** The signed-in user, for pages below the signed-in route. */
import { useRouteContext } from '@tanstack/react-router'

export const useSignedIn = () => useRouteContext({ from: '/signed-in' })
