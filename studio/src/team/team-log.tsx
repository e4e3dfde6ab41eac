/** The log of the team, for its owners: who did what, newest first. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { downloadHref } from '../chosen-team.ts'
import { type Period, periodNames } from '../keys/key-limits.ts'
import { roles } from '../team.ts'
import { buttonClass } from '../ui/button.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { formatCredits, formatDateTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { ErrorState } from '../ui/states.tsx'
import { logLabels } from './log-labels.ts'
import { roleNames } from './queries.ts'
import styles from './team-page.module.css'

type Entry = Schemas['TeamLogEntry']

const logQuery = infiniteQueryOptions({
  queryKey: ['team', 'log'],
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  queryFn: ({ pageParam, signal }) => {
    const query = { pageSize: 25, ...(pageParam ? { cursor: pageParam } : {}) }
    return dataOf(kinora.GET('/api/v1/team/log', { params: { query }, signal }))
  },
})

export function TeamLog() {
  const list = useInfiniteQuery(logQuery)
  const entries = list.data?.pages.flatMap((page) => page.entries)
  return (
    <>
      <div className="page-head">
        <h2>{t`Log`}</h2>
        <a className={buttonClass('quiet')} href={downloadHref('/api/v1/team/log.csv')} download>
          {t`Download as CSV`}
        </a>
      </div>
      {list.error && !entries ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the log`} /> : null}
      {entries ? (
        <TableFrame label={t`Log of the team, newest first`}>
          <thead>
            <tr>
              <th scope="col">{t`When`}</th>
              <th scope="col">{t`Who`}</th>
              <th scope="col">{t`What`}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td className={styles.brief}>{formatDateTime(String(entry.createdAt))}</td>
                <td className={`${styles.member} ${styles.brief}`}>{actorText(entry)}</td>
                <td className={styles.member}>
                  {logLabels()[entry.action] ?? entry.action}
                  <span className="quiet small">{detailText(entry)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
    </>
  )
}

function actorText({ by, actorName }: Entry): string {
  switch (by) {
    case 'operator':
      return t`Those who run this service`
    case 'service':
      return t`The service`
    case 'key':
      return actorName ?? t`A deleted API key`
    case 'member':
      return actorName ?? t`A former member`
  }
}

/** About whom or what, and from what to what. */
function detailText({ actorId, subject, subjectName, before, after }: Entry): string {
  const about = subject === actorId ? null : subjectName
  const [from, to] = [valueText(before), valueText(after)]
  return [about, [from, to].filter(Boolean).join(' → ')].filter(Boolean).join(' · ')
}

const budgetOf = (credits: string, period: string): string =>
  t({ message: `${credits} ${period}`, context: 'the budget of a member, a key or a program' })

function valueText(values: Entry['before']): string {
  const { name, email, origin, role, credits, budget, period, required } = values ?? {}
  return [
    ...[name, email, origin].filter((each) => typeof each === 'string'),
    roles.find((each) => each === role) ? roleNames()[role as (typeof roles)[number]] : '',
    typeof credits === 'number' ? formatCredits(credits) : '',
    typeof budget === 'number' ? budgetOf(formatCredits(budget), periodNames[period as Period] ?? '') : '',
    budget === null && values && !('scopes' in values) ? t`No limit` : '',
    typeof required === 'boolean' ? (required ? t`Required` : t`Not required`) : '',
  ]
    .filter(Boolean)
    .join(', ')
}
