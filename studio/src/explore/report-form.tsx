/** Reports a published film to the administrators. A second report of a user changes nothing. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
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
const reasons = Object.keys(reasonLabels) as ReportReason[]
const NOTE_CHARACTERS_MAX = 1000

export function ReportForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [note, setNote] = useState('')
  const report = useSingleFlight({
    mutationFn: (body: { reason: ReportReason; note?: string }) =>
      dataOf(kinora.POST('/api/v1/explore/{id}/report', { params: { path: { id } }, body })),
    onSuccess: () => {
      toast({ text: t`Reported. An administrator will look at this film.` })
      onDone()
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason) report.mutate({ reason, ...(note.trim() ? { note: note.trim() } : {}) })
      }}
    >
      <label className="field">
        <span className="field-label">{t`What is wrong with it?`}</span>
        <select
          className="input"
          required
          value={reason}
          onChange={({ target: { value } }) => setReason(reasons.find((each) => each === value) ?? '')}
        >
          <option value="">{t`Choose a reason`}</option>
          {reasons.map((each) => (
            <option key={each} value={each}>
              {reasonLabels[each]}
            </option>
          ))}
        </select>
      </label>
      <Field
        label={t`Note`}
        hint={t`Only administrators read it.`}
        maxLength={NOTE_CHARACTERS_MAX}
        autoComplete="off"
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {report.error ? <ErrorState error={report.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onDone}>{t`Cancel`}</Button>
        <Button type="submit" kind="primary" busy={report.isPending} disabled={!reason}>
          {t`Report`}
        </Button>
      </div>
    </form>
  )
}
