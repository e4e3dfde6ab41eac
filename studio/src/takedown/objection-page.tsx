/** The page of the link in the mail about a takedown: the statement of reasons, and the objection. No sign-in. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora, queryClient } from '../api.ts'
import { AuthForm } from '../sign-in/auth-form.tsx'
import { AuthLayout } from '../sign-in/auth-layout.tsx'
import { useLinkToken } from '../sign-in/link-token.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Fact } from '../ui/fact.tsx'
import { LabelledControl } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { QueryState, SkeletonBlock } from '../ui/states.tsx'
import { groundLabels, restrictionLabels, sourceLabels } from './labels.ts'

export function ObjectionPage() {
  const { token } = useLinkToken()
  const params = { path: { token: token || '-' } }
  const queryKey = ['takedown', token]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/takedown/{token}', { params, signal })),
    retry: false,
  })
  const object = useSingleFlight({
    mutationFn: (objection: string) => dataOf(kinora.PUT('/api/v1/takedown/{token}', { params, body: { objection } })),
    onSuccess: (statement) => queryClient.setQueryData(queryKey, statement),
  })
  return (
    <AuthLayout title={t`Takedown of a film`}>
      <h1>{t`Takedown of a film`}</h1>
      <QueryState query={query} loading={t`Loading the statement`} skeleton={<SkeletonBlock height="320px" />}>
        {(statement) => (
          <>
            <dl className="facts">
              <Fact name={t`State`}>{restrictionLabels[statement.state]}</Fact>
              <Fact name={t`Decided`}>{formatDate(statement.decidedAt)}</Fact>
              <Fact name={t`Ground`}>{groundLabels[statement.ground]}</Fact>
              <Fact name={t`Rule`}>{statement.rule}</Fact>
              <Fact name={t`Facts`}>{statement.reason}</Fact>
              <Fact name={t`How it was found`}>{sourceLabels[statement.source]}</Fact>
              <Fact name={t`Found by a program`}>{statement.isAutomated ? t`Yes` : t`No`}</Fact>
              <Fact name={t`Your objection`}>{statement.objection}</Fact>
              <Fact name={t`Answer`}>{statement.answer}</Fact>
            </dl>
            {statement.objectsUntil ? (
              <AuthForm
                submitLabel={t`Send the objection`}
                isPending={object.isPending}
                error={object.error?.message}
                onSubmit={(form) => object.mutate(String(form.get('objection')))}
              >
                <LabelledControl
                  label={t`Why is the decision wrong?`}
                  hint={t`An administrator reads it and answers by mail. You can object until ${formatDate(statement.objectsUntil)}.`}
                  control={(props) => (
                    <textarea {...props} name="objection" rows={6} maxLength={4000} required dir="auto" />
                  )}
                />
              </AuthForm>
            ) : statement.objection && !statement.answer ? (
              <p role="status">{t`Your objection has arrived. An administrator answers by mail.`}</p>
            ) : null}
          </>
        )}
      </QueryState>
    </AuthLayout>
  )
}
