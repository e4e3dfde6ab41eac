/** The automatic top-up and its last charge; read again while something is awaited from the processor. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export const topUpQuery = queryOptions({
  queryKey: ['plans', 'top-up'],
  queryFn: () => dataOf(kinora.GET('/api/v1/billing/top-up')),
  staleTime: 60_000,
  refetchInterval: ({ state: { data } }) =>
    data?.rule?.paused === 'no_card' || data?.last?.state === 'action' ? 15_000 : false,
})
