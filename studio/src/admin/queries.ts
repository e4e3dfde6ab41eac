/** What the pages for operators ask the service, under keys that begin with 'admin'. */
import type { DataOf } from '@kinora/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export type User = DataOf<'get', '/api/v1/admin/users'>['users'][number]
export type UserDetail = DataOf<'get', '/api/v1/admin/users/{id}'>
export type Unfinished = DataOf<'get', '/api/v1/admin/videos'>['videos'][number]
export type PaymentEvent = DataOf<'get', '/api/v1/admin/payments/events'>['events'][number]
export type Provider = DataOf<'get', '/api/v1/admin/providers'>['providers'][number]
export type BooksCheck = DataOf<'post', '/api/v1/admin/ledger/check'>

const fromStart = null as string | null

/** Users whose address or name has these words in it, or whose id it is; newest first. */
export const users = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'users', q],
    initialPageParam: fromStart,
    queryFn: ({ pageParam, signal }) => {
      const query = { pageSize: 25, ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/users', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

/** A few users to choose one from. */
export const someUsers = (q: string) =>
  queryOptions({
    queryKey: ['admin', 'users', 'few', q],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/users', { params: { query: { q, pageSize: 5 } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

export const user = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/users/{id}', { params: { path: { id } }, signal })),
  })

export const userHistory = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'user', id, 'history'],
    initialPageParam: fromStart,
    queryFn: ({ pageParam, signal }) => {
      const query = { pageSize: 25, ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/users/{id}/history', { params: { path: { id }, query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export type VideoFilter = { state: 'in-progress' | 'overdue'; userId?: string; provider?: string }

/** Unfinished videos of everybody, oldest first. */
export const unfinished = (filter: VideoFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'videos', filter],
    initialPageParam: fromStart,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, pageSize: 50, ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/videos', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

export const eventStates = ['unmatched', 'failed', 'applied', 'ignored'] as const
export type EventState = (typeof eventStates)[number]

/** What the payment processors reported, newest first; of all states when none is given. */
export const paymentEvents = (state: EventState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'payments', state ?? 'all'],
    initialPageParam: fromStart,
    queryFn: ({ pageParam, signal }) => {
      const query = { pageSize: 25, ...(state ? { state } : {}), ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/payments/events', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

export const providers = queryOptions({
  queryKey: ['admin', 'providers'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/providers', { signal })),
  refetchInterval: 10_000,
})
