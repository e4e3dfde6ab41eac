/** Every movement of a user's Available, newest first, a page at a time. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Empty, Problem } from '../look/states.tsx'
import { TableFrame } from '../look/table-frame.tsx'
import { atMinute, number, signed } from '../look/words.ts'
import { type Transaction, userHistory } from './questions.ts'
import { ShowMore, TableWaiting } from './show-more.tsx'

export function UserHistory({ id }: { id: string }) {
  const history = useInfiniteQuery(userHistory(id))
  const rows = history.data?.pages.flatMap(({ transactions }) => transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.error && !rows ? <Problem error={history.error} retry={history.refetch} /> : null}
      {history.isPending ? <TableWaiting label="Loading the history" /> : null}
      {rows?.length === 0 ? <Empty>Every credit that comes or goes will be listed here.</Empty> : null}
      {rows?.length ? (
        <>
          <Movements rows={rows} />
          <ShowMore list={history} shown={rows.length} total={history.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
    </section>
  )
}

const names: Record<Transaction['transType'], string> = {
  NEW_USER: 'Welcome gift',
  ORDER_PAY: 'Pack bought',
  SUBSCRIPTION: 'Plan period',
  VIDEO_CONSUME: 'Film',
  REFUND: 'Film, credits returned',
  EXPIRED: 'Expired',
  SYSTEM_ADJUST: 'Added by an administrator',
}

const Movements = ({ rows }: { rows: Transaction[] }) => (
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
        <tr key={row.id}>
          <td>{atMinute(row.createdAt)}</td>
          <td>{names[row.transType]}</td>
          <td className="number">{signed(row.credits)}</td>
          <td className="number">{number(row.balanceAfter)}</td>
          <td>{row.state}</td>
          <td>
            {row.remark ?? ''} {(row.orderNo ?? row.videoUuid) ? <code>{row.orderNo ?? row.videoUuid}</code> : null}
          </td>
          <td>
            <code>{row.transNo}</code>
          </td>
        </tr>
      ))}
    </tbody>
  </TableFrame>
)
