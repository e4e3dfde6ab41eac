/** Users page: all accounts with their balances, searched by e-mail address, name or id. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { type User, usersQuery } from './queries.ts'
import { UserSearch } from './user-search.tsx'

export function UsersPage() {
  const { q = '' } = useSearch({ from: '/signed-in/admin/users' })
  const list = useInfiniteQuery(usersQuery(q))
  const users = list.data?.pages.flatMap((page) => page.users)
  return (
    <div className="page">
      <title>{pageTitle(t`Users`, t`Administration`)}</title>
      <h1>{t`Users`}</h1>
      <UserSearch q={q} />
      {list.error && !users ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the users`} /> : null}
      {users ? <UserTable users={users} q={q} isPlaceholder={list.isPlaceholderData} /> : null}
      {users?.length ? <ShowMore list={list} shown={users.length} total={list.data?.pages[0]?.total ?? 0} /> : null}
    </div>
  )
}

function UserTable({ users, q, isPlaceholder }: { users: User[]; q: string; isPlaceholder: boolean }) {
  if (users.length === 0)
    return (
      <EmptyState>
        {q
          ? t`No user’s e-mail address or name has “${q}” in it, and no user has this id.`
          : t`Every user who signs up will be listed here.`}
      </EmptyState>
    )
  return (
    <div aria-busy={isPlaceholder} className={`${adminStyles.results} ${adminStyles.table} ${adminStyles.numbers}`}>
      <TableFrame label={t`Users`}>
        <thead>
          <tr>
            <th scope="col">{t`Name and e-mail`}</th>
            <th scope="col">{t`Role, and since`}</th>
            <th scope="col" className="number">
              {t`Available`}
            </th>
            <th scope="col" className="number">
              {t`Frozen`}
            </th>
            <th scope="col" className="number">
              {t`Used`}
            </th>
            <th scope="col" className="number">
              {t`Total`}
            </th>
            <th scope="col" className="number">
              {t`Owed`}
            </th>
            <th scope="col">{t`State`}</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

const UserRow = ({ user: { id, name, email, role, createdAt, deletedAt, credits, banned } }: { user: User }) => (
  <tr>
    <th scope="row">
      <Link to="/admin/users/$id" params={{ id }} className={adminStyles.person} title={name || email}>
        {name || email}
      </Link>
      <span className={`${adminStyles.secondary} ${adminStyles.person}`} title={email || id}>
        {email || <code>{id}</code>}
      </span>
    </th>
    <td title={formatUtcTime(createdAt)}>
      {role === 'admin' ? t`Administrator` : t`User`}
      <span className={adminStyles.secondary}>{formatUtcDate(createdAt)}</span>
    </td>
    <td className="number">{formatNumber(credits.available)}</td>
    <td className="number">{formatNumber(credits.frozen)}</td>
    <td className="number">{formatNumber(credits.used)}</td>
    <td className="number">{formatNumber(credits.total)}</td>
    <td className="number">{formatNumber(credits.owed)}</td>
    <td>
      {deletedAt || banned ? (
        <span className="mark" data-kind="failed" title={deletedAt ? formatUtcTime(deletedAt) : undefined}>
          {deletedAt ? t`Deleted` : t`Locked`}
        </span>
      ) : (
        t`Active`
      )}
    </td>
  </tr>
)
