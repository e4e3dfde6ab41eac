/**
 * The page of a mailed link that verifies or changes an address. A button, because mail scanners open links, some with
 * scripts.
 */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useLinkToken } from './link-token.ts'

export function VerifyEmailPage() {
  const { token, forget } = useLinkToken()
  const { updateTo, requestType } = payloadOf(token)
  const isAllowed = requestType === 'change-email-confirmation'
  const verify = useSingleFlight({
    mutationFn: () => dataOf(kinora.GET('/api/auth/verify-email', { params: { query: { token } } })),
    onSuccess: () => {
      forget()
      return queryClient.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const needsSignIn = updateTo !== null && verify.error?.code === 'UNAUTHENTICATED'
  return (
    <AuthLayout title={t`Confirm your e-mail address`}>
      <h1>{updateTo ? t`Change your e-mail address` : t`Confirm your e-mail address`}</h1>
      {verify.isSuccess ? (
        <p role="status">
          {isAllowed
            ? t`Now open the link in the mail to ${updateTo ?? ''}.`
            : t`Thank you, your e-mail address is confirmed.`}{' '}
          <Link to="/account">{t`Go to your account`}</Link>
        </p>
      ) : (
        <>
          <p className="quiet">
            {updateTo
              ? t`Your new address will be ${updateTo}.`
              : t`Confirm that the address of your account is yours.`}
          </p>
          <AuthForm
            submitLabel={isAllowed ? t`Allow the change` : t`Confirm the address`}
            isPending={verify.isPending}
            error={needsSignIn ? undefined : verify.error?.message}
            onSubmit={() => verify.mutate()}
          >
            {needsSignIn ? (
              <p role="alert">
                <Trans>
                  Sign in first, in this browser, and open the link of the mail again.{' '}
                  <Link to="/sign-in">Sign in</Link>
                </Trans>
              </p>
            ) : null}
          </AuthForm>
        </>
      )}
    </AuthLayout>
  )
}

/** What the link is for, to say so; the service checks the token. */
function payloadOf(token: string): { updateTo: string | null; requestType: string | null } {
  try {
    const { updateTo = null, requestType = null } = JSON.parse(
      atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    )
    return { updateTo, requestType }
  } catch {
    return { updateTo: null, requestType: null }
  }
}
