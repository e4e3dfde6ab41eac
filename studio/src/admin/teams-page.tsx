/** Teams page: all teams with their balances, searched by name, a member's e-mail address or name, or id, or those that owe credits. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { SearchField } from '../ui/search-field.tsx'
import '../ui/field.css'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { OwnerCells, OwnerHeads } from './owner-columns.tsx'
import { type Team, teamsQuery } from './queries.ts'

export function TeamsPage() {
  const { q = '', owes } = useSearch({ from: '/signed-in/admin/teams' })
  const navigate = useNavigate({ from: '/admin/teams' })
  const list = useInfiniteQuery(teamsQuery(q ? { q } : owes ? { owes } : {}))
  const teams = list.data?.pages.flatMap((page) => page.teams)
  return (
    <div className="page">
      <PageTitle of={[t`Teams`, t`Administration`]} />
      <div className="page-head">
        <h1>{t`Teams`}</h1>
        <select
          className="input"
          aria-label={t`Which teams`}
          value={owes ? 'owes' : ''}
          onChange={({ target }) => navigate({ search: target.value ? { owes: true } : {}, replace: true })}
        >
          <option value="">{t`All teams`}</option>
          <option value="owes">{t`Which owe credits`}</option>
        </select>
      </div>
      <search>
        <SearchField
          label={t`Search teams`}
          placeholder={t`Name, a member’s address, or whole id`}
          charactersMax={200}
          text={q}
          onSearch={(text, { replace }) => navigate({ search: text ? { q: text } : {}, replace, resetScroll: false })}
        />
      </search>
      {list.error && !teams ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the teams`} /> : null}
      {teams?.length === 0 ? (
        <EmptyState>
          {q
            ? t`No team is named so, and none has such a member.`
            : owes
              ? t`No team owes credits.`
              : t`Every team that users make will be listed here.`}
        </EmptyState>
      ) : null}
      {teams?.length ? (
        <>
          <TeamTable teams={teams} isPlaceholder={list.isPlaceholderData} />
          <ShowMore list={list} shown={teams.length} total={list.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
    </div>
  )
}

const TeamTable = ({ teams, isPlaceholder }: { teams: Team[]; isPlaceholder: boolean }) => (
  <div aria-busy={isPlaceholder} className={`${adminStyles.results} ${adminStyles.table} ${adminStyles.numbers}`}>
    <TableFrame label={t`Teams`}>
      <thead>
        <tr>
          <th scope="col">{t({ message: 'Name', context: 'of a team' })}</th>
          <th scope="col" className="number">
            {t`Members`}
          </th>
          <th scope="col">{t({ message: 'Since', context: 'of a team' })}</th>
          <OwnerHeads />
        </tr>
      </thead>
      <tbody>
        {teams.map((team) => (
          <TeamRow key={team.id} team={team} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

const TeamRow = ({ team: { id, name, members, createdAt, deletedAt, locked, credits } }: { team: Team }) => (
  <tr>
    <th scope="row">
      <Link to="/admin/teams/$id" params={{ id }} className={adminStyles.person} title={name || id}>
        {name || t`Deleted team`}
      </Link>
    </th>
    <td className="number">{formatNumber(members)}</td>
    <td title={formatUtcTime(createdAt)}>{formatUtcDate(createdAt)}</td>
    <OwnerCells {...{ credits, deletedAt }} isLocked={locked} />
  </tr>
)
