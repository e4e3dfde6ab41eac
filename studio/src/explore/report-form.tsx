/** Reports a published film to the administrators. A second report of a user changes nothing. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Field, LabelledControl, useFields } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import '../ui/field.css'

export type ReportReason = Schemas['ReportedFilm']['reports'][number]['reason']

export const reasonLabels: Record<ReportReason, string> = {
  sexual: t`Sexual content`,
  violence: t`Violence`,
  hate: t`Hate or harassment`,
  person: t`A person who has not agreed`,
  copyright: t`Another person’s work`,
  spam: t`Spam or advertising`,
  other: t`Something else`,
}
const NOTE_CHARACTERS_MAX = 1000

export function ReportForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [reason, setReason] = useState<ReportReason>()
  const { values, text } = useFields({ note: '' })
  const note = values.note.trim()
  const report = useAction({
    send: (body: { reason: ReportReason; note?: string }) =>
      dataOf(kinora.POST('/api/v1/explore/{id}/report', { params: { path: { id } }, body })),
    done: t`Reported. An administrator will look at this film.`,
    onDone,
  })
  return (
    <ActionForm
      action={report}
      onSubmit={() => reason && report.mutate({ reason, ...(note ? { note } : {}) })}
      submitLabel={t`Report`}
      isReady={reason !== undefined}
      onCancel={onDone}
    >
      <LabelledControl
        label={t`What is wrong with it?`}
        control={(props) => (
          <Select
            {...props}
            required
            value={reason}
            none={t`Choose a reason`}
            options={reasonLabels}
            onSelect={setReason}
          />
        )}
      />
      <Field
        label={t`Note`}
        hint={t`Only administrators read it.`}
        maxLength={NOTE_CHARACTERS_MAX}
        autoComplete="off"
        {...text('note')}
      />
    </ActionForm>
  )
}
