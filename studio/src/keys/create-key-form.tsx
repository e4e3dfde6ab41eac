/**
 * Form that creates an API key, and the dialog that shows the key, once: the service stores only its hash. When the
 * sign-in is older than some minutes, a dialog asks for the password first.
 */

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Check, Field, LabelledControl, NumberField, useFields } from '../ui/field.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { Select } from '../ui/select.tsx'
import { ConfirmPasswordDialog, isSignInOld } from './confirm-password-dialog.tsx'
import styles from './create-key-form.module.css'
import { type Period, periodOptions, type Scope, scopes } from './key-limits.ts'

const DAY_S = 86_400
const expiryOptions = [
  ['0', t`Never`],
  ['30', t`In 30 days`],
  ['90', t`In 90 days`],
  ['365', t`In a year`],
] as const

export function CreateKeyForm() {
  const { values, text, reset } = useFields({ name: '' })
  const name = values.name.trim()
  const [days, setDays] = useState('0')
  const [limits, setLimits] = useState(defaultLimits)
  const [isConfirming, setConfirming] = useState(false)
  const create = useSingleFlight({
    mutationFn: (password?: string): Promise<{ key: string }> => {
      const body = {
        name,
        scopes: limits.scopes,
        test: limits.isTest,
        ...(limits.credits ? { budget: { credits: Number(limits.credits), period: limits.period } } : {}),
        ...(days === '0' ? {} : { expiresIn: Number(days) * DAY_S }),
        ...(password === undefined ? {} : { password }),
      }
      return chosenTeam()
        ? dataOf(kinora.POST('/api/v1/team/keys', { body }))
        : dataOf(kinora.POST('/api/auth/api-key/create', { body }))
    },
    onSuccess: async () => {
      reset()
      setDays('0')
      setLimits(defaultLimits)
      setConfirming(false)
      // The list may still be loading, from before the key was there.
      await refreshQueries(['keys'])
    },
    onError: (error) => {
      if (isSignInOld(error)) setConfirming(true)
    },
  })
  return (
    <ActionForm
      action={create}
      onSubmit={() => create.mutate(undefined)}
      submitLabel={t`Make key`}
      isReady={name !== '' && limits.scopes.length > 0}
      error={isConfirming ? null : create.error}
    >
      <h2>{t`New key`}</h2>
      <Field
        label={t({ message: 'Name', context: 'of an API key' })}
        hint={t`What it is for, so that you know later which one to delete.`}
        required
        maxLength={32}
        autoComplete="off"
        {...text('name')}
      />
      <LimitFields limits={limits} onChange={setLimits} />
      <LabelledControl
        label={t`Ends`}
        control={(props) => (
          <Select {...props} value={days} options={expiryOptions} onSelect={(next = '0') => setDays(next)} />
        )}
      />
      <ConfirmPasswordDialog
        open={isConfirming}
        isPending={create.isPending}
        error={create.error}
        onConfirm={(password) => create.mutate(password)}
        onClose={() => {
          setConfirming(false)
          create.reset()
        }}
      />
      <SecretDialog
        secret={create.data?.key}
        title={t`Your new key`}
        note={
          <Trans>
            Send it as <code>x-api-key</code> with every request.
          </Trans>
        }
        onClose={create.reset}
      >
        {t`Copy it now and keep it where you keep passwords. It is not shown again.`}
      </SecretDialog>
    </ActionForm>
  )
}

/** `credits`: as typed; empty: no budget. */
type Limits = { scopes: Scope[]; credits: string; period: Period; isTest: boolean }

/** Excludes the account, which few programs need. */
const defaultLimits: Limits = { scopes: ['read', 'generate'], credits: '', period: 'month', isTest: false }

/** The fields of a new API key's limits: what it may do, and its budget. */
function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  const toggle = (scope: Scope) => {
    const chosen = limits.scopes.includes(scope)
      ? limits.scopes.filter((each) => each !== scope)
      : [...limits.scopes, scope]
    onChange({ ...limits, scopes: chosen })
  }
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend className="field-label">{t`It may`}</legend>
        {scopes.map(({ scope, label }) => (
          <Check key={scope} label={label} checked={limits.scopes.includes(scope)} onChange={() => toggle(scope)} />
        ))}
      </fieldset>
      <div className={styles.budget}>
        <NumberField
          label={t`Budget in credits`}
          max={1_000_000_000}
          placeholder={t`No limit`}
          value={limits.credits}
          onChange={({ target }) => onChange({ ...limits, credits: target.value })}
        />
        <LabelledControl
          label={t`For`}
          control={(props) => (
            <Select
              {...props}
              value={limits.period}
              options={periodOptions}
              onSelect={(period = 'month') => onChange({ ...limits, period })}
            />
          )}
        />
      </div>
      <Check
        label={t`Test key: its films cost nothing, are always the same, and go after a day`}
        checked={limits.isTest}
        onChange={() => onChange({ ...limits, isTest: !limits.isTest })}
      />
      <p className="field-hint">
        {t`Credits of films that fail come back to the budget. Days, weeks and months are those of UTC.`}
      </p>
    </>
  )
}
