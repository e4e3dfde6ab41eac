/** Movements of credits as a table, for the one whose they are and for an administrator who looks into them. */
import { Link } from '@tanstack/react-router'
import { useModelNames } from '../model-name.ts'
import { formatDateTime, formatNumber, formatSigned, formatUtcTime } from '../ui/format.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import type { Row } from './ledger-check.ts'
import look from './transaction-table.module.css'
import { movementOf, states } from './transaction-types.ts'

/** @param props.isOwn whether the rows are the reader's own, or somebody's whom an administrator looks at */
export function MovementTable({ rows, isOwn = true }: { rows: Row[]; isOwn?: boolean }) {
  return (
    <TableFrame label="Movements">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" className="number">
            Credits
          </th>
          <th scope="col" className="number">
            Available after
          </th>
          <th scope="col">State</th>
          <th scope="col">About</th>
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={row.id} row={row} isOwn={isOwn} />
        ))}
      </tbody>
    </TableFrame>
  )
}

function Line({ row, isOwn }: { row: Row; isOwn: boolean }) {
  const state = row.state ? states[row.state] : undefined
  return (
    <tr>
      <td className={look.narrow}>
        <time dateTime={row.createdAt}>{isOwn ? formatDateTime(row.createdAt) : formatUtcTime(row.createdAt)}</time>
      </td>
      <td className={look.narrow}>
        {movementOf(row)} <span className={look.name}>{row.transType}</span>
      </td>
      <td className="number">{formatSigned(row.credits)}</td>
      <td className="number">{formatNumber(row.balanceAfter)}</td>
      <td>
        {state ? (
          <span className="mark" data-kind={state.kind}>
            {state.word}
          </span>
        ) : null}
      </td>
      <td>
        <About row={row} isOwn={isOwn} />
      </td>
      <td>
        <code className={look.number}>{row.transNo}</code>
      </td>
    </tr>
  )
}

/** "delta-1-5, 4 s": what the books say of a film begins with the id of its model. */
const WRITTEN_MODEL = /^([\w.-]+)(?=, \d+ s$)/

/** A film can be looked at by its owner alone; to everybody else it has a uuid. */
function About({ row: { videoUuid, orderNo, remark: written }, isOwn }: { row: Row; isOwn: boolean }) {
  const nameOf = useModelNames()
  const remark = isOwn && videoUuid ? written?.replace(WRITTEN_MODEL, (_, id: string) => nameOf(id)) : written
  return (
    <span className={look.about}>
      {videoUuid && isOwn ? (
        <Link to="/library/$uuid" params={{ uuid: videoUuid }}>
          The film
        </Link>
      ) : null}
      {videoUuid && !isOwn ? <code title={videoUuid}>{videoUuid}</code> : null}
      {orderNo ? <code title="Order">{orderNo}</code> : null}
      {remark ? (
        <span className={look.remark} title={remark}>
          {remark}
        </span>
      ) : null}
    </span>
  )
}
