/** Payments page: payment events, filtered by state; unmatched and failed ones can be applied or dismissed. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link, useSearch } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, LinkButton, tableClass } from './kit.tsx'
import { PaymentViews } from './payment-lists.tsx'
import { NoticeText } from './payment-notice.tsx'
import styles from './payments-page.module.css'
import type { User } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'
import { UserPicker } from './user-picker.tsx'
import '../ui/segmented-control.css'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'

type PaymentEvent = Schemas['ListedPaymentEvent']
type PaymentEventState = PaymentEvent['state']

const stateLabels: Record<PaymentEventState, StateLabel> = {
  unmatched: { label: t`Unmatched`, kind: 'running' },
  waiting: { label: t`Waiting`, kind: 'running' },
  failed: { label: t`Failed`, kind: 'failed' },
  applied: { label: t`Applied`, kind: 'done' },
  ignored: { label: t`Ignored`, kind: 'none' },
  dismissed: { label: t`Dismissed`, kind: 'none' },
}

const emptyTexts: Record<PaymentEventState | 'all', string> = {
  all: t`Everything that the payment processors report will be listed here.`,
  unmatched: t`No event waits for an administrator to name its user.`,
  waiting: t`No event waits for the processor’s API.`,
  failed: t`No event waits for something to be mended.`,
  applied: t`No event has been applied yet.`,
  ignored: t`No event came from which nothing follows.`,
  dismissed: t`No event has been dismissed.`,
}

type About = 'dispute' | 'failure'
const aboutTexts: Record<About, { title: string; empty: string }> = {
  dispute: { title: t`Disputes`, empty: t`No payment was disputed.` },
  failure: { title: t`Failed payments`, empty: t`No payment failed.` },
}

const states = Object.keys(stateLabels) as PaymentEventState[]

/** Payment events, newest first; without a state, events of all states. */
const paymentEventsQuery = (state: PaymentEventState | undefined, about: About | undefined) =>
  pagedQuery(
    ['admin', 'payments', state ?? 'all', about],
    (page, signal) => {
      const query = { ...page, ...(state ? { state } : {}), ...(about ? { about } : {}) }
      return kinora.GET('/api/v1/admin/payments/events', { params: { query }, signal })
    },
    { keepsPrevious: true },
  )

export function PaymentsPage() {
  const search = useSearch({ from: '/signed-in/admin/payments' })
  const state = states.find((each) => each === search.state)
  const about = search.about === 'dispute' || search.about === 'failure' ? search.about : undefined
  const list = usePages(paymentEventsQuery(state, about))
  const [opened, setOpened] = useState<{ event: PaymentEvent; Dialog: typeof ApplyPaymentEvent } | null>(null)
  const open = (Dialog: typeof ApplyPaymentEvent) => (event: PaymentEvent) => setOpened({ event, Dialog })
  return (
    <AdminPage title={t`Payments`} heading={<h1>{about ? aboutTexts[about].title : t`Payment events`}</h1>}>
      <PaymentViews />
      {about ? null : <StateFilter selected={state} />}
      <PagedList
        list={list}
        rowsOf={(page) => page.events}
        total={list.data?.pages[0]?.total}
        loading={t`Loading the events`}
        empty={about ? aboutTexts[about].empty : emptyTexts[state ?? 'all']}
      >
        {(events) => (
          <PaymentEventTable
            events={events}
            onApply={open(ApplyPaymentEvent)}
            onDismiss={open(DismissPaymentEvent)}
            onShowPayload={open(PaymentEventPayload)}
          />
        )}
      </PagedList>
      {opened ? <opened.Dialog key={opened.event.id} event={opened.event} onClose={() => setOpened(null)} /> : null}
    </AdminPage>
  )
}

const StateFilter = ({ selected }: { selected: PaymentEventState | undefined }) => (
  <nav className="segmented-control" aria-label={t`Which events`}>
    {[undefined, ...states].map((state) => (
      <Link
        key={state ?? 'all'}
        to="/admin/payments"
        search={state ? { state } : {}}
        aria-current={state === selected ? 'page' : undefined}
        activeOptions={{ exact: true }}
        resetScroll={false}
      >
        {state ? stateLabels[state].label : t`All`}
      </Link>
    ))}
  </nav>
)

type DialogProps = { event: PaymentEvent; onClose: () => void }

/** Dismisses an unmatched or failed event. A repeated request changes nothing. */
const DismissPaymentEvent = ({ event, onClose }: DialogProps) => (
  <ReasonDialog
    title={t`Dismiss this event?`}
    submitLabel={t`Dismiss`}
    mutationKey={['admin', 'dismiss', event.id]}
    send={(reason) => {
      const params = { path: { id: event.id } }
      return dataOf(kinora.POST('/api/v1/admin/payments/events/{id}/dismiss', { params, body: { reason } }))
    }}
    refresh={() => refreshQueries(['admin'])}
    done={t`The event ${event.externalId} is dismissed.`}
    onClose={onClose}
  >
    <div>
      <PaymentEventOutcome event={event} />
    </div>
    <dl className="facts">
      <Fact name={t`Event`}>
        {event.type} <code>{event.externalId}</code>
      </Fact>
    </dl>
    <p className="quiet">
      {t`No user gets credits for it, also when its user becomes known. It stays under Dismissed, where an administrator can still apply it.`}
    </p>
  </ReasonDialog>
)

/** The webhook payload of an event: shown as indented JSON, copied as the exact text that was received. */
const PaymentEventPayload = ({ event, onClose }: DialogProps) => (
  <Dialog open onClose={onClose} title={event.type}>
    <p className="quiet">
      {event.processor} <code>{event.externalId}</code>
    </p>
    <pre className={adminStyles.json}>{prettyPrint(event.body)}</pre>
    <div className="dialog-actions">
      <CopyButton text={event.body} label={t`Copy as it came`} />
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)

/** Indented JSON; text that is not JSON stays as it is. */
function prettyPrint(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/**
 * Dialog that applies an unmatched, failed or dismissed payment event: select the user (required for an unmatched
 * event), preview the effects, apply. The endpoint is idempotent, so a retry after a lost response does not apply the
 * event twice.
 */
function ApplyPaymentEvent({ event, onClose }: { event: PaymentEvent; onClose: () => void }) {
  const [user, setUser] = useState<User | null>(null)
  const [isPreview, setPreview] = useState(false)
  const apply = useAction({
    mutationKey: ['admin', 'apply', event.id],
    send: () => {
      const request = { params: { path: { id: event.id } }, body: user ? { userId: user.id } : {} }
      return dataOf(kinora.POST('/api/v1/admin/payments/events/{id}/apply', request))
    },
    refresh: async () => {
      await refreshQueries(['admin'])
      refreshQueries(['credit'])
    },
    done: t`The event ${event.externalId} is applied.`,
    onDone: onClose,
  })
  const close = () => apply.isPending || onClose()
  if (isPreview)
    return (
      <Dialog open onClose={close} title={t`This will be applied`}>
        <ActionForm
          action={apply}
          onSubmit={() => apply.mutate()}
          submitLabel={t`Apply`}
          onCancel={() => setPreview(false)}
          cancelLabel={t`Back`}
          isHeld
        >
          <Preview event={event} user={user} />
        </ActionForm>
      </Dialog>
    )
  const isUserOptional = event.state !== 'unmatched'
  return (
    <Dialog open onClose={close} title={isUserOptional ? t`Apply it again` : t`Whose payment is it?`}>
      <div>
        <PaymentEventOutcome event={event} />
      </div>
      {isUserOptional ? (
        <p className="quiet">
          {t`The event is read again with today’s catalogue. Choose a user only when the event does not name one.`}
        </p>
      ) : null}
      <UserPicker selected={user} onSelect={setUser} />
      <div className="dialog-actions">
        <Button onClick={close}>{t`Cancel`}</Button>
        <Button
          kind="primary"
          disabled={!user && !isUserOptional}
          onClick={() => {
            apply.reset()
            setPreview(true)
          }}
        >
          {t`Preview`}
        </Button>
      </div>
    </Dialog>
  )
}

function Preview({ event, user }: { event: PaymentEvent; user: User | null }) {
  return (
    <>
      {event.effects.length > 0 ? (
        <ul className="stack">
          {event.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      ) : (
        <p>{event.state !== 'unmatched' ? t`Nothing yet: ${event.reason ?? ''}` : t`It moves no credits itself.`}</p>
      )}
      {user ? (
        <p>
          {t`To ${user.name || user.email}, who has ${formatCredits(user.credits.available)} now. Events that waited for this one follow it.`}
        </p>
      ) : (
        <p>{t`To the user whom the event names. Events that waited for this one follow it.`}</p>
      )}
      <dl className="facts">
        {user ? <Fact name={t`E-mail`}>{user.email}</Fact> : null}
        <Fact name={t`Event`}>
          {event.type} <code>{event.externalId}</code>
        </Fact>
      </dl>
    </>
  )
}

type Props = {
  events: PaymentEvent[]
  onApply: (event: PaymentEvent) => void
  onDismiss: (event: PaymentEvent) => void
  onShowPayload: (event: PaymentEvent) => void
}

const isOpen = ({ state }: PaymentEvent): boolean => state === 'unmatched' || state === 'failed'

/** Payment events with their outcome: the effects of an applied event, or the reason why an event was not applied. */
const PaymentEventTable = ({ events, onApply, onDismiss, onShowPayload }: Props) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Payment events`}
    rows={events}
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
        isAction: true,
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
function PaymentEventOutcome({ event }: { event: PaymentEvent }) {
  const { state, reason, effects, retryAt, dismissedAt, dismissedReason, notice } = event
  if (notice) return <NoticeText notice={notice} />
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
