/** Users page: all accounts with balances, searched by e-mail address, name or id, period, or owed credits. */

import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { DataTable } from '../ui/data-table.tsx'
import { formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { daysParam, PERIODS_DAYS } from '../ui/period-select.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, tableClass } from './kit.tsx'
import { ownerColumns } from './owner-columns.tsx'
import { tagsQuery, type User, type UsersFilter, usersQuery } from './queries.ts'

export function UsersPage() {
  const { q = '', owes, tag, ...search } = useSearch({ from: '/signed-in/admin/users' })
  const navigate = useNavigate({ from: '/admin/users' })
  const days = daysParam(search.days)
  const filter: UsersFilter = q ? { q } : owes ? { owes } : tag ? { tag } : days ? { days } : {}
  const list = usePages(usersQuery(filter))
  const tags = useQuery(tagsQuery)
  return (
    <AdminPage
      title={t`Users`}
      aside={
        // Those of a search are all.
        <Select
          aria-label={t`Which users`}
          value={filter.owes ? 'owes' : filter.tag ? `${TAG}${filter.tag}` : filter.days}
          none={t`All users`}
          options={[
            ['owes', t`Who owe credits`],
            ...PERIODS_DAYS.map((each) => [String(each), periodLabel(each)] as const),
            ...(days && !PERIODS_DAYS.some((each) => String(each) === days) ? [[days, days] as const] : []),
            ...(tags.data?.tags ?? []).map((each) => [`${TAG}${each.tag}`, t`Tag: ${each.tag}`] as const),
          ]}
          onSelect={(which) => navigate({ search: searchOf(which), replace: true })}
        />
      }
    >
      <search>
        <SearchField
          label={t`Search users`}
          placeholder={t`E-mail address, name, or whole id`}
          charactersMax={200}
          text={q}
          onSearch={(text, { replace }) => navigate({ search: text ? { q: text } : {}, replace, resetScroll: false })}
        />
      </search>
      <PagedList
        list={list}
        rowsOf={(page) => page.users}
        total={list.data?.pages[0]?.total}
        loading={t`Loading the users`}
        empty={
          q
            ? t`No user’s e-mail address or name has “${q}” in it, and no user has this id.`
            : owes || tag || days
              ? t`No user is like this.`
              : t`Every user who signs up will be listed here.`
        }
      >
        {(users) => <DataTable className={tableClass('numbers')} label={t`Users`} rows={users} columns={columns} />}
      </PagedList>
    </AdminPage>
  )
}

/** The value of an option that is a tag. */
const TAG = 'tag '
const searchOf = (which: string | undefined) => {
  if (which === undefined) return {}
  if (which.startsWith(TAG)) return { tag: which.slice(TAG.length) }
  return which === 'owes' ? { owes: true as const } : { days: which }
}

const periodLabel = (each: number): string =>
  each === 1 ? t`New today (UTC)` : plural(each, { other: 'New in the last # days' })

const columns = [
  {
    head: t`Name and e-mail`,
    isRowHead: true,
    cell: ({ id, name, email }: User) => (
      <>
        <Link to="/admin/users/$id" params={{ id }} className={adminStyles.person} title={name || email}>
          {name || email}
        </Link>
        <span className={`secondary ${adminStyles.person}`} title={email || id}>
          {email || <code>{id}</code>}
        </span>
      </>
    ),
  },
  {
    head: t`Role, and since`,
    title: ({ createdAt }: User) => formatUtcTime(createdAt),
    cell: ({ role }: User) => (role === 'admin' ? t`Administrator` : t`User`),
    below: ({ createdAt }: User) => formatUtcDate(createdAt),
  },
  ...ownerColumns(({ banned }: User) => banned === true),
]
