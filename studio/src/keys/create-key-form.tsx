/**
 * Form that creates an API key, and the dialog that shows the key, once: the service stores only its hash. When the sign-in is older
 * than some minutes, a dialog asks for the password first.
 */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { ConfirmPasswordDialog, isSignInOld } from './confirm-password-dialog.tsx'
import styles from './create-key-form.module.css'
import { defaultLimits, LimitFields } from './limit-fields.tsx'

const DAY_S = 86_400
const expiryOptions = [
  { days: 0, label: t`Never` },
  { days: 30, label: t`In 30 days` },
  { days: 90, label: t`In 90 days` },
  { days: 365, label: t`In a year` },
]

export function CreateKeyForm() {
  const create = useSingleFlight({
    mutationFn: ({
      name,
      days,
      password,
    }: {
      name: string
      days: number
      password?: string
    }): Promise<{ key: string }> => {
      const body = {
        name,
        scopes: limits.scopes,
        ...(limits.credits ? { budget: { credits: Number(limits.credits), period: limits.period } } : {}),
        ...(days ? { expiresIn: days * DAY_S } : {}),
        ...(password === undefined ? {} : { password }),
      }
      return chosenTeam()
        ? dataOf(kinora.POST('/api/v1/team/keys', { body }))
        : dataOf(kinora.POST('/api/auth/api-key/create', { body }))
    },
    onSuccess: async () => {
      setName('')
      setDays(0)
      setLimits(defaultLimits)
      setConfirming(false)
      // The list may still be loading, from before the key was there.
      await refreshQueries(['keys'])
    },
    onError: (error) => {
      if (isSignInOld(error)) setConfirming(true)
    },
  })
  const [name, setName] = useState('')
  const [days, setDays] = useState(0)
  const [limits, setLimits] = useState(defaultLimits)
  const [isConfirming, setConfirming] = useState(false)
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ name: name.trim(), days })
      }}
    >
      <h2>{t`New key`}</h2>
      <Field
        label={t({ message: 'Name', context: 'of an API key' })}
        hint={t`What it is for, so that you know later which one to delete.`}
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={32}
        autoComplete="off"
      />
      <LimitFields limits={limits} onChange={setLimits} />
      <label className="field">
        <span className="field-label">{t`Ends`}</span>
        <select className="input" value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {expiryOptions.map((option) => (
            <option key={option.days} value={option.days}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
      {create.error && !isConfirming ? <ErrorState error={create.error} /> : null}
      <Button
        type="submit"
        kind="primary"
        busy={create.isPending}
        disabled={!name.trim() || limits.scopes.length === 0}
      >
        {t`Make key`}
      </Button>
      <ConfirmPasswordDialog
        open={isConfirming}
        isPending={create.isPending}
        error={create.error}
        onConfirm={(password) => create.mutate({ name: name.trim(), days, password })}
        onClose={() => {
          setConfirming(false)
          create.reset()
        }}
      />
      <Dialog open={create.data !== undefined} onClose={create.reset} title={t`Your new key`}>
        <p>{t`Copy it now and keep it where you keep passwords. It is not shown again.`}</p>
        <p className={styles.key}>
          <code>{create.data?.key}</code>
        </p>
        <p className="quiet">
          <Trans>
            Send it as <code>x-api-key</code> with every request.
          </Trans>
        </p>
        <div className="dialog-actions">
          <CopyButton text={create.data?.key ?? ''} kind="primary" />
          <Button onClick={create.reset}>{t`Done`}</Button>
        </div>
      </Dialog>
    </form>
  )
}
