/** Form for the credits of a day and of a week from which on a mail is sent; an empty field means never. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, showSaved } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { NumberField } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { creditAlertQuery } from '../webhooks/low-credits-form.tsx'

export function SpendingAlertForm() {
  const { data, error, refetch } = useQuery(creditAlertQuery)
  const [typed, setTyped] = useState<{ day?: string; week?: string }>({})
  const textOf = (period: 'day' | 'week') => typed[period] ?? String(data?.[period] ?? '')
  const numberOf = (period: 'day' | 'week') => (textOf(period).trim() ? Number(textOf(period)) : null)
  const save = useAction({
    send: () => {
      const body = { below: data?.below ?? null, day: numberOf('day'), week: numberOf('week') }
      return dataOf(kinora.PUT('/api/v1/credit/alert', { body }))
    },
    refresh: async (alert) => {
      if (alert) await showSaved(creditAlertQuery.queryKey, alert)
      setTyped({})
    },
    done: t`Saved.`,
  })
  return (
    <ActionForm
      action={save}
      onSubmit={() => save.mutate()}
      submitLabel={t`Save`}
      kind="plain"
      isReady={data !== undefined && Object.keys(typed).length > 0}
      detail={error && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
    >
      <h2>{t`Mail about spending`}</h2>
      <NumberField
        label={t`Credits a day`}
        max={1_000_000_000}
        value={textOf('day')}
        onChange={({ target }) => setTyped({ ...typed, day: target.value })}
      />
      <NumberField
        label={t`Credits a week`}
        hint={t`A mail is sent when films of the day or week, in UTC, have cost as much. Empty: never.`}
        max={1_000_000_000}
        value={textOf('week')}
        onChange={({ target }) => setTyped({ ...typed, week: target.value })}
      />
    </ActionForm>
  )
}
