/** Changes that an administrator makes with a reason, which the audit log keeps. */
import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { ActionDialog, ActionForm } from '../ui/action-form.tsx'
import { Field, useFields } from '../ui/field.tsx'

type FieldProps = Pick<ComponentProps<'input'>, 'value' | 'onChange'> & { hint?: string | undefined }

/** @param props `hint`: where the reason is shown, when not in the audit alone */
export const ReasonField = ({ hint = t`Kept in the audit.`, ...input }: FieldProps) => (
  <Field label={t`Reason`} hint={hint} maxLength={500} required autoComplete="off" {...input} />
)

/** The reason as typed, and whether there is one. */
function useReason() {
  const { values, text } = useFields({ reason: '' })
  const reason = values.reason.trim()
  return { reason, isReady: reason !== '', field: text('reason') }
}

type FormProps = Omit<ComponentProps<typeof ActionForm>, 'onSubmit' | 'isReady' | 'isHeld'> & {
  onSubmit: (reason: string) => void
  /** Whether its other fields may be sent. */
  isUsable?: boolean
  reasonHint?: string
}

export function ReasonForm({ onSubmit, reasonHint, isUsable = true, children, ...form }: FormProps) {
  const { reason, isReady, field } = useReason()
  return (
    <ActionForm {...form} isHeld isReady={isReady && isUsable} onSubmit={() => onSubmit(reason)}>
      {children}
      <ReasonField {...field} hint={reasonHint} />
    </ActionForm>
  )
}

type DialogProps<Data> = Omit<ComponentProps<typeof ActionDialog<Data>>, 'send' | 'isReady' | 'isHeld'> & {
  send: (reason: string) => Promise<Data>
}

/** Asks for the reason before a change. */
export function ReasonDialog<Data>({ send, children, ...dialog }: DialogProps<Data>) {
  const { reason, isReady, field } = useReason()
  return (
    <ActionDialog {...dialog} isHeld isReady={isReady} send={() => send(reason)}>
      {children}
      <ReasonField {...field} />
    </ActionDialog>
  )
}
