/** Everybody with an account, searched by address, name or id, with what they have. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import look from './admin.module.css'
import { type User, users } from './queries.ts'
import { Search } from './user-search.tsx'

export function Users() {
  const { q = '' } = useSearch({ from: '/signed-in/admin/users' })
  const list = useInfiniteQuery(users(q))
  const rows = list.data?.pages.flatMap((page) => page.users)
  return (
    <div className="page">
      <title>Users · Administration · Kinora</title>
      <h1>Users</h1>
      <Search q={q} />
      {list.error && !rows ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label="Loading the users" /> : null}
      {rows ? <UserTable rows={rows} q={q} isOld={list.isPlaceholderData} /> : null}
      {rows?.length ? <ShowMore list={list} shown={rows.length} total={list.data?.pages[0]?.total ?? 0} /> : null}
    </div>
  )
}

function UserTable({ rows, q, isOld }: { rows: User[]; q: string; isOld: boolean }) {
  if (rows.length === 0)
    return (
      <EmptyState>
        {q
          ? `Nobody’s e-mail address or name has “${q}” in it, and it is nobody’s id.`
          : 'Everybody who signs up will be listed here.'}
      </EmptyState>
    )
  return (
    <div aria-busy={isOld} className={`${look.list} ${look.table}`}>
      <TableFrame label="Users">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">E-mail</th>
            <th scope="col">Role</th>
            <th scope="col">Since</th>
            <th scope="col" className="number">
              Available
            </th>
            <th scope="col" className="number">
              Frozen
            </th>
            <th scope="col" className="number">
              Used
            </th>
            <th scope="col" className="number">
              Total
            </th>
            <th scope="col">Locked</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

const Line = ({ row: { id, name, email, role, createdAt, credits, banned } }: { row: User }) => (
  <tr>
    <th scope="row">
      <Link to="/admin/users/$id" params={{ id }}>
        {name || email}
      </Link>
    </th>
    <td>{email}</td>
    <td>{role === 'admin' ? 'Administrator' : 'User'}</td>
    <td title={formatUtcTime(createdAt)}>{formatUtcDate(createdAt)}</td>
    <td className="number">{formatNumber(credits.available)}</td>
    <td className="number">{formatNumber(credits.frozen)}</td>
    <td className="number">{formatNumber(credits.used)}</td>
    <td className="number">{formatNumber(credits.total)}</td>
    <td>
      {banned ? (
        <span className="mark" data-kind="failed">
          Locked
        </span>
      ) : (
        'No'
      )}
    </td>
  </tr>
)
