/** Unfinished videos with the sentence why they wait before everything else. Times are those that the sentence speaks of. */
import { Link } from '@tanstack/react-router'
import { Strip } from '../look/strip.tsx'
import { TableFrame } from '../look/table-frame.tsx'
import { ago, stage } from '../look/words.ts'
import type { Unfinished } from './questions.ts'
import { atSecond } from './times.ts'
import look from './videos.module.css'

export function VideoTable({ rows, nowMs }: { rows: Unfinished[]; nowMs: number }) {
  return (
    <div className={look.table}>
      <TableFrame label="Videos">
        <thead>
          <tr>
            <th scope="col">Why it waits</th>
            <th scope="col">What happened last</th>
            <th scope="col">Due</th>
            <th scope="col">Deadline</th>
            <th scope="col">Asked for</th>
            <th scope="col">Whose</th>
            <th scope="col">Where</th>
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
  const { uuid, why, isOverdue, status, progress, lastEvent } = row
  return (
    <tr>
      <th scope="row" className={look.why}>
        <span className="mark" data-kind={isOverdue ? 'failed' : 'running'}>
          {isOverdue ? 'Overdue' : stage[status]}
        </span>
        <span className={look.sentence}>{why}</span>
        <Strip status={status} progress={progress} label={`Progress of ${uuid}`} thin />
      </th>
      <td>
        {lastEvent ? (
          <>
            {lastEvent.event}
            <span className={look.under}>{ago(lastEvent.at, nowMs)}</span>
            {lastEvent.detail ? <span className={`${look.under} ${look.detail}`}>{lastEvent.detail}</span> : null}
          </>
        ) : (
          'Nothing noted'
        )}
      </td>
      <Time at={row.dueAt} nowMs={nowMs} />
      <Time at={row.deadlineAt} nowMs={nowMs} />
      <Time at={row.createdAt} nowMs={nowMs} />
      <td>
        <Link to="/admin/users/$id" params={{ id: row.userId }}>
          {row.email ?? 'Account is gone'}
        </Link>
      </td>
      <td>
        {row.provider}
        {row.providerTaskId ? <code className={look.under}>{row.providerTaskId}</code> : null}
        {row.attempt > 0 ? <span className={look.under}>{row.attempt} tries of this step</span> : null}
      </td>
      <td>
        {row.model}
        <code className={look.under}>{uuid}</code>
      </td>
    </tr>
  )
}

const Time = ({ at, nowMs }: { at: string; nowMs: number }) => (
  <td>
    {ago(at, nowMs)}
    <time className={look.under} dateTime={at}>
      {atSecond(at, nowMs)}
    </time>
  </td>
)
