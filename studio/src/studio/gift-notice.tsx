/** Says once why the new-user gift, which the studio calls welcome credits, did not come, or what it waits for. */
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { dataOf, kinora, queryClient } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { giftText } from '../i18n/service-text.ts'
import { Button } from '../ui/button.tsx'

const giftQuery = queryOptions({
  queryKey: ['credit', 'gift'],
  queryFn: () => dataOf(kinora.GET('/api/v1/credit/gift')),
  staleTime: 60_000,
})

export function GiftNotice() {
  // A team gets none, and the user has seen it in the own studio.
  const { data } = useQuery({ ...giftQuery, enabled: chosenTeam() === null })
  const seen = useMutation({
    mutationFn: () => dataOf(kinora.POST('/api/v1/credit/gift/seen')),
    onSuccess: (gift) => queryClient.setQueryData(giftQuery.queryKey, gift),
  })
  if (!data?.message || data.isSeen) return null
  return (
    <section className="panel" aria-labelledby="gift-notice">
      <h2 id="gift-notice">{t`Your welcome credits`}</h2>
      <p>{giftText(data)}</p>
      <div className="row">
        <Button busy={seen.isPending} onClick={() => seen.mutate()}>
          {t`I understand`}
        </Button>
      </div>
    </section>
  )
}
