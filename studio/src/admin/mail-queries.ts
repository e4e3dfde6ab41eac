/** The queries of the mails page, and what it calls their states. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export type Mail = Schemas['ListedMail']

export const mailsQuery = (status: Mail['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'mails', status ?? 'all'],
    queryFn: ({ pageParam, signal }) => {
      const query = { pageSize: 25, ...(status ? { status } : {}), ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/mails', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

/** Its read may be an entry of the audit log, so it is not repeated while the dialog is open. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'mail', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/mails/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const mailLabels: Record<Mail['status'], { label: string; kind: 'done' | 'failed' | 'plain' }> = {
  pending: { label: t`Waiting`, kind: 'plain' },
  sent: { label: t`Sent`, kind: 'done' },
  failed: { label: t`Failed`, kind: 'failed' },
  expired: { label: t`Out of date`, kind: 'plain' },
}
