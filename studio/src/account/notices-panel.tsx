/** The e-mail address, whether it is verified, how to change it, and which notices are mailed to it. */
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
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
    onSuccess: (saved) => queryClient.setQueryData(noticesQuery.queryKey, saved),
  })
  const notices = settings.data?.notices
  return (
    <section className="panel" aria-labelledby="notices">
      <h3 id="notices">{t`Mails`}</h3>
      <p className="row">
        {email}
        <span className="mark" data-kind={isVerified ? 'done' : 'plain'}>
          {isVerified ? t`Confirmed` : t`Not confirmed`}
        </span>
      </p>
      {isVerified ? null : <VerifyButton email={email} />}
      <EmailForm />
      {settings.error && !notices ? <ErrorState error={settings.error} retry={() => settings.refetch()} /> : null}
      {settings.isPending ? (
        <LoadingState>
          <SkeletonBlock height="264px" />
        </LoadingState>
      ) : null}
      {notices ? (
        <fieldset className="stack" disabled={set.isPending}>
          <legend className="quiet small">
            {isVerified ? t`Mail me when` : t`Mail me when (once your address is confirmed)`}
          </legend>
          {(Object.entries(noticeLabels) as [Notice, string][]).map(([notice, label]) => (
            <label key={notice} className="check">
              <input
                type="checkbox"
                checked={notices[notice]}
                onChange={(event) => set.mutate({ [notice]: event.target.checked })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      ) : null}
      {set.error ? <ErrorState error={set.error} /> : null}
      {site.isMailSetUp ? null : <p className="quiet">{t`This service sends no mails so far.`}</p>}
    </section>
  )
}

const noMail = (): string => t`This service sends no mails. Those who run it can see the link, and give it to you.`

function VerifyButton({ email }: { email: string }) {
  const send = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/auth/send-verification-email', { body: { email } })),
    onSuccess: () => toast({ text: site.isMailSetUp ? t`A mail with a link is on its way to ${email}.` : noMail() }),
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
  const change = useSingleFlight({
    mutationFn: (body: { newEmail: string; password: string }) =>
      dataOf(kinora.POST('/api/auth/change-email', { body })),
    onSuccess: () => {
      setOpen(false)
      toast({
        text: site.isMailSetUp ? t`A mail with a link is on its way. Your address changes when you open it.` : noMail(),
      })
    },
  })
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t`Change the address…`}</Button>
  const isWrong = change.error?.authCode === 'INVALID_PASSWORD'
  const isNoAddress = change.error?.authCode === 'INVALID_EMAIL'
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        change.mutate({ newEmail: String(form.get('newEmail')).trim(), password: String(form.get('password')) })
      }}
    >
      <Field
        label={t`New e-mail`}
        name="newEmail"
        type="email"
        autoComplete="email"
        required
        error={isNoAddress ? change.error?.message : undefined}
      />
      <Field
        label={t`Your password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? change.error?.message : undefined}
      />
      {change.error && !isWrong && !isNoAddress ? <ErrorState error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={() => setOpen(false)}>{t`Keep it`}</Button>
        <Button type="submit" kind="primary" busy={change.isPending}>
          {t`Change the address`}
        </Button>
      </div>
    </form>
  )
}
