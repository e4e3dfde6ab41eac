/** The queries of the webhook pages, and the labels of event types and states. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

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

export const deliveriesQuery = (id: string, status: Delivery['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', status ?? 'all'],
    queryFn: ({ pageParam }) =>
      dataOf(
        kinora.GET('/api/v1/webhook/endpoints/{id}/deliveries', {
          params: {
            path: { id },
            query: { ...(status ? { status } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Polls while a delivery of the newest page waits, because the event stream does not report deliveries.
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some((delivery) => delivery.status === 'pending')
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

/** Event types in the order of a film's life. The type is a Record, so that an event type without a label does not compile. */
const eventLabels: Record<EventType, string> = {
  'video.completed': t`A film is ready`,
  'video.failed': t`A film failed`,
  'video.cancelled': t`A film was cancelled`,
  'video.deleted': t`A film was deleted`,
  'credit.added': t`Credits were added`,
  'credit.low': t`Credits are low`,
  'credit.expiring': t`Credits are about to expire`,
  'subscription.updated': t`A subscription changed`,
}
export const eventOptions = Object.entries(eventLabels) as [EventType, string][]

export const deliveryLabels: Record<Delivery['status'], { label: string; kind: 'done' | 'failed' | 'plain' }> = {
  delivered: { label: t`Delivered`, kind: 'done' },
  pending: { label: t`Waiting`, kind: 'plain' },
  failed: { label: t`Failed`, kind: 'failed' },
}

/** The state of an endpoint as a label and the kind of its mark. */
export function endpointState({ enabled, disabledReason, failingSince }: Endpoint) {
  if (enabled)
    return failingSince ? ({ label: t`Failing`, kind: 'failed' } as const) : ({ label: t`On`, kind: 'done' } as const)
  const labels = {
    owner: t`Off`,
    gone: t`Off: it responded with 410`,
    failing: t`Off: it failed for five days`,
  } as const
  return { label: labels[disabledReason ?? 'owner'], kind: disabledReason === 'owner' ? 'plain' : 'failed' } as const
}
