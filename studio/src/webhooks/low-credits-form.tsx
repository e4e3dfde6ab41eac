/** Form for the balance below which credit.low is sent; an empty field means never. */
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
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
    onSuccess: (alert) => {
      queryClient.setQueryData(creditAlertQuery.queryKey, alert)
      setTyped(null)
      toast({ text: alert.below === null ? t`No event is sent for low credits.` : t`Saved.` })
    },
  })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(value.trim() ? Number(value) : null)
      }}
    >
      <h2>{t`Low credits`}</h2>
      <Field
        label={t`Below`}
        hint={t`Your endpoints get an event when fewer credits are left. Empty: never.`}
        type="number"
        inputMode="numeric"
        min={1}
        max={1_000_000_000}
        step={1}
        value={value}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
      />
      {error && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {save.error ? <ErrorState error={save.error} /> : null}
      <Button type="submit" busy={save.isPending} disabled={!data || value === saved}>
        {t`Save`}
      </Button>
    </form>
  )
}
