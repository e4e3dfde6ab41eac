/** The page that mails a link for a new password. Its result is the same whether or not the address has an account. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { AuthForm, fieldErrors } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'

export function ForgotPasswordPage() {
  const request = useSingleFlight({
    mutationFn: (email: string) => dataOf(kinora.POST('/api/auth/request-password-reset', { body: { email } })),
  })
  const errors = fieldErrors(request.error)
  return (
    <AuthLayout title={t`Forgot your password?`}>
      <h1>{t`Forgot your password?`}</h1>
      {request.isSuccess ? (
        <div className="stack" role="status">
          {site.isMailSetUp ? (
            <>
              <p>
                {t`If there is an account with this address, a mail with a link is on its way. The link works for an hour.`}
              </p>
              <p className="quiet">{t`No mail? Look among the unwanted ones.`}</p>
            </>
          ) : (
            <p>
              {t`This service sends no mails. If there is an account with this address, those who run the service can see a link for it, which works for an hour, and give it to you.`}
            </p>
          )}
        </div>
      ) : (
        <>
          <p className="quiet">
            {site.isMailSetUp
              ? t`We mail you a link to choose a new one. You are signed out everywhere then.`
              : t`You choose a new one by a link, which those who run this service give you. You are signed out everywhere then.`}
          </p>
          <AuthForm
            submitLabel={site.isMailSetUp ? t`Mail me a link` : t`Ask for a link`}
            isPending={request.isPending}
            error={errors.form}
            onSubmit={(form) => request.mutate(String(form.get('email')).trim())}
          >
            <EmailField autoFocus error={errors.email} />
          </AuthForm>
        </>
      )}
      <p className="quiet">
        <Link to="/sign-in">{t`Back to sign in`}</Link>
      </p>
    </AuthLayout>
  )
}
