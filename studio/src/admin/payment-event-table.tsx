/** Payment events, each with what it did, asks for, or why nothing came of it. */
import { Link } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import frame from './admin.module.css'
import look from './payments-page.module.css'
import type { EventState, PaymentEvent } from './queries.ts'

const marks: Record<EventState, { word: string; kind: 'done' | 'failed' | 'running' | 'none' }> = {
  applied: { word: 'Applied', kind: 'done' },
  unmatched: { word: 'Unmatched', kind: 'running' },
  failed: { word: 'Failed', kind: 'failed' },
  ignored: { word: 'Ignored', kind: 'none' },
}

type Props = { rows: PaymentEvent[]; onApply: (event: PaymentEvent) => void; onRead: (event: PaymentEvent) => void }

export const EventTable = ({ rows, onApply, onRead }: Props) => (
  <div className={`${frame.table} ${frame.tall}`}>
    <TableFrame label="Payment events">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">What it did, or why not</th>
          <th scope="col">Whose</th>
          <th scope="col">Received</th>
          <th scope="col">Event</th>
          <th scope="col">
            <span className="hidden-text">Apply</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((event) => (
          <Line key={event.id} event={event} onApply={onApply} onRead={onRead} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function Line({ event, onApply, onRead }: { event: PaymentEvent } & Omit<Props, 'rows'>) {
  const { state, userId, receivedAt, appliedAt, processor, type, externalId } = event
  const { word, kind } = marks[state]
  const open = state === 'unmatched' || state === 'failed'
  return (
    <tr>
      <td>
        <span className="mark" data-kind={kind}>
          {word}
        </span>
      </td>
      <td className={look.what}>
        <What event={event} />
      </td>
      <td>
        {userId ? (
          <Link to="/admin/users/$id" params={{ id: userId }}>
            The user
          </Link>
        ) : (
          <span className="quiet">{open ? 'Not known yet' : '–'}</span>
        )}
      </td>
      <td title={appliedAt ? `Applied ${formatUtcTime(appliedAt)}` : undefined}>
        {formatRelativeTime(receivedAt)}
        <span className={frame.under}>{formatUtcTime(receivedAt)}</span>
      </td>
      <td className={look.event}>
        <button type="button" className={look.read} onClick={() => onRead(event)} title="Read it as it came">
          {type}
        </button>
        <span className={frame.under}>
          {processor} <code>{externalId}</code>
        </span>
      </td>
      <td>
        <div className={look.actions}>
          {open ? (
            <Button onClick={() => onApply(event)} aria-label={`Apply ${externalId}`}>
              Apply
            </Button>
          ) : null}
        </div>
      </td>
    </tr>
  )
}

/** An applied event did what it asks for; of the others the reason comes first, and then what they would do. */
export function What({ event: { state, reason, effects } }: { event: PaymentEvent }) {
  const does = effects.join(' ')
  if (state === 'applied') return does || 'Noted whose it is, for the events that follow it.'
  return (
    <>
      {reason}
      {does ? <span className={frame.under}>Not done yet: {does}</span> : null}
    </>
  )
}
