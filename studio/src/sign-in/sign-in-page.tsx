/** The sign-in page. */
import { Link, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { fieldErrors, useCompleteSignIn } from './auth-form.ts'
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    signIn.mutate(new FormData(event.currentTarget))
  }
  return (
    <AuthLayout title="Sign in">
      <h1>Sign in</h1>
      <form className="stack" onSubmit={submit}>
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
        {errors.form ? (
          <p className="field-error" role="alert">
            {errors.form}
          </p>
        ) : null}
        <Button kind="primary" type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className="quiet">
        New here?{' '}
        <Link to="/sign-up" search={next ? { next } : {}}>
          Make an account
        </Link>
      </p>
    </AuthLayout>
  )
}
