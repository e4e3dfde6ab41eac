/** What shows the cast in the form: no part of the first load of a form without any. */
import { queryOptions, useQuery } from '@tanstack/react-query'
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
 * once they are there
 */
export function useCast(isNeeded = false) {
  const { data: cast = [], isLoading } = useQuery(castQuery)
  const form = useQuery({ ...formQuery, enabled: isNeeded || cast.length > 0 })
  return { cast, form: form.data, isLoading: isLoading || form.isLoading }
}
