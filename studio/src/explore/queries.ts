/** The queries of published films. */

import type { Schemas } from '@kinora/client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'

export type PublishedFilm = Schemas['PublishedFilm']

export const publishedQuery = pagedQuery(
  ['explore', 'films'],
  (query, signal) => kinora.GET('/api/v1/explore', { params: { query }, signal }),
  { pageSize: 48 },
)

export const publishedFilmQuery = (id: string) =>
  queryOptions({
    queryKey: ['explore', 'film', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/explore/{id}', { params: { path: { id } }, signal })),
  })

export const publicationQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['publication', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/{uuid}/publication', { params: { path: { uuid } } })),
    // It may be changed elsewhere: the dialog reads it whenever it opens.
    staleTime: 0,
  })
