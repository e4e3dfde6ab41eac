/** Confirms a deletion that cannot be undone: a name typed again, and the password of a user who has one. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ActionForm } from '../ui/action-form.tsx'
import { Field, useFields } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { CurrentPasswordField } from '../ui/password-field.tsx'

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
  const { values, text } = useFields({ typed: '' })
  const [password, setPassword] = useState('')
  const isPasswordWrong = remove.error?.code === 'INVALID_REQUEST'
  // The second request says that the user knows the amount, which the first one has shown.
  const [owed, setOwed] = useState(0)
  const asked = owedOf(remove.error)
  if (asked > owed) setOwed(asked)
  return (
    <ActionForm
      action={remove}
      onSubmit={() => remove.mutate({ ...(hasPassword ? { password } : {}), ...(owed > 0 ? { owed } : {}) })}
      submitLabel={submitLabel}
      kind="danger"
      isReady={isName(values.typed.trim()) && (!hasPassword || password !== '')}
      isLast
      error={isPasswordWrong || asked > 0 ? null : remove.error}
      onCancel={onCancel}
      cancelLabel={t`Keep it`}
    >
      <p>{children}</p>
      <Field label={t`Type ${name} to confirm`} autoComplete="off" required {...text('typed')} />
      {hasPassword ? (
        <CurrentPasswordField
          value={password}
          onChange={setPassword}
          error={isPasswordWrong ? remove.error?.message : undefined}
        />
      ) : null}
      <OwedState owed={owed} />
    </ActionForm>
  )
}

/** The credits that a deletion was refused for; 0: it was not. */
const owedOf = (error: KinoraError | null): number =>
  (error?.code === 'CONFLICT' ? (error.details as { owed?: number } | undefined)?.owed : undefined) ?? 0

/** What a user who owes reads before a deletion: the request that names the amount deletes all the same. */
const OwedState = ({ owed }: { owed: number }) =>
  owed > 0 ? (
    <p className="error-state" role="alert">
      {t`${formatCredits(owed)} of payments that were returned are owed. Delete again if it is to be deleted all the same: what a team owes, those owe then who paid.`}
    </p>
  ) : null
