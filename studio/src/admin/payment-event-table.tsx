/** Payment events with their outcome: the effects of an applied event, or the reason why an event was not applied. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Button } from '../ui/button.tsx'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import styles from './payments-page.module.css'
import { type PaymentEvent, type PaymentEventState, stateLabels } from './queries.ts'

const markKinds: Record<PaymentEventState, 'done' | 'failed' | 'running' | 'none'> = {
  applied: 'done',
  unmatched: 'running',
  waiting: 'running',
  failed: 'failed',
  ignored: 'none',
  dismissed: 'none',
}

type Props = {
  events: PaymentEvent[]
  onApply: (event: PaymentEvent) => void
  onDismiss: (event: PaymentEvent) => void
  onShowPayload: (event: PaymentEvent) => void
}

export const PaymentEventTable = ({ events, ...actions }: Props) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`Payment events`}>
      <thead>
        <tr>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`What it did, or why not`}</th>
          <th scope="col">{t`User`}</th>
          <th scope="col">{t`Received`}</th>
          <th scope="col">{t`Event`}</th>
          <th scope="col">
            <span className="hidden-text">{t`Apply or dismiss`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} {...actions} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function EventRow({ event, onApply, onDismiss, onShowPayload }: { event: PaymentEvent } & Omit<Props, 'events'>) {
  const { state, userId, receivedAt, appliedAt, processor, type, externalId } = event
  const isOpen = state === 'unmatched' || state === 'failed'
  return (
    <tr>
      <td>
        <span className="mark" data-kind={markKinds[state]}>
          {stateLabels[state]}
        </span>
      </td>
      <td className={styles.outcome}>
        <PaymentEventOutcome event={event} />
      </td>
      <td>
        {userId ? (
          <Link to="/admin/users/$id" params={{ id: userId }}>
            {t`The user`}
          </Link>
        ) : (
          <span className="quiet">{isOpen ? t`Not known yet` : '–'}</span>
        )}
      </td>
      <td title={appliedAt ? t`Applied ${formatUtcTime(appliedAt)}` : undefined}>
        {formatRelativeTime(receivedAt)}
        <span className={adminStyles.secondary}>{formatUtcTime(receivedAt)}</span>
      </td>
      <td className={styles.event}>
        <button
          type="button"
          className={adminStyles.linkButton}
          onClick={() => onShowPayload(event)}
          title={t`Read it as it came`}
        >
          {breakable(type)}
        </button>
        <span className={adminStyles.secondary}>
          {processor} <code>{externalId}</code>
        </span>
      </td>
      <td>
        <div className={styles.actions}>
          {isOpen || state === 'dismissed' ? (
            <Button onClick={() => onApply(event)} aria-label={t`Apply ${externalId}`}>
              {t`Apply`}
            </Button>
          ) : null}
          {isOpen ? (
            <Button onClick={() => onDismiss(event)} aria-label={t`Dismiss ${externalId}`}>
              {t`Dismiss`}
            </Button>
          ) : null}
        </div>
      </td>
    </tr>
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
        <span className={adminStyles.secondary} title={formatUtcTime(dismissedAt)}>
          {t`Dismissed ${formatRelativeTime(dismissedAt)}.`} {reason}
        </span>
      ) : null}
      {retryAt ? (
        <span className={adminStyles.secondary} title={formatUtcTime(retryAt)}>
          {t`Tried again by itself ${formatRelativeTime(retryAt)}`}
        </span>
      ) : null}
      {effectsText ? (
        <span className={adminStyles.secondary}>
          {dismissedAt ? t`Not done: ${effectsText}` : t`Not done yet: ${effectsText}`}
        </span>
      ) : null}
    </>
  )
}
