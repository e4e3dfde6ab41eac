/** What the payment processors reported: what each event did or why it did nothing, and a way to apply those that did not. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import '../ui/segmented-control.css'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import look from './admin.module.css'
import { ApplyEvent } from './apply-payment-event.tsx'
import { EventBody } from './payment-event-payload.tsx'
import { EventTable } from './payment-event-table.tsx'
import { type EventState, eventStates, type PaymentEvent, paymentEvents } from './queries.ts'

const stateNames: Record<EventState, string> = {
  unmatched: 'Unmatched',
  failed: 'Failed',
  applied: 'Applied',
  ignored: 'Ignored',
}
const nothing: Record<EventState | 'all', string> = {
  all: 'Everything that the payment processors report will be listed here.',
  unmatched: 'No event waits for somebody to say whose payment it is.',
  failed: 'No event waits for something to be mended.',
  applied: 'No event has been applied yet.',
  ignored: 'No event came from which nothing follows.',
}

const isState = (text: string | undefined): text is EventState => eventStates.some((state) => state === text)

export function Payments() {
  const { state: wanted } = useSearch({ from: '/signed-in/admin/payments' })
  const state = isState(wanted) ? wanted : undefined
  const list = useInfiniteQuery(paymentEvents(state))
  const [applying, setApplying] = useState<PaymentEvent | null>(null)
  const [reading, setReading] = useState<PaymentEvent | null>(null)
  const rows = list.data?.pages.flatMap(({ events }) => events)
  return (
    <div className="page">
      <title>Payments · Administration · Kinora</title>
      <h1>Payment events</h1>
      <StateChoice chosen={state} />
      {list.error && !rows ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label="Loading the events" /> : null}
      {rows?.length === 0 ? <EmptyState>{nothing[state ?? 'all']}</EmptyState> : null}
      {rows?.length ? (
        <>
          <div className={look.list} aria-busy={list.isPlaceholderData}>
            <EventTable rows={rows} onApply={setApplying} onRead={setReading} />
          </div>
          <ShowMore list={list} shown={rows.length} total={list.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
      {applying ? <ApplyEvent key={applying.id} event={applying} onClose={() => setApplying(null)} /> : null}
      {reading ? <EventBody event={reading} onClose={() => setReading(null)} /> : null}
    </div>
  )
}

const StateChoice = ({ chosen }: { chosen: EventState | undefined }) => (
  <nav className="segmented-control" aria-label="Which events">
    {[undefined, ...eventStates].map((state) => (
      <Link
        key={state ?? 'all'}
        to="/admin/payments"
        search={state ? { state } : {}}
        aria-current={state === chosen ? 'page' : undefined}
        activeOptions={{ exact: true }}
        resetScroll={false}
      >
        {state ? stateNames[state] : 'All'}
      </Link>
    ))}
  </nav>
)
