/** What shows the cast in the form: no part of the first load of a form without any. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { castQuery } from './cast.ts'

const formQuery = queryOptions({
  queryKey: ['cast-form'],
  queryFn: () => import('./cast-form.tsx'),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
})

/**
 * @param isNeeded also without a cast: for a member that is no more
 * @returns `cast`: empty until it is there; `form`: the components that show it. While `isLoading` a form would move
 * once they are there; a form that is shown stays while the first member brings them, with its focus and its uploads
 */
export function useCast(isNeeded = false) {
  const { data: cast = [], isLoading } = useQuery(castQuery)
  const form = useQuery({ ...formQuery, enabled: isNeeded || cast.length > 0 })
  const [wasReady, setReady] = useState(false)
  const isReady = wasReady || (!isLoading && !form.isLoading)
  if (isReady !== wasReady) setReady(true)
  return { cast, form: form.data, isLoading: !isReady }
}
