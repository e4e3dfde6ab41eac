/** The sign-in page: e-mail address and password, the other ways, and the second factor. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { signUpRefusal } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { AlternativeMethods } from './alternative-methods.tsx'
import { AuthForm, fieldErrors, useCompleteSignIn } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { useLinkToken } from './link-token.ts'
import { oneTimeCode } from './one-time-code.ts'
import { signInOptionsQuery } from './options.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Set when this page has opened by itself, in place of the one that the user was on. */
    sessionEnded?: boolean
  }
}

export function SignInPage() {
  const { next, error, 'second-factor': secondFactor } = useSearch({ from: '/sign-in' })
  const [needsCode, setNeedsCode] = useState(secondFactor !== undefined)
  const { token, forget } = useLinkToken('link')
  return (
    <AuthLayout title={t`Sign in`}>
      <h1>{needsCode ? t`Enter your code` : t`Sign in`}</h1>
      {needsCode ? (
        <SecondFactorForm next={next} />
      ) : token ? (
        <LinkStep token={token} onUsed={forget} onSecondFactor={() => setNeedsCode(true)} />
      ) : (
        <PasswordStep next={next} redirectError={error} onSecondFactor={() => setNeedsCode(true)} />
      )}
    </AuthLayout>
  )
}

type Step = { next: string | undefined; redirectError: string | undefined; onSecondFactor: () => void }

function PasswordStep({ next, redirectError, onSecondFactor }: Step) {
  const completeSignIn = useCompleteSignIn(next)
  const sessionEnded = useLocation({ select: ({ state }) => state.sessionEnded })
  const signIn = useSingleFlight({
    mutationFn: async (form: FormData) => {
      const { twoFactorRedirect } = await dataOf(
        kinora.POST('/api/auth/sign-in/email', {
          body: { email: String(form.get('email')).trim(), password: String(form.get('password')) },
        }),
      )
      if (twoFactorRedirect) onSecondFactor()
      else await completeSignIn()
    },
  })
  const errors = fieldErrors(signIn.error)
  const refusal = signUpRefusal()
  return (
    <>
      <AuthForm
        submitLabel={t`Sign in`}
        isPending={signIn.isPending}
        error={errors.form ?? (redirectError && !signIn.isPending ? messageOfRedirect(redirectError) : undefined)}
        onSubmit={(form) => signIn.mutate(form)}
      >
        {/* A user who types when the session ends does not type into this field. */}
        <EmailField autoFocus={!sessionEnded} error={errors.email} />
        <Field
          label={t`Password`}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
      </AuthForm>
      <MailLink />
      <AlternativeMethods next={next} withPasskey />
      <p className="quiet">
        <Link to="/forgot-password">{t`Forgot your password?`}</Link>
      </p>
      {refusal ? (
        <p className="quiet">{refusal}</p>
      ) : (
        <p className="quiet">
          <Trans>
            New here?{' '}
            <Link to="/sign-up" search={next ? { next } : {}}>
              Create account
            </Link>
          </Trans>
        </p>
      )}
    </>
  )
}

/** Why a sign-in at a provider came back without a session. */
function messageOfRedirect(error: string): string {
  switch (error) {
    case 'account_not_linked':
      return t`There is an account with this e-mail address already. Sign in to it, and link the provider on the account page.`
    case 'access_denied':
      return t`The provider did not let you in, or you have cancelled there.`
    case 'BANNED_USER':
    case 'banned':
      return t`This account is locked. Ask those who run this service why.`
    case 'SIGN_UP_CLOSED':
      return t`This service takes no new accounts. Ask those who run it for one.`
    case 'INVITATION_NEEDED':
      return t`A new account needs an invitation. Open its link, or ask those who run this service for one.`
    case 'email_not_found':
      return t`The provider has no e-mail address of yours, which an account needs.`
    default:
      return t`The sign-in was not finished. Begin it again.`
  }
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
function SecondFactorForm({ next }: { next: string | undefined }) {
  const completeSignIn = useCompleteSignIn(next)
  const [isRecovery, setRecovery] = useState(false)
  const verify = useSingleFlight({
    mutationFn: async (code: string) => {
      const body = { code }
      await dataOf(
        isRecovery
          ? kinora.POST('/api/auth/two-factor/verify-backup-code', { body })
          : kinora.POST('/api/auth/two-factor/verify-totp', { body }),
      )
      await completeSignIn()
    },
  })
  const isWrong = verify.error?.code === 'INVALID_CODE' || verify.error?.code === 'INVALID_BACKUP_CODE'
  return (
    <>
      <AuthForm
        submitLabel={t`Sign in`}
        isPending={verify.isPending}
        error={isWrong ? undefined : fieldErrors(verify.error).form}
        onSubmit={(form) => verify.mutate(oneTimeCode(String(form.get('code'))))}
      >
        <Field
          key={String(isRecovery)}
          label={isRecovery ? t`Recovery code` : t`Code`}
          hint={
            isRecovery
              ? t`Each recovery code is good for one sign-in.`
              : t`The six digits that your authenticator app shows.`
          }
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
          error={isWrong ? verify.error?.message : undefined}
        />
      </AuthForm>
      <Button
        kind="quiet"
        onClick={() => {
          verify.reset()
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? t`Use a code of the app` : t`Use a recovery code`}
      </Button>
    </>
  )
}

type LinkStepProps = { token: string; onUsed: () => void; onSecondFactor: () => void }

/** Asks for a click: a mail filter that opens the link does not use it up. */
function LinkStep({ token, onUsed, onSecondFactor }: LinkStepProps) {
  const completeSignIn = useCompleteSignIn(undefined)
  const signIn = useSingleFlight({
    mutationFn: async () => {
      const { twoFactorRedirect } = await dataOf(
        kinora.GET('/api/auth/magic-link/verify', { params: { query: { token } } }),
      )
      onUsed()
      if (twoFactorRedirect) onSecondFactor()
      else await completeSignIn()
    },
  })
  return (
    <AuthForm
      submitLabel={t`Sign in`}
      isPending={signIn.isPending}
      error={signIn.error?.message}
      onSubmit={() => signIn.mutate()}
    >
      <p>{t`You have opened the link of our mail. It works once, in this browser.`}</p>
    </AuthForm>
  )
}

/** Only where mail is set up. */
function MailLink() {
  const isOffered = useQuery(signInOptionsQuery).data?.link ?? false
  const [isOpen, setOpen] = useState(false)
  const mail = useSingleFlight({
    mutationFn: (form: FormData) =>
      dataOf(kinora.POST('/api/auth/sign-in/magic-link', { body: { email: String(form.get('link-email')).trim() } })),
  })
  if (!isOffered) return null
  if (mail.data) return <p role="status">{t`If there is an account with this address, a link is on its way to it.`}</p>
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t`Mail me a link`}</Button>
  const errors = fieldErrors(mail.error)
  return (
    <AuthForm submitLabel={t`Mail me a link`} isPending={mail.isPending} error={errors.form} onSubmit={mail.mutate}>
      <Field
        label={t`E-mail for the link`}
        name="link-email"
        type="email"
        autoComplete="email"
        autoFocus
        required
        error={errors.email}
      />
    </AuthForm>
  )
}
