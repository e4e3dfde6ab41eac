/** Query options of the administration pages. Every query key begins with 'admin'. */
import type { KinoraError, Schemas } from '@kinora/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'
import { type Days, rangeOf } from '../ui/period-select.tsx'

export type User = Schemas['ListedUser']
export type UserDetail = Schemas['UserDetail']
export type Team = Schemas['ListedTeam']
export type TeamDetail = Schemas['AdminTeam']
/** A user or a team, as balance, history and the forms of credits need it. A team has no e-mail address. */
export type Owner = Pick<UserDetail, 'id' | 'name' | 'deletedAt' | 'credits' | 'inProgress'> & { email?: string }
export const ownerName = ({ name, email, id }: Owner): string => name || email || id
export type Provider = Schemas['ProviderHealth']
export type AdminModel = Schemas['AdminModel']
export type LedgerCheckRun = Schemas['LedgerCheck']
export type AuditEntry = Schemas['AuditEntry']
export type Taking = Schemas['TakenCredits']

/** `q`: in e-mail address or name, or the id; `days`: of their sign-up; `owes`: they owe credits. */
export type UsersFilter = { q?: string; days?: Days; owes?: true; tag?: string }

/** The tags in use, by which users and teams are filtered. */
export const tagsQuery = queryOptions({
  queryKey: ['admin', 'tags'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/tags', { signal })),
})

/** Newest first. */
export const usersQuery = (filter: UsersFilter) =>
  pagedQuery(
    ['admin', 'users', filter],
    (page, signal) => {
      const { days, ...rest } = filter
      const query = { ...page, ...rest, ...(days ? rangeOf(days) : {}) }
      return kinora.GET('/api/v1/admin/users', { params: { query }, signal })
    },
    { keepsPrevious: true },
  )

/** The first 5 matches, for the user picker; disabled while `q` is empty. */
export const userSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['admin', 'users', 'suggestions', q],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/users', { params: { query: { q, pageSize: 5 } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/users/{id}', { params: { path: { id } }, signal })),
  })

/** Its key begins as those of the history and the payments, which are under the id of the owner. */
export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'team'],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/teams/{id}', { params: { path: { id } }, signal })),
  })

/** What an owner has by now, read at each use. */
export const balanceQuery = ({ id, email }: Owner) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'balance'],
    queryFn: ({ signal }): Promise<Pick<Owner, 'credits'>> => {
      const request = { params: { path: { id } }, signal }
      return email === undefined
        ? dataOf(kinora.GET('/api/v1/admin/teams/{id}', request))
        : dataOf(kinora.GET('/api/v1/admin/users/{id}', request))
    },
    staleTime: 0,
  })

/** Newest first. */
export const teamsQuery = (filter: { q?: string; owes?: true; tag?: string }) =>
  pagedQuery(
    ['admin', 'teams', filter],
    (page, signal) => kinora.GET('/api/v1/admin/teams', { params: { query: { ...page, ...filter } }, signal }),
    { keepsPrevious: true },
  )

export const userHistoryQuery = (id: string) =>
  pagedQuery(['admin', 'user', id, 'history'], (query, signal) =>
    kinora.GET('/api/v1/admin/users/{id}/history', { params: { path: { id }, query }, signal }),
  )

/** Every model with its routes, and the mistakes of the catalogue. */
export const modelsQuery = queryOptions({
  queryKey: ['admin', 'models'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/models', { signal })),
  refetchInterval: 10_000,
})

/** The checklist of a new service. */
export const setupQuery = queryOptions({
  queryKey: ['admin', 'setup'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/setup', { signal })),
})

/** A file of the catalogue as it is in force. */
export const catalogueFileQuery = (file: string) =>
  queryOptions({
    queryKey: ['admin', 'catalogue', file],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/catalogue/file', { params: { query: { file } }, signal })),
  })

/** How vendors' lists differ from the catalogue, and the drafts in force. */
export const findingsQuery = queryOptions({
  queryKey: ['admin', 'catalogue'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/catalogue', { signal })),
  refetchInterval: 30_000,
})

/** The days of the last month with requests that moderation was asked about. */
export const moderationQuery = queryOptions({
  queryKey: ['admin', 'moderation'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/moderation', { params: { query: { days: 30 } }, signal })),
})

export const providersQuery = queryOptions({
  queryKey: ['admin', 'providers'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/providers', { signal })),
  refetchInterval: 10_000,
})

/** The ledger check in progress, polled every second while there is one, and the last one that has ended. */
export const ledgerChecksQuery = queryOptions({
  queryKey: ['admin', 'ledger'],
  queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/ledger/check', { signal })),
  refetchInterval: ({ state }) => (state.data?.running ? 1000 : 30_000),
})

export type AuditFilter = { userId?: string; actorId?: string; action?: string }

/** The audit log, newest first. */
export const auditQuery = (filter: AuditFilter) =>
  pagedQuery(
    ['admin', 'audit', filter],
    (page, signal) => kinora.GET('/api/v1/admin/audit', { params: { query: { ...filter, ...page } }, signal }),
    { keepsPrevious: true },
  )

/** Refetches balance and history. @returns undefined when that fails; the change itself has succeeded by then */
export async function refetchOwner(id: string): Promise<Pick<Owner, 'credits'> | undefined> {
  await Promise.all([
    refreshQueries(['admin', 'user', id]),
    // An administrator may correct their own credits: then their own balance in the shell changes too.
    refreshQueries(['credit']),
  ])
  queryClient.invalidateQueries({ queryKey: ['admin', 'users'], refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: ['admin', 'teams'], refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: ['admin', 'audit'], refetchType: 'none' })
  return [userQuery(id), teamQuery(id)]
    .map(({ queryKey }) => queryClient.getQueryState<Owner>(queryKey))
    .find((state) => state?.status === 'success' && !state.isInvalidated)?.data
}

/** Whether a change may have been made although the response is an error: none arrived, or the service failed. */
export const mayHaveHappened = (error: KinoraError | null): boolean =>
  error !== null && (error.code === 'UNREACHABLE' || error.status >= 500)
