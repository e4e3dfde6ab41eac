/** Payments page: the payment events received from the processors, filtered by state; unmatched and failed ones can be applied or dismissed. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageTitle } from '../ui/page-title.tsx'
import '../ui/segmented-control.css'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { ApplyPaymentEvent } from './apply-payment-event.tsx'
import { DismissPaymentEvent } from './dismiss-payment-event.tsx'
import { PaymentEventPayload } from './payment-event-payload.tsx'
import { PaymentEventTable } from './payment-event-table.tsx'
import { PaymentViews } from './payment-lists.tsx'
import {
  type PaymentEvent,
  type PaymentEventState,
  paymentEventStates,
  paymentEventsQuery,
  stateLabels,
} from './queries.ts'

const emptyTexts: Record<PaymentEventState | 'all', string> = {
  all: t`Everything that the payment processors report will be listed here.`,
  unmatched: t`No event waits for an administrator to name its user.`,
  waiting: t`No event waits for the processor’s API.`,
  failed: t`No event waits for something to be mended.`,
  applied: t`No event has been applied yet.`,
  ignored: t`No event came from which nothing follows.`,
  dismissed: t`No event has been dismissed.`,
}

const isState = (text: string | undefined): text is PaymentEventState =>
  paymentEventStates.some((state) => state === text)

export function PaymentsPage() {
  const search = useSearch({ from: '/signed-in/admin/payments' })
  const state = isState(search.state) ? search.state : undefined
  const list = useInfiniteQuery(paymentEventsQuery(state))
  const [applying, setApplying] = useState<PaymentEvent | null>(null)
  const [dismissing, setDismissing] = useState<PaymentEvent | null>(null)
  const [payloadShown, setPayloadShown] = useState<PaymentEvent | null>(null)
  const events = list.data?.pages.flatMap((page) => page.events)
  return (
    <div className="page">
      <PageTitle of={[t`Payments`, t`Administration`]} />
      <h1>{t`Payment events`}</h1>
      <PaymentViews />
      <StateFilter selected={state} />
      {list.error && !events ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the events`} /> : null}
      {events?.length === 0 ? <EmptyState>{emptyTexts[state ?? 'all']}</EmptyState> : null}
      {events?.length ? (
        <>
          <div className={adminStyles.results} aria-busy={list.isPlaceholderData}>
            <PaymentEventTable
              events={events}
              onApply={setApplying}
              onDismiss={setDismissing}
              onShowPayload={setPayloadShown}
            />
          </div>
          <ShowMore list={list} shown={events.length} total={list.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
      {applying ? <ApplyPaymentEvent key={applying.id} event={applying} onClose={() => setApplying(null)} /> : null}
      {dismissing ? (
        <DismissPaymentEvent key={dismissing.id} event={dismissing} onClose={() => setDismissing(null)} />
      ) : null}
      {payloadShown ? <PaymentEventPayload event={payloadShown} onClose={() => setPayloadShown(null)} /> : null}
    </div>
  )
}

const StateFilter = ({ selected }: { selected: PaymentEventState | undefined }) => (
  <nav className="segmented-control" aria-label={t`Which events`}>
    {[undefined, ...paymentEventStates].map((state) => (
      <Link
        key={state ?? 'all'}
        to="/admin/payments"
        search={state ? { state } : {}}
        aria-current={state === selected ? 'page' : undefined}
        activeOptions={{ exact: true }}
        resetScroll={false}
      >
        {state ? stateLabels[state] : t`All`}
      </Link>
    ))}
  </nav>
)
