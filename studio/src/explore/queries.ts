/** The queries of published films. */

import type { Schemas } from '@kinora/client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'

export type PublishedFilm = Schemas['PublishedFilm']

export type Filters = { from?: string; makerOf?: string }

export const publishedQuery = (filters: Filters) =>
  pagedQuery(
    ['explore', 'films', filters],
    (query, signal) => kinora.GET('/api/v1/explore', { params: { query: { ...query, ...filters } }, signal }),
    { pageSize: 48 },
  )

export const periodDays = { week: 7, month: 30 } as const
export type Period = keyof typeof periodDays
const DAY_MS = 86_400_000

export const isPeriod = (text: string | undefined): text is Period =>
  text !== undefined && Object.hasOwn(periodDays, text)

/** Of whole days, so that the query is the same all day. */
export const filtersOf = (period: Period | undefined, makerOf: string | undefined): Filters => ({
  ...(period && {
    from: new Date((Math.floor(Date.now() / DAY_MS) - periodDays[period]) * DAY_MS).toISOString(),
  }),
  ...(makerOf !== undefined && { makerOf }),
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
