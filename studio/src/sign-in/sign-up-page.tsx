/** The sign-up page. Stores an example prompt as the draft, so that a new user's first video is one click away. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import { LegalLinks } from '../shell/footer.tsx'
import { useSingleFlight } from '../single-flight.ts'
import { signUpRefusal, site } from '../site.ts'
import { saveDraft } from '../studio/draft.ts'
import { EXAMPLE_PROMPT } from '../studio/form-values.ts'
import { Field } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { AlternativeMethods } from './alternative-methods.tsx'
import { AuthForm, fieldErrors, PASSWORD_HINT, useCompleteSignIn } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { useLinkToken } from './link-token.ts'
import { signInOptionsQuery } from './options.ts'

/** Loaded on demand: most services have none. */
const Captcha = lazy(() => import('./captcha.tsx').then((module) => ({ default: module.Captcha })))

export function SignUpPage() {
  const { next } = useSearch({ from: '/sign-up' })
  const { token, forget } = useLinkToken('invitation')
  // A sign-up at a provider leaves this page; the token stays in the address until then, so that a reload opens the
  // invitation again.
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => dataOf(kinora.POST('/api/v1/invitation', { body: { token } })),
    enabled: token !== '' && site.signUp !== 'closed',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const gift = (invitation.data?.replacesGift ? 0 : site.newUserCredits) + (invitation.data?.credits ?? 0)
  const isAdmitted = site.signUp === 'open' || (site.signUp === 'invite' && invitation.data !== undefined)
  return (
    <AuthLayout title={t`Create account`}>
      <div className="stack">
        <h1>{t`Create account`}</h1>
        {isAdmitted && gift > 0 ? <p className="quiet">{t`A new account has ${formatCredits(gift)}.`}</p> : null}
        {invitation.data?.email ? <p>{t`The invitation is for ${invitation.data.email} alone.`}</p> : null}
        {invitation.error ? (
          <p className="field-error" role="alert">
            {invitation.error.code === 'NOT_FOUND'
              ? t`This invitation was used or revoked, or it has ended. Ask for a new one.`
              : invitation.error.message}
          </p>
        ) : null}
      </div>
      {isAdmitted ? <SignUpForm next={next} email={invitation.data?.email ?? undefined} onSignedUp={forget} /> : null}
      {!isAdmitted && !invitation.isLoading && !invitation.error ? <p>{signUpRefusal()}</p> : null}
      <p className="quiet">
        <Trans>
          Been here before?{' '}
          <Link to="/sign-in" search={next ? { next } : {}}>
            Sign in
          </Link>
        </Trans>
      </p>
    </AuthLayout>
  )
}

type SignUpFormProps = { next: string | undefined; email: string | undefined; onSignedUp: () => void }

function SignUpForm({ next, email, onSignedUp }: SignUpFormProps) {
  const completeSignIn = useCompleteSignIn(next)
  const captcha = useQuery(signInOptionsQuery).data?.captcha
  const [attempt, setAttempt] = useState(0)
  const [captchaResponse, setCaptchaResponse] = useState<string | null>(null)
  const [isUnsolved, setUnsolved] = useState(false)
  const signUp = useSingleFlight({
    mutationFn: async (form: FormData) => {
      const text = (name: string) => String(form.get(name))
      await dataOf(
        kinora.POST('/api/auth/sign-up/email', {
          ...(captchaResponse === null ? {} : { headers: { 'x-captcha-response': captchaResponse } }),
          body: {
            name: text('name').trim(),
            email: text('email').trim(),
            password: text('password'),
            language: locale,
          },
        }),
      )
      onSignedUp()
      await completeSignIn((userId) => saveDraft(userId, { prompt: EXAMPLE_PROMPT }))
    },
    // The response has been used.
    onError: () => {
      setCaptchaResponse(null)
      setAttempt((current) => current + 1)
    },
  })
  const errors = fieldErrors(signUp.error)
  return (
    <>
      <AuthForm
        submitLabel={t`Create account`}
        isPending={signUp.isPending}
        error={isUnsolved && captchaResponse === null ? t`Show first that you are human.` : errors.form}
        onSubmit={(form) => {
          const isMissing = Boolean(captcha) && captchaResponse === null
          setUnsolved(isMissing)
          if (!isMissing) signUp.mutate(form)
        }}
      >
        <Field label={t`Name`} name="name" autoComplete="name" maxLength={100} required error={errors.name} />
        <EmailField defaultValue={email} error={errors.email} />
        <Field
          label={t`Password`}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={128}
          hint={PASSWORD_HINT}
          required
          error={errors.password}
        />
        {captcha ? (
          <Suspense>
            <Captcha key={attempt} settings={captcha} onResponse={setCaptchaResponse} />
          </Suspense>
        ) : null}
        {site.termsUrl || site.privacyUrl ? (
          <p className="quiet small row">
            {t`Your use of ${site.name} is under:`} <LegalLinks />
          </p>
        ) : null}
      </AuthForm>
      <AlternativeMethods next={next} withPasskey={false} />
    </>
  )
}
