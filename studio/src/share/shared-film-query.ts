/** The query of a shared film, by the token of its link. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export const sharedFilmQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-film', token],
    queryFn: () => dataOf(kinora.GET('/api/v1/share/{token}', { params: { path: { token } } })),
  })
