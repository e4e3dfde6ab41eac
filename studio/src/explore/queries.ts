/** The queries of published films. */
import type { Schemas } from '@kinora/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export type PublishedFilm = Schemas['PublishedFilm']

const PAGE_SIZE = 48

export const publishedQuery = infiniteQueryOptions({
  queryKey: ['explore', 'films'],
  queryFn: ({ pageParam, signal }) => {
    const query = { pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }
    return dataOf(kinora.GET('/api/v1/explore', { params: { query }, signal }))
  },
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

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
