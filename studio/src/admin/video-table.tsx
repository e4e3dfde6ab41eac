/** Unfinished videos with the sentence why they wait before everything else. Times are those that the sentence speaks of. */
import { Link } from '@tanstack/react-router'
import { formatRelativeTime, formatUtcTime, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import frame from './admin.module.css'
import type { Unfinished } from './queries.ts'
import look from './videos-page.module.css'

export function VideoTable({ rows, nowMs }: { rows: Unfinished[]; nowMs: number }) {
  return (
    <div className={`${frame.table} ${frame.tall}`}>
      <TableFrame label="Videos">
        <thead>
          <tr>
            <th scope="col">Why it waits</th>
            <th scope="col">What happened last</th>
            <th scope="col">Due, and deadline</th>
            <th scope="col">Whose</th>
            <th scope="col">Video</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.uuid} row={row} nowMs={nowMs} />
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

function Line({ row, nowMs }: { row: Unfinished; nowMs: number }) {
  const { uuid, why, isOverdue, status, progress, email } = row
  return (
    <tr>
      <th scope="row" className={look.why}>
        <span className="mark" data-kind={isOverdue ? 'failed' : 'running'}>
          {isOverdue ? 'Overdue' : statusLabels[status]}
        </span>
        <span className={look.sentence}>{why}</span>
        <ProgressStrip status={status} progress={progress} label={`Progress of ${uuid}`} thin />
      </th>
      <td>
        <Last of={row} nowMs={nowMs} />
      </td>
      <td>
        <Time at={row.dueAt} nowMs={nowMs} />
        <span className={look.then}>
          <Time at={row.deadlineAt} nowMs={nowMs} />
        </span>
      </td>
      <td className={look.whose}>
        {email === null ? (
          'The account is gone'
        ) : (
          <Link to="/admin/users/$id" params={{ id: row.userId }}>
            {email}
          </Link>
        )}
      </td>
      <td>
        {row.model} at {row.provider}
        <code className={look.detail}>{uuid}</code>
        {row.providerTaskId ? <code className={look.detail}>{row.providerTaskId}</code> : null}
        <span className={look.detail}>
          Asked for {formatRelativeTime(row.createdAt, nowMs)}
          {tries(row)}
        </span>
      </td>
    </tr>
  )
}

/** While the provider works, a try is a question how far it is; before and after, it is an attempt that did not succeed. */
function tries({ status, attempt }: Unfinished): string {
  if (attempt < 2) return ''
  return status === 'GENERATING' ? `, looked at ${attempt} times` : `, tried ${attempt} times`
}

function Last({ of: { lastEvent, providerTaskId }, nowMs }: { of: Unfinished; nowMs: number }) {
  if (!lastEvent) return <span className="quiet">Nothing noted</span>
  const { event, detail, at } = lastEvent
  // What the provider calls it stands with the video.
  const isTold = providerTaskId !== null && detail?.endsWith(providerTaskId)
  return (
    <>
      {event}
      <span className={frame.under}>{formatRelativeTime(at, nowMs)}</span>
      {detail && !isTold ? <span className={look.detail}>{detail}</span> : null}
    </>
  )
}

const Time = ({ at, nowMs }: { at: string; nowMs: number }) => (
  <>
    {formatRelativeTime(at, nowMs)}
    <time className={frame.under} dateTime={at}>
      {formatUtcTime(at, nowMs)}
    </time>
  </>
)
