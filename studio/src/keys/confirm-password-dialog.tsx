/** Asks for the password before a change that outlives the session, such as a new API key. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CurrentPasswordField } from '../ui/password-field.tsx'
import { ErrorState } from '../ui/states.tsx'

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
export const isSignInOld = ({ authCode, details }: KinoraError): boolean =>
  authCode === 'SESSION_NOT_FRESH' ||
  (typeof details === 'object' && details !== null && 'reason' in details && details.reason === 'sign_in_old')

export const ConfirmPasswordDialog = ({ open, ...props }: Props) => (
  <Dialog open={open} onClose={props.onClose} title={t`Confirm that it is you`}>
    <PasswordForm {...props} />
  </Dialog>
)

function PasswordForm({ isPending, error, onConfirm, onClose, reason, submitLabel }: Omit<Props, 'open'>) {
  const [password, setPassword] = useState('')
  const isWrong = error?.authCode === 'INVALID_PASSWORD'
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm(password)
      }}
    >
      <p>{reason ?? t`You signed in a while ago. A key works without you, so type your password before it is made.`}</p>
      <CurrentPasswordField value={password} onChange={setPassword} error={isWrong ? error.message : undefined} />
      {error && !isWrong && !isSignInOld(error) ? <ErrorState error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" kind="primary" busy={isPending} disabled={!password}>
          {submitLabel ?? t`Make key`}
        </Button>
      </div>
    </form>
  )
}
