/** The sign-in page: e-mail address and password, the other ways, and the second factor. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { signUpRefusal } from '../site.ts'
import { Field } from '../ui/field.tsx'
import { AlternativeMethods } from './alternative-methods.tsx'
import { AuthForm, fieldErrors, useCompleteSignIn } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { useLinkToken } from './link-token.ts'
import { LinkStep, MailLink } from './mailed-link.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

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
