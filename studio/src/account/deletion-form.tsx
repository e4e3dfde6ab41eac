/** Confirms a deletion that cannot be undone: a name typed again, and the password of a user who has one. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { CurrentPasswordField } from '../ui/password-field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { OwedState, owedOf } from './owed-state.tsx'

type Props = {
  /** What is lost. */
  children: ReactNode
  /** What is typed to confirm: an e-mail address or a name. */
  name: string
  isName: (typed: string) => boolean
  hasPassword: boolean
  submitLabel: string
  remove: {
    mutate: (body: { password?: string; owed?: number }) => void
    error: KinoraError | null
    isPending: boolean
    isSuccess: boolean
  }
  onCancel: () => void
}

export function DeletionForm({ children, name, isName, hasPassword, submitLabel, remove, onCancel }: Props) {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const isPasswordWrong = remove.error?.code === 'INVALID_REQUEST'
  // The second request says that the user knows the amount, which the first one has shown.
  const [owed, setOwed] = useState(0)
  const asked = owedOf(remove.error)
  if (asked > owed) setOwed(asked)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate({ ...(hasPassword ? { password } : {}), ...(owed > 0 ? { owed } : {}) })
      }}
    >
      <p>{children}</p>
      <Field
        label={t`Type ${name} to confirm`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        required
      />
      {hasPassword ? (
        <CurrentPasswordField
          value={password}
          onChange={setPassword}
          error={isPasswordWrong ? remove.error?.message : undefined}
        />
      ) : null}
      <OwedState owed={owed} />
      {remove.error && !isPasswordWrong && asked === 0 ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onCancel}>{t`Keep it`}</Button>
        <Button
          type="submit"
          kind="danger"
          busy={remove.isPending || remove.isSuccess}
          disabled={!isName(typed.trim()) || (hasPassword && !password)}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
