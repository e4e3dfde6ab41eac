/** The queries of the webhook pages, and the labels of event types and states. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { pagedQuery } from '../ui/infinite-pages.ts'
import type { StateLabel } from '../ui/mark.tsx'

export type Endpoint = Schemas['WebhookEndpoint']
export type EventType = Endpoint['events'][number]
export type Delivery = Schemas['ListedDelivery']

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => dataOf(kinora.GET('/api/v1/webhook/endpoints')),
})

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => dataOf(kinora.GET('/api/v1/webhook/endpoints/{id}', { params: { path: { id } } })),
  })

const DELIVERIES_REFETCH_MS = 5_000

export const deliveriesQuery = (id: string, status: Delivery['status'] | undefined) => ({
  ...pagedQuery(['webhooks', id, 'deliveries', status ?? 'all'], (page, signal) => {
    const params = { path: { id }, query: { ...page, ...(status ? { status } : {}) } }
    return kinora.GET('/api/v1/webhook/endpoints/{id}/deliveries', { params, signal })
  }),
  // Polls while a delivery of the newest page waits, because the event stream does not report deliveries.
  refetchInterval: ({ state }: { state: { data?: { pages: { deliveries: Delivery[] }[] } | undefined } }) =>
    state.data?.pages[0]?.deliveries.some(({ status: current }) => current === 'pending')
      ? DELIVERIES_REFETCH_MS
      : false,
})

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: () =>
      dataOf(
        kinora.GET('/api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } } }),
      ),
  })

/** Event types in the order of a film's life. A Record, so that a type without a label does not compile. */
const eventLabels: Record<EventType, string> = {
  'video.completed': t`A film is ready`,
  'video.failed': t`A film failed`,
  'video.cancelled': t`A film was cancelled`,
  'video.deleted': t`A film was deleted`,
  'project.created': t`A project was made`,
  'project.rendered': t`A project was rendered`,
  'project.deleted': t`A project was deleted`,
  'asset.created': t`A picture, film or sound was uploaded`,
  'asset.deleted': t`A picture, film or sound was deleted`,
  'credit.added': t`Credits were added`,
  'credit.low': t`Credits are low`,
  'credit.expiring': t`Credits are about to expire`,
  'subscription.updated': t`A subscription changed`,
}
export const eventOptions = Object.entries(eventLabels) as [EventType, string][]

export const deliveryLabels: Record<Delivery['status'], StateLabel> = {
  delivered: { label: t`Delivered`, kind: 'done' },
  pending: { label: t`Waiting`, kind: 'plain' },
  failed: { label: t`Failed`, kind: 'failed' },
}

/** The state of an endpoint as a label and the kind of its mark. */
export function endpointState({ enabled, disabledReason, failingSince }: Endpoint): StateLabel {
  if (enabled) return failingSince ? { label: t`Failing`, kind: 'failed' } : { label: t`On`, kind: 'done' }
  const labels = {
    owner: t`Off`,
    gone: t`Off: it responded with 410`,
    failing: t`Off: it failed for five days`,
  } as const
  return { label: labels[disabledReason ?? 'owner'], kind: disabledReason === 'owner' ? 'plain' : 'failed' }
}
