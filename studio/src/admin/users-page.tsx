/** Users page: all accounts with their balances, searched by e-mail address, name or id, or those of a period or who owe credits. */
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import '../ui/field.css'
import { daysParam, PERIODS_DAYS } from '../ui/period-select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { OwnerCells, OwnerHeads } from './owner-columns.tsx'
import { type User, type UsersFilter, usersQuery } from './queries.ts'
import { UserSearch } from './user-search.tsx'

export function UsersPage() {
  const { q = '', owes, ...search } = useSearch({ from: '/signed-in/admin/users' })
  const days = daysParam(search.days)
  const filter: UsersFilter = q ? { q } : owes ? { owes } : days ? { days } : {}
  const list = useInfiniteQuery(usersQuery(filter))
  const users = list.data?.pages.flatMap((page) => page.users)
  return (
    <div className="page">
      <PageTitle of={[t`Users`, t`Administration`]} />
      <div className="page-head">
        <h1>{t`Users`}</h1>
        <WhichUsers filter={filter} />
      </div>
      <UserSearch q={q} />
      {list.error && !users ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the users`} /> : null}
      {users ? <UserTable users={users} filter={filter} isPlaceholder={list.isPlaceholderData} /> : null}
      {users?.length ? <ShowMore list={list} shown={users.length} total={list.data?.pages[0]?.total ?? 0} /> : null}
    </div>
  )
}

/** Those of a search are all. */
function WhichUsers({ filter: { days, owes } }: { filter: UsersFilter }) {
  const navigate = useNavigate({ from: '/admin/users' })
  const selected = owes ? 'owes' : String(days ?? '')
  return (
    <select
      className="input"
      aria-label={t`Which users`}
      value={selected}
      onChange={({ target: { value } }) =>
        navigate({ search: value === 'owes' ? { owes: true } : value ? { days: value } : {}, replace: true })
      }
    >
      <option value="">{t`All users`}</option>
      <option value="owes">{t`Who owe credits`}</option>
      {PERIODS_DAYS.map((each) => (
        <option key={each} value={each}>
          {each === 1 ? t`New today (UTC)` : plural(each, { other: 'New in the last # days' })}
        </option>
      ))}
    </select>
  )
}

type TableProps = { users: User[]; filter: UsersFilter; isPlaceholder: boolean }

function UserTable({ users, filter: { q, owes, days }, isPlaceholder }: TableProps) {
  if (users.length === 0)
    return (
      <EmptyState>
        {q
          ? t`No user’s e-mail address or name has “${q}” in it, and no user has this id.`
          : owes || days
            ? t`No user is like this.`
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
            <OwnerHeads />
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
    <OwnerCells {...{ credits, deletedAt }} isLocked={banned === true} />
  </tr>
)
