/** What an event tells of a dispute, or of a payment that failed: in the processor's words, with deadline and link. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { money } from '../plans/pricing.ts'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'

type Notice = NonNullable<Schemas['ListedPaymentEvent']['notice']>

export function NoticeText({ notice }: { notice: Notice }) {
  const { about, objectId, status, reason, tried, amount, currency, dueAt, attempts, url } = notice
  const words = [reason?.replaceAll('_', ' '), tried, status?.replaceAll('_', ' ')].filter((each) => each)
  return (
    <>
      {about === 'dispute' ? t`Dispute` : t`Payment failed`}
      {amount !== null && currency ? ` ${money(amount, currency)}` : ''}
      {words.length > 0 ? (
        <>
          {': '}
          <span lang="en">{words.join(', ')}</span>
        </>
      ) : null}
      {attempts === null || attempts === 0 ? '' : ` · ${t`attempt ${attempts}`}`}
      {dueAt ? (
        <span className="secondary" title={formatUtcTime(dueAt)}>
          {about === 'dispute'
            ? t`To be answered until ${formatUtcTime(dueAt)}, ${formatRelativeTime(dueAt)}`
            : t`Tried again ${formatRelativeTime(dueAt)}`}
        </span>
      ) : null}
      {url ? (
        <span className="secondary">
          <a href={url} target="_blank" rel="noreferrer">
            {t`Open at the processor`}
          </a>{' '}
          <code>{objectId}</code>
        </span>
      ) : null}
    </>
  )
}
