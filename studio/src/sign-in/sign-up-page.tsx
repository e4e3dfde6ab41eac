/** The sign-up page. Stores an example prompt as the draft, so that a new user's first video is one click away. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { saveDraft } from '../studio/draft.ts'
import { EXAMPLE_PROMPT } from '../studio/form-values.ts'
import { Field } from '../ui/field.tsx'
import { AuthForm, fieldErrors, PASSWORD_HINT, useCompleteSignIn } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { OtherWays } from './other-ways.tsx'

export function SignUpPage() {
  const { next } = useSearch({ from: '/sign-up' })
  const completeSignIn = useCompleteSignIn(next)
  const signUp = useSingleFlight({
    mutationFn: async (form: FormData) => {
      const text = (name: string) => String(form.get(name))
      await dataOf(
        kinora.POST('/api/auth/sign-up/email', {
          body: { name: text('name').trim(), email: text('email').trim(), password: text('password') },
        }),
      )
      await completeSignIn((userId) => saveDraft(userId, { prompt: EXAMPLE_PROMPT }))
    },
  })
  const errors = fieldErrors(signUp.error)
  return (
    <AuthLayout title={t`Sign up`}>
      <div className="stack">
        <h1>{t`Write a prompt, get a film`}</h1>
        <p className="quiet">
          {t`Kinora turns a few sentences into a short film, with the price before you press and your credits back when one fails. A new account has credits to begin with.`}
        </p>
      </div>
      <AuthForm
        submitLabel={t`Make an account`}
        isPending={signUp.isPending}
        error={errors.form}
        onSubmit={(form) => signUp.mutate(form)}
      >
        <Field label={t`Name`} name="name" autoComplete="name" maxLength={100} required error={errors.name} />
        <Field label={t`E-mail`} name="email" type="email" autoComplete="username" required error={errors.email} />
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
      </AuthForm>
      <OtherWays next={next} withPasskey={false} />
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
