/** Form of a change that an administrator makes with a reason alone: what it does, the reason, the error of the last attempt. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'
import { ReasonField } from './reason-field.tsx'

type Props = {
  change: { mutate: (reason: string) => void; isPending: boolean; error: KinoraError | null }
  submitLabel: string
  kind?: 'primary' | 'danger'
  /** Where the reason is shown, when not in the audit alone. */
  reasonHint?: string
  onCancel: () => void
  children?: ReactNode
}

export function ReasonForm({ change, submitLabel, kind = 'primary', reasonHint, onCancel, children }: Props) {
  const [text, setText] = useState('')
  const reason = text.trim()
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate(reason)
      }}
    >
      {children}
      <ReasonField value={text} onChange={setText} {...(reasonHint && { hint: reasonHint })} />
      {change.error ? <ErrorState error={change.error} /> : null}
      <div className="dialog-actions">
        <Button disabled={change.isPending} onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button type="submit" kind={kind} busy={change.isPending} disabled={!reason}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
