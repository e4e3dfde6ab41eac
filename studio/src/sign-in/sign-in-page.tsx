/** The sign-in page. */
import { Link, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Field } from '../ui/field.tsx'
import { AuthForm, fieldErrors, useCompleteSignIn } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const completeSignIn = useCompleteSignIn(next)
  const signIn = useSingleFlight({
    mutationFn: async (form: FormData) => {
      await dataOf(
        kinora.POST('/api/auth/sign-in/email', {
          body: { email: String(form.get('email')).trim(), password: String(form.get('password')) },
        }),
      )
      await completeSignIn()
    },
  })
  const errors = fieldErrors(signIn.error)
  return (
    <AuthLayout title="Sign in">
      <h1>Sign in</h1>
      <AuthForm
        submitLabel="Sign in"
        isPending={signIn.isPending}
        error={errors.form}
        onSubmit={(form) => signIn.mutate(form)}
      >
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          error={errors.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
      </AuthForm>
      <p className="quiet">
        <Link to="/forgot-password">Forgot your password?</Link>
      </p>
      <p className="quiet">
        New here?{' '}
        <Link to="/sign-up" search={next ? { next } : {}}>
          Make an account
        </Link>
      </p>
    </AuthLayout>
  )
}
