/** Teams page: all teams with balances, searched by name, member or id, or those that owe credits. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, tableClass } from './kit.tsx'
import { ownerColumns } from './owner-columns.tsx'
import { type Team, tagsQuery, teamsQuery } from './queries.ts'

export function TeamsPage() {
  const { q = '', owes, tag } = useSearch({ from: '/signed-in/admin/teams' })
  const navigate = useNavigate({ from: '/admin/teams' })
  const list = usePages(teamsQuery(q ? { q } : owes ? { owes } : tag ? { tag } : {}))
  const tags = useQuery(tagsQuery)
  return (
    <AdminPage
      title={t`Teams`}
      aside={
        <Select
          aria-label={t`Which teams`}
          value={owes ? 'owes' : tag && `${TAG}${tag}`}
          none={t`All teams`}
          options={[
            ['owes', t`Which owe credits`],
            ...(tags.data?.tags ?? []).map((each) => [`${TAG}${each.tag}`, t`Tag: ${each.tag}`] as const),
          ]}
          onSelect={(which) => {
            const chosen = which?.startsWith(TAG) ? { tag: which.slice(TAG.length) } : { owes: true as const }
            navigate({ search: which ? chosen : {}, replace: true })
          }}
        />
      }
    >
      <search>
        <SearchField
          label={t`Search teams`}
          placeholder={t`Name, a member’s address, or whole id`}
          charactersMax={200}
          text={q}
          onSearch={(text, { replace }) => navigate({ search: text ? { q: text } : {}, replace, resetScroll: false })}
        />
      </search>
      <PagedList
        list={list}
        rowsOf={(page) => page.teams}
        total={list.data?.pages[0]?.total}
        loading={t`Loading the teams`}
        empty={
          q
            ? t`No team is named so, and none has such a member.`
            : owes || tag
              ? t`No team is like this.`
              : t`Every team that users make will be listed here.`
        }
      >
        {(teams) => <DataTable className={tableClass('numbers')} label={t`Teams`} rows={teams} columns={columns} />}
      </PagedList>
    </AdminPage>
  )
}

/** The value of an option that is a tag. */
const TAG = 'tag '

const columns = [
  {
    head: t({ message: 'Name', context: 'of a team' }),
    isRowHead: true,
    cell: ({ id, name }: Team) => (
      <Link to="/admin/teams/$id" params={{ id }} className={adminStyles.person} title={name || id}>
        {name || t`Deleted team`}
      </Link>
    ),
  },
  { head: t`Members`, isNumber: true, cell: ({ members }: Team) => formatNumber(members) },
  {
    head: t({ message: 'Since', context: 'of a team' }),
    title: ({ createdAt }: Team) => formatUtcTime(createdAt),
    cell: ({ createdAt }: Team) => formatUtcDate(createdAt),
  },
  ...ownerColumns(({ locked }: Team) => locked),
]
