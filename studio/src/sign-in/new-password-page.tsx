/** The page of a mailed link that sets a new password. */
import { t } from '@lingui/core/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { dataOf, endSession, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { AuthForm, fieldErrors, PASSWORD_HINT } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useLinkToken } from './link-token.ts'

export function NewPasswordPage() {
  const { token, forget } = useLinkToken()
  const router = useRouter()
  const reset = useSingleFlight({
    // The reset ends the sessions of this browser too.
    mutationFn: (newPassword: string) =>
      endSession(() => dataOf(kinora.POST('/api/auth/reset-password', { body: { token, newPassword } }))),
    onSuccess: async () => {
      forget()
      await router.navigate({ to: '/sign-in' })
      toast({ text: t`Your password is changed. Sign in with it.` })
    },
  })
  const errors = fieldErrors(reset.error)
  const isUsed = reset.error?.code === 'INVALID_TOKEN' || token === ''
  return (
    <AuthLayout title={t`New password`}>
      <h1>{t`Choose a new password`}</h1>
      {isUsed ? (
        <p role="alert">
          {token ? t`This link was used already, or is older than an hour.` : t`This link is not complete.`}{' '}
          <Link to="/forgot-password">{t`Ask for a new one`}</Link>
        </p>
      ) : (
        <AuthForm
          submitLabel={t`Change password`}
          isPending={reset.isPending}
          error={errors.form}
          onSubmit={(form) => reset.mutate(String(form.get('password')))}
        >
          <Field
            label={t`New password`}
            name="password"
            type="password"
            autoComplete="new-password"
            autoFocus
            minLength={10}
            maxLength={128}
            hint={PASSWORD_HINT}
            required
            error={errors.password}
          />
        </AuthForm>
      )}
    </AuthLayout>
  )
}
