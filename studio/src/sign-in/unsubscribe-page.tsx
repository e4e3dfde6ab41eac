/** The page of the link that switches a notice off, without a sign-in. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { noticeLabels } from '../account/notice-labels.ts'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useLinkToken } from './link-token.ts'

export function UnsubscribePage() {
  const { token, forget } = useLinkToken()
  const label = Object.entries(noticeLabels).find(([notice]) => token.split('.').slice(1, -1).join('.') === notice)?.[1]
  const unsubscribe = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/account/notices/unsubscribe', { params: { query: { token } } })),
    onSuccess: forget,
  })
  return (
    <AuthLayout title={t`Fewer mails`}>
      <h1>{t`Fewer mails`}</h1>
      {unsubscribe.data ? (
        <p role="status">
          <Trans>
            You get no more mails of this kind: {noticeLabels[unsubscribe.data.notice].toLowerCase()}.{' '}
            <Link to="/account">Change which mails you get</Link>
          </Trans>
        </p>
      ) : (
        <>
          <p className="quiet">{label ? t`${label}: no more mails about this?` : t`No more mails of this kind?`}</p>
          <AuthForm
            submitLabel={t`No more of these mails`}
            isPending={unsubscribe.isPending}
            error={unsubscribe.error?.message}
            onSubmit={() => unsubscribe.mutate()}
          >
            {null}
          </AuthForm>
        </>
      )}
    </AuthLayout>
  )
}
