/** The e-mail address, whether it is verified, how to change it, and which notices are mailed to it. */

import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, showSaved } from '../api.ts'
import { site } from '../site.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Check, Field, useFields } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { ErrorState, QueryState } from '../ui/states.tsx'
import { type Notice, noticeLabels } from './notice-labels.ts'

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: () => dataOf(kinora.GET('/api/v1/account/notices')),
})

export function NoticesPanel({ email, isVerified }: { email: string; isVerified: boolean }) {
  const settings = useQuery(noticesQuery)
  const set = useMutation({
    mutationFn: (change: Partial<Record<Notice, boolean>>) =>
      dataOf(kinora.PUT('/api/v1/account/notices', { body: change })),
    onSuccess: (saved) => showSaved(noticesQuery.queryKey, saved),
  })
  return (
    <section className="panel" aria-labelledby="notices">
      <h3 id="notices">{t`Mails`}</h3>
      <p className="row">
        {email}
        <Mark kind={isVerified ? 'done' : 'plain'} label={isVerified ? t`Confirmed` : t`Not confirmed`} />
      </p>
      {isVerified ? null : <VerifyButton email={email} />}
      <EmailForm />
      <QueryState query={settings} skeletonHeight="264px">
        {({ notices }) => (
          <fieldset className="stack" disabled={set.isPending}>
            <legend className="quiet small">
              {isVerified ? t`Mail me when` : t`Mail me when (once your address is confirmed)`}
            </legend>
            {(Object.entries(noticeLabels) as [Notice, string][]).map(([notice, label]) => (
              <Check
                key={notice}
                label={label}
                checked={notices[notice]}
                onChange={(event) => set.mutate({ [notice]: event.target.checked })}
              />
            ))}
          </fieldset>
        )}
      </QueryState>
      {set.error ? <ErrorState error={set.error} /> : null}
      {site.isMailSetUp ? null : <p className="quiet">{t`This service sends no mails so far.`}</p>}
    </section>
  )
}

const noMail = (): string => t`This service sends no mails. Those who run it can see the link, and give it to you.`

function VerifyButton({ email }: { email: string }) {
  const send = useAction({
    send: () => dataOf(kinora.POST('/api/auth/send-verification-email', { body: { email } })),
    done: site.isMailSetUp ? t`A mail with a link is on its way to ${email}.` : noMail(),
  })
  return (
    <>
      {send.error ? <ErrorState error={send.error} /> : null}
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        {site.isMailSetUp ? t`Mail me a link to confirm it` : t`Ask for a link to confirm it`}
      </Button>
    </>
  )
}

function EmailForm() {
  const [isOpen, setOpen] = useState(false)
  const { values, text } = useFields({ newEmail: '', password: '' })
  const change = useAction({
    send: () => {
      const body = { newEmail: values.newEmail.trim(), password: values.password }
      return dataOf(kinora.POST('/api/auth/change-email', { body }))
    },
    done: site.isMailSetUp ? t`A mail with a link is on its way. Your address changes when you open it.` : noMail(),
    onDone: () => setOpen(false),
  })
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t`Change the address…`}</Button>
  const isWrong = change.error?.code === 'INVALID_PASSWORD'
  const isNoAddress = change.error?.code === 'INVALID_EMAIL'
  return (
    <ActionForm
      action={change}
      onSubmit={() => change.mutate()}
      submitLabel={t`Change the address`}
      error={isWrong || isNoAddress ? null : change.error}
      onCancel={() => setOpen(false)}
      cancelLabel={t`Keep it`}
    >
      <Field
        label={t`New e-mail`}
        type="email"
        autoComplete="email"
        required
        error={isNoAddress ? change.error?.message : undefined}
        {...text('newEmail')}
      />
      <Field
        label={t`Your password`}
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? change.error?.message : undefined}
        {...text('password')}
      />
    </ActionForm>
  )
}
