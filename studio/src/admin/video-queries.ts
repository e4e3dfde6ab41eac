/** Query options of the videos' pages for administrators, and the labels of outcomes. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'
import type { StateLabel } from '../ui/mark.tsx'
import { type Days, rangeOf } from '../ui/period-select.tsx'

export type UnfinishedVideo = Schemas['UnfinishedVideo']
export type EndedVideo = Schemas['EndedVideo']
export type VideoDetail = Schemas['VideoForAdministrators']
export type Outcome = EndedVideo['outcome']

export const outcomeLabels: Record<Outcome, StateLabel> = {
  completed: { label: t({ message: 'Done', context: 'status of a film' }), kind: 'done' },
  failed: { label: t`Failed`, kind: 'failed' },
  cancelled: { label: t`Cancelled`, kind: 'none' },
}

export type UnfinishedFilter = { state: 'in-progress' | 'overdue'; userId?: string; provider?: string }

/** Unfinished videos of all users, oldest first. */
export const unfinishedVideosQuery = (filter: UnfinishedFilter) =>
  pagedQuery(
    ['admin', 'videos', filter],
    (page, signal) => kinora.GET('/api/v1/admin/videos', { params: { query: { ...filter, ...page } }, signal }),
    { pageSize: 50, keepsPrevious: true },
  )

export type EndedFilter = {
  q?: string
  userId?: string
  /** Its account. */
  provider?: string
  model?: string
  outcome?: Outcome
  /** Undefined: all time for one user, else the last 30. */
  days?: Days
}

/** Videos that have ended, the latest first. */
export const endedVideosQuery = (filter: EndedFilter, pageSize = 25) =>
  pagedQuery(
    ['admin', 'videos', 'ended', filter, pageSize],
    (page, signal) => {
      const { days, provider, ...rest } = filter
      const query = {
        ...rest,
        ...page,
        ...(provider ? { account: provider } : {}),
        ...(days ? rangeOf(days) : {}),
      }
      return kinora.GET('/api/v1/admin/videos/ended', { params: { query }, signal })
    },
    { pageSize, keepsPrevious: true },
  )

export const videoQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['admin', 'video', uuid],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/videos/{uuid}', { params: { path: { uuid } }, signal })),
    refetchInterval: ({ state }) => (state.data?.dueAt ? 5_000 : false),
  })
