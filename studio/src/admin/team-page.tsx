/**
 * Page of a team for administrators: members, balance, the lock, the forms that grant credits, take them back and settle what is owed, and films,
 * payments and history, as of a user. A deleted team has no forms.
 */
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { budgetText, roleNames } from '../team/queries.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { toast } from '../ui/toasts.tsx'
import adminStyles from './admin.module.css'
import { OwedForm, TakeForm } from './correction-form.tsx'
import { GrantForm } from './grant-form.tsx'
import { OwnerBalance } from './owner-balance.tsx'
import { OwnerLink } from './owner-link.tsx'
import { refetchOwner, type TeamDetail, teamQuery } from './queries.ts'
import { ReasonForm } from './reason-form.tsx'
import { UserFilms } from './user-films.tsx'
import { UserHistory } from './user-history.tsx'
import styles from './user-page.module.css'
import { UserPayments } from './user-payments.tsx'

export function AdminTeamPage() {
  const { id } = useParams({ from: '/signed-in/admin/teams/$id' })
  const { data: team, error, refetch } = useQuery(teamQuery(id))
  const name = team?.name || t`Deleted team`
  return (
    <div className="page">
      <title>{pageTitle(team ? name : t`Team`, t`Administration`)}</title>
      <div className="page-head">
        <h1 className={styles.name}>{team ? name : t`Team`}</h1>
        {team?.deletedAt || team?.locked ? (
          <span className="mark" data-kind="failed">
            {team.deletedAt ? t`Deleted` : t`Locked`}
          </span>
        ) : null}
      </div>
      {error && !team ? <ErrorState error={error} {...(error.code === 'NOT_FOUND' ? {} : { retry: refetch })} /> : null}
      {team ? (
        <>
          <div className={styles.twoColumns}>
            <Identity team={team} />
            <OwnerBalance owner={team} />
          </div>
          {team.deletedAt ? null : (
            <>
              <Members id={id} />
              <Lock key={`lock ${id}`} team={team} />
              <GrantForm key={id} user={team} />
              <TakeForm key={`take ${id}`} user={team} />
              <OwedForm key={`owed ${id}`} user={team} />
            </>
          )}
          <UserFilms id={id} />
          <UserPayments id={id} />
          <UserHistory user={team} />
        </>
      ) : null}
      {team || error ? null : (
        <LoadingState label={t`Loading the team`}>
          <div className={styles.twoColumns}>
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="248px" />
          </div>
        </LoadingState>
      )}
    </div>
  )
}

const Identity = ({ team }: { team: TeamDetail }) => (
  <section className="panel" aria-label={t`Which team it is`}>
    <dl className="facts">
      <Fact name={t`Members`}>{formatNumber(team.members)}</Fact>
      <Fact name={t`API keys`}>{formatNumber(team.apiKeys)}</Fact>
      <Fact name={t({ message: 'Since', context: 'of a team' })}>
        <span title={formatUtcTime(team.createdAt)}>{formatUtcDate(team.createdAt)}</span>
      </Fact>
      {team.deletedAt ? (
        <Fact name={t`Deleted`}>{formatUtcTime(team.deletedAt)}</Fact>
      ) : (
        <Fact name={t`Locked`}>
          {team.lockedAt ? t`Since ${formatUtcTime(team.lockedAt)}: ${team.lockReason ?? ''}` : t`No`}
        </Fact>
      )}
      <Fact name={t`Id`}>
        <code>{team.id}</code>
      </Fact>
    </dl>
    <div className="row">
      <CopyButton text={team.id} label={t`Copy the id`} />
    </div>
  </section>
)

const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'members'],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/teams/{id}/members', { params: { path: { id } }, signal })),
  })

function Members({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(membersQuery(id))
  return (
    <div className="stack">
      <h2>{t`Members`}</h2>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {data || error ? null : <TableSkeleton label={t`Loading the members`} />}
      {data ? (
        <div className={adminStyles.table}>
          <TableFrame label={t`Members`}>
            <thead>
              <tr>
                <th scope="col">{t`Member`}</th>
                <th scope="col">{t`Role`}</th>
                <th scope="col">{t`Budget`}</th>
                <th scope="col" className="number">
                  {t`Spent this month`}
                </th>
                <th scope="col">{t({ message: 'Since', context: 'of a member' })}</th>
              </tr>
            </thead>
            <tbody>
              {data.members.map((member) => (
                <tr key={member.userId}>
                  <th scope="row">
                    <OwnerLink of={{ ...member, team: null }} />
                    <span className={`${adminStyles.secondary} ${adminStyles.person}`}>{member.name}</span>
                  </th>
                  <td>{roleNames()[member.role]}</td>
                  <td>{budgetText(member.budget)}</td>
                  <td className="number">{formatNumber(member.used.month)}</td>
                  <td>{formatUtcDate(member.createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </div>
      ) : null}
    </div>
  )
}

function Lock({ team: { id, name, locked } }: { team: TeamDetail }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const change = useSingleFlight({
    mutationFn: async (reason: string) => {
      const request = { params: { path: { id } }, body: { reason } }
      await dataOf(
        locked
          ? kinora.POST('/api/v1/admin/teams/{id}/unlock', request)
          : kinora.POST('/api/v1/admin/teams/{id}/lock', request),
      )
      await refetchOwner(id)
    },
    onSuccess: () => {
      toast({ text: locked ? t`The team is unlocked.` : t`The team is locked.` })
      close()
    },
  })
  return (
    <section className="panel" aria-labelledby="team-lock">
      <h2 id="team-lock">{t`Access`}</h2>
      <p className="quiet">{t`Locking keeps members and keys out within a second, and hides shared and published films. Films in progress finish.`}</p>
      <div className="row">
        <Button onClick={() => setOpen(true)}>{locked ? t`Unlock …` : t`Lock …`}</Button>
      </div>
      <Dialog open={isOpen} onClose={close} title={locked ? t`Unlock ${name}?` : t`Lock ${name}?`}>
        <ReasonForm
          change={change}
          submitLabel={locked ? t`Unlock` : t`Lock`}
          kind={locked ? 'primary' : 'danger'}
          onCancel={close}
        />
      </Dialog>
    </section>
  )
}
