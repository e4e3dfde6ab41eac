/** Dialog that sends what an endpoint was sent in a period again. */

import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { ActionDialog } from '../ui/action-form.tsx'
import { Field, LabelledControl, useFields } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { type EventType, eventOptions } from './queries.ts'

const DAY_MS = 86_400_000
/** As an input of the type datetime-local has it. */
const localTime = (ms: number): string => {
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const ALL = 'all'

export function ReplayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { values, text } = useFields({ from: localTime(Date.now() - DAY_MS), to: localTime(Date.now() + 60_000) })
  const [type, setType] = useState<EventType | typeof ALL>(ALL)
  const options: [EventType | typeof ALL, string][] = [[ALL, t`All`], ...eventOptions]
  return (
    <ActionDialog
      title={t`Replay a period`}
      submitLabel={t`Send again`}
      isReady={values.from !== '' && values.to > values.from}
      send={() => {
        const [from, to] = [values.from, values.to].map((time) => new Date(time).toISOString()) as [string, string]
        const body = { from, to, types: type === ALL ? [] : [type] }
        return dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/replay', { params: { path: { id } }, body }))
      }}
      refresh={() => refreshQueries(['webhooks'])}
      done={({ deliveries }) =>
        deliveries === 0
          ? t`Nothing was sent in this period.`
          : plural(deliveries, { one: '# is sent again.', other: '# are sent again.' })
      }
      onClose={onClose}
    >
      <p>{t`What was sent in the period is sent again, also what arrived. Your program knows it by its webhook-id.`}</p>
      <Field label={t({ message: 'From', context: 'a time' })} type="datetime-local" required {...text('from')} />
      <Field label={t({ message: 'To', context: 'a time' })} type="datetime-local" required {...text('to')} />
      <LabelledControl
        label={t`Events`}
        control={(props) => (
          <Select {...props} value={type} options={options} onSelect={(next = ALL) => setType(next)} />
        )}
      />
    </ActionDialog>
  )
}
