/** The signed-in user, for what the shell contains. */
import { createContext, useContext } from 'react'
import type { Session } from '../api.ts'

export const SignedInUser = createContext<Session['user'] | null>(null)

export function useSignedIn(): { user: Session['user'] } {
  const user = useContext(SignedInUser)
  if (!user) throw new Error('There is no shell around this.')
  return { user }
}
