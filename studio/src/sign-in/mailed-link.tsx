/** Sign-in by a mailed link: asking for it, and the page to which it leads. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { AuthForm, fieldErrors, useCompleteSignIn } from './auth-form.tsx'
import { signInOptionsQuery } from './options.ts'

type LinkStepProps = { token: string; onUsed: () => void; onSecondFactor: () => void }

/** Asks for a click: a mail filter that opens the link does not use it up. */
export function LinkStep({ token, onUsed, onSecondFactor }: LinkStepProps) {
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
export function MailLink() {
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
