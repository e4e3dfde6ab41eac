/** Form for the balance below which credit.low is sent; an empty field means never. */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, showSaved } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { NumberField } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

export const creditAlertQuery = queryOptions({
  queryKey: ['credit', 'alert'],
  queryFn: () => dataOf(kinora.GET('/api/v1/credit/alert')),
})

export function LowCreditsForm() {
  const { data, error, refetch } = useQuery(creditAlertQuery)
  const saved = data?.below ? String(data.below) : ''
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? saved
  const save = useSingleFlight({
    mutationFn: (below: number | null) => dataOf(kinora.PUT('/api/v1/credit/alert', { body: { below } })),
    onSuccess: async (alert) => {
      await showSaved(creditAlertQuery.queryKey, alert)
      setTyped(null)
      toast({ text: alert.below === null ? t`No event is sent for low credits.` : t`Saved.` })
    },
  })
  return (
    <ActionForm
      action={save}
      onSubmit={() => save.mutate(value.trim() ? Number(value) : null)}
      submitLabel={t`Save`}
      kind="plain"
      isReady={data !== undefined && value !== saved}
      detail={error && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
    >
      <h2>{t`Low credits`}</h2>
      <NumberField
        label={t`Below`}
        hint={t`Your endpoints get an event when fewer credits are left. Empty: never.`}
        max={1_000_000_000}
        value={value}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ActionForm>
  )
}
