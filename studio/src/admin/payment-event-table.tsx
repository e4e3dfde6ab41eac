/** Payment events with their outcome: the effects of an applied event, or the reason why an event was not applied. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Button } from '../ui/button.tsx'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { AdminTable, LinkButton } from './kit.tsx'
import styles from './payments-page.module.css'

export type PaymentEvent = Schemas['ListedPaymentEvent']
export type PaymentEventState = PaymentEvent['state']

export const stateLabels: Record<PaymentEventState, StateLabel> = {
  unmatched: { label: t`Unmatched`, kind: 'running' },
  waiting: { label: t`Waiting`, kind: 'running' },
  failed: { label: t`Failed`, kind: 'failed' },
  applied: { label: t`Applied`, kind: 'done' },
  ignored: { label: t`Ignored`, kind: 'none' },
  dismissed: { label: t`Dismissed`, kind: 'none' },
}

type Props = {
  events: PaymentEvent[]
  onApply: (event: PaymentEvent) => void
  onDismiss: (event: PaymentEvent) => void
  onShowPayload: (event: PaymentEvent) => void
}

const isOpen = ({ state }: PaymentEvent): boolean => state === 'unmatched' || state === 'failed'

export const PaymentEventTable = ({ events, onApply, onDismiss, onShowPayload }: Props) => (
  <AdminTable
    isTopAligned
    label={t`Payment events`}
    rows={events}
    keyOf={({ id }) => id}
    columns={[
      { head: t`State`, cell: ({ state }) => <Mark {...stateLabels[state]} /> },
      {
        head: t`What it did, or why not`,
        className: styles.outcome,
        cell: (event) => <PaymentEventOutcome event={event} />,
      },
      {
        head: t`User`,
        cell: (event) =>
          event.userId ? (
            <Link to="/admin/users/$id" params={{ id: event.userId }}>
              {t`The user`}
            </Link>
          ) : (
            <span className="quiet">{isOpen(event) ? t`Not known yet` : '–'}</span>
          ),
      },
      {
        head: t`Received`,
        title: ({ appliedAt }) => (appliedAt ? t`Applied ${formatUtcTime(appliedAt)}` : undefined),
        cell: ({ receivedAt }) => formatRelativeTime(receivedAt),
        below: ({ receivedAt }) => formatUtcTime(receivedAt),
      },
      {
        head: t`Event`,
        className: styles.event,
        cell: (event) => (
          <LinkButton onClick={() => onShowPayload(event)} title={t`Read it as it came`}>
            {breakable(event.type)}
          </LinkButton>
        ),
        below: ({ processor, externalId }) => (
          <>
            {processor} <code>{externalId}</code>
          </>
        ),
      },
      {
        head: t`Apply or dismiss`,
        isHeadHidden: true,
        cell: (event) => <EventActions event={event} onApply={onApply} onDismiss={onDismiss} />,
      },
    ]}
  />
)

type ActionsProps = { event: PaymentEvent } & Pick<Props, 'onApply' | 'onDismiss'>

const EventActions = ({ event, onApply, onDismiss }: ActionsProps) => {
  const { externalId, state } = event
  return (
    <div className={styles.actions}>
      {isOpen(event) || state === 'dismissed' ? (
        <Button onClick={() => onApply(event)} aria-label={t`Apply ${externalId}`}>
          {t`Apply`}
        </Button>
      ) : null}
      {isOpen(event) ? (
        <Button onClick={() => onDismiss(event)} aria-label={t`Dismiss ${externalId}`}>
          {t`Dismiss`}
        </Button>
      ) : null}
    </div>
  )
}

/** May break after its dots and underscores only. */
const breakable = (type: string) =>
  type.split(/(?<=[._])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))

/** The effects of an applied event; otherwise the reason, followed by the effects that applying it would have. */
export function PaymentEventOutcome({ event }: { event: PaymentEvent }) {
  const { state, reason, effects, retryAt, dismissedAt, dismissedReason } = event
  const effectsText = effects.join(' ')
  if (state === 'applied')
    return effectsText ? <span lang="en">{effectsText}</span> : t`Noted whose it is, for the events that follow it.`
  return (
    <>
      {dismissedReason ?? <span lang="en">{reason}</span>}
      {dismissedAt ? (
        <span className="secondary" title={formatUtcTime(dismissedAt)}>
          {t`Dismissed ${formatRelativeTime(dismissedAt)}.`} {reason}
        </span>
      ) : null}
      {retryAt ? (
        <span
          className="secondary"
          title={formatUtcTime(retryAt)}
        >{t`Tried again by itself ${formatRelativeTime(retryAt)}`}</span>
      ) : null}
      {effectsText ? (
        <span className="secondary">{dismissedAt ? t`Not done: ${effectsText}` : t`Not done yet: ${effectsText}`}</span>
      ) : null}
    </>
  )
}
