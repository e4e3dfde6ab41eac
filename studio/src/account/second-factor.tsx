/** The second factor: codes of an authenticator app, set up with a QR code, and recovery codes that are shown once. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { dataOf, kinora, queryClient, replaceSession, sessionQuery } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { oneTimeCode } from '../sign-in/one-time-code.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { CurrentPasswordField } from '../ui/password-field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { accountsQuery } from './queries.ts'
import styles from './second-factor.module.css'

/** Loaded on demand: its encoder is a quarter of the page's script. */
const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })))

type Task = 'enable' | 'disable' | 'renew'
const titles: Record<Task, string> = {
  enable: t`Set up a second factor`,
  disable: t`Remove the second factor?`,
  renew: t`New recovery codes`,
}

export function SecondFactor() {
  const { user } = useSignedIn()
  const [task, setTask] = useState<Task | null>(null)
  const close = () => setTask(null)
  return (
    <section className="panel" aria-labelledby="second-factor">
      <div className="page-head">
        <h3 id="second-factor">{t`Second factor`}</h3>
        {user.twoFactorEnabled ? <Mark kind="done" label={t`On`} /> : null}
      </div>
      <p className="quiet">
        {user.twoFactorEnabled
          ? t`A sign-in with your password needs a code of your authenticator app too.`
          : t`A code of an authenticator app at each sign-in, so that a stolen password is not enough.`}
      </p>
      {user.twoFactorEnabled ? (
        <div className="row">
          <Button onClick={() => setTask('renew')}>{t`New recovery codes`}</Button>
          <Button onClick={() => setTask('disable')}>{t`Remove`}</Button>
        </div>
      ) : (
        <Button onClick={() => setTask('enable')}>{t`Set up`}</Button>
      )}
      <Dialog open={task !== null} onClose={close} title={titles[task ?? 'enable']}>
        {task ? <TaskDialog task={task} onClose={close} /> : null}
      </Dialog>
    </section>
  )
}

type SetUp = { totpURI?: string; backupCodes: string[] }

function TaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const router = useRouter()
  const hasPassword = useQuery(accountsQuery).data?.some(({ providerId }) => providerId === 'credential') ?? true
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const refresh = async () => {
    await queryClient.refetchQueries(sessionQuery)
    await router.invalidate()
  }
  const begin = useSingleFlight({
    mutationFn: async (): Promise<SetUp | null> => {
      const body = hasPassword ? { password } : {}
      if (task === 'enable') return dataOf(kinora.POST('/api/auth/two-factor/enable', { body }))
      if (task === 'renew') return dataOf(kinora.POST('/api/auth/two-factor/generate-backup-codes', { body }))
      await replaceSession(() => dataOf(kinora.POST('/api/auth/two-factor/disable', { body })))
      return null
    },
    onSuccess: async (setUp) => {
      if (setUp) return
      await refresh()
      onClose()
      toast({ text: t`The second factor is removed.` })
    },
  })
  const verify = useSingleFlight({
    mutationFn: () =>
      replaceSession(() =>
        dataOf(kinora.POST('/api/auth/two-factor/verify-totp', { body: { code: oneTimeCode(code) } })),
      ),
    onSuccess: async () => {
      await refresh()
      onClose()
      toast({ text: t`Your second factor is on.` })
    },
  })
  const setUp = begin.data
  if (setUp) return <SetUpForm setUp={setUp} code={code} setCode={setCode} verify={verify} onClose={onClose} />
  return (
    <BeginForm task={task} begin={begin} onClose={onClose}>
      {(error) => (hasPassword ? <CurrentPasswordField value={password} onChange={setPassword} error={error} /> : null)}
    </BeginForm>
  )
}

type Sending = { mutate: () => void; isPending: boolean; error: KinoraError | null }

type BeginProps = {
  task: Task
  begin: Sending
  onClose: () => void
  /** The password field, with its error. */
  children: (error: string | undefined) => ReactNode
}

/** The first step, with what it means and the password. */
function BeginForm({ task, begin, onClose, children }: BeginProps) {
  const isWrong = begin.error?.code === 'INVALID_PASSWORD'
  return (
    <ActionForm
      action={begin}
      onSubmit={() => begin.mutate()}
      submitLabel={task === 'disable' ? t`Remove` : t`Go on`}
      kind={task === 'disable' ? 'danger' : 'primary'}
      error={isWrong ? null : begin.error}
      onCancel={onClose}
    >
      <p>
        {task === 'enable'
          ? t`You need an app that shows codes, such as a password manager or an authenticator app.`
          : task === 'renew'
            ? t`The recovery codes that you have stop working.`
            : t`Your password alone is enough to sign in then.`}
      </p>
      {children(isWrong ? begin.error?.message : undefined)}
    </ActionForm>
  )
}

type SetUpProps = {
  setUp: SetUp
  code: string
  setCode: (code: string) => void
  verify: Sending
  onClose: () => void
}

/** The second step: the key for the app with a first code, and the recovery codes. */
function SetUpForm({ setUp, code, setCode, verify, onClose }: SetUpProps) {
  const isWrongCode = verify.error?.code === 'INVALID_CODE'
  return (
    <form
      className="stack"
      tabIndex={-1}
      ref={focusStep}
      onSubmit={(event) => {
        event.preventDefault()
        if (setUp.totpURI) verify.mutate()
        else onClose()
      }}
    >
      {setUp.totpURI ? (
        <>
          <p>{t`Scan this with your app, or type the key into it.`}</p>
          <Suspense fallback={<div className={styles.qr} />}>
            <QrCode text={setUp.totpURI} />
          </Suspense>
          <p className={styles.codes}>
            <code>{new URL(setUp.totpURI).searchParams.get('secret')}</code>
          </p>
        </>
      ) : null}
      <p>
        {t`Keep these recovery codes where you keep passwords. Each lets you in once without the app, and they are not shown again.`}
      </p>
      <ul className={styles.codes} aria-label={t`Recovery codes`}>
        {setUp.backupCodes.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={setUp.backupCodes.join('\n')} label={t`Copy the codes`} />
      </div>
      {setUp.totpURI ? (
        <Field
          label={t`Code that the app shows now`}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={10}
          error={isWrongCode ? verify.error?.message : undefined}
        />
      ) : null}
      {verify.error && !isWrongCode ? <ErrorState error={verify.error} /> : null}
      <div className="dialog-actions">
        {setUp.totpURI ? <Button onClick={onClose}>{t`Cancel`}</Button> : null}
        <Button type="submit" kind="primary" busy={verify.isPending}>
          {setUp.totpURI ? t`Turn on` : t`I have them`}
        </Button>
      </div>
    </form>
  )
}

/** The button that had the focus is gone with the step before. Not the field below what has to be read. */
const focusStep = (form: HTMLElement | null): void => form?.focus({ preventScroll: true })
