/** Asks for the password before a change that outlives the session, such as a new API key. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ActionForm } from '../ui/action-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CurrentPasswordField } from '../ui/password-field.tsx'

type Props = {
  open: boolean
  isPending: boolean
  /** The error of the last attempt, with a password or without. */
  error: KinoraError | null
  onConfirm: (password: string) => void
  onClose: () => void
  /** Why, and what the button says; an API key when left out. */
  reason?: string
  submitLabel?: string
}

/** Whether the service asks for the password, because the user signed in a while ago. */
export const isSignInOld = ({ details }: KinoraError): boolean =>
  typeof details === 'object' && details !== null && 'reason' in details && details.reason === 'sign_in_old'

export const ConfirmPasswordDialog = ({ open, ...props }: Props) => (
  <Dialog open={open} onClose={props.onClose} title={t`Confirm that it is you`}>
    <PasswordForm {...props} />
  </Dialog>
)

function PasswordForm({ isPending, error, onConfirm, onClose, reason, submitLabel }: Omit<Props, 'open'>) {
  const [password, setPassword] = useState('')
  const isWrong = error?.code === 'INVALID_PASSWORD'
  return (
    <ActionForm
      action={{ isPending, error }}
      onSubmit={() => onConfirm(password)}
      submitLabel={submitLabel ?? t`Make key`}
      isReady={password !== ''}
      error={error && !isWrong && !isSignInOld(error) ? error : null}
      onCancel={onClose}
    >
      <p>{reason ?? t`You signed in a while ago. A key works without you, so type your password before it is made.`}</p>
      <CurrentPasswordField value={password} onChange={setPassword} error={isWrong ? error.message : undefined} />
    </ActionForm>
  )
}
