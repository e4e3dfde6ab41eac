/** Page of a team for administrators: members, who can be made owners, lock, deletion, and what owners have. */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { budgetText, type Member, roleNames } from '../team/queries.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { TableSkeletonRows } from '../ui/infinite-list.tsx'
import { QueryState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { DeleteOwner } from './delete-owner.tsx'
import { tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import { OwnerPage } from './owner-page.tsx'
import { refetchOwner, type TeamDetail, teamQuery } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'

export function AdminTeamPage() {
  const { id } = useParams({ from: '/signed-in/admin/teams/$id' })
  const { data: team, error, refetch } = useQuery(teamQuery(id))
  return (
    <OwnerPage
      title={t`Team`}
      owner={team}
      name={team && (team.name || t`Deleted team`)}
      isLocked={team?.locked === true}
      error={error}
      retry={refetch}
      loadingLabel={t`Loading the team`}
      identity={team ? <Identity team={team} /> : null}
      access={
        team ? (
          <>
            <Members id={id} />
            <Lock key={`lock ${id}`} team={team} />
          </>
        ) : null
      }
      end={team && !team.deletedAt ? <DeleteOwner key={`delete ${id}`} owner={team} /> : null}
    />
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
  const query = useQuery(membersQuery(id))
  const [promoted, setPromoted] = useState<Member | null>(null)
  return (
    <div className="stack">
      <h2>{t`Members`}</h2>
      <QueryState query={query} loading={t`Loading the members`} skeleton={<TableSkeletonRows />}>
        {({ members }) => (
          <DataTable
            className={tableClass()}
            label={t`Members`}
            rows={members}
            keyOf={({ userId }) => userId}
            columns={[
              {
                head: t`Member`,
                isRowHead: true,
                cell: (member) => <OwnerLink of={{ ...member, team: null }} />,
                below: ({ name }) => <span className={adminStyles.person}>{name}</span>,
              },
              { head: t`Role`, cell: ({ role }) => roleNames()[role] },
              { head: t`Budget`, cell: ({ budget }) => budgetText(budget) },
              { head: t`Spent this month`, isNumber: true, cell: ({ used }) => formatNumber(used.month) },
              {
                head: t({ message: 'Since', context: 'of a member' }),
                cell: ({ createdAt }) => formatUtcDate(createdAt),
              },
              {
                head: t`Action`,
                isAction: true,
                cell: (member) =>
                  member.role === 'owner' ? null : (
                    <Button onClick={() => setPromoted(member)}>{t`Make an owner…`}</Button>
                  ),
              },
            ]}
          />
        )}
      </QueryState>
      {promoted ? <MakeOwner teamId={id} member={promoted} onClose={() => setPromoted(null)} /> : null}
    </div>
  )
}

type MakeOwnerProps = { teamId: string; member: Member; onClose: () => void }

const MakeOwner = ({ teamId, member: { userId, name, email }, onClose }: MakeOwnerProps) => (
  <ReasonDialog
    title={t`Make ${name} an owner?`}
    submitLabel={t`Make an owner`}
    send={(reason) => {
      const params = { path: { id: teamId, userId } }
      return dataOf(kinora.POST('/api/v1/admin/teams/{id}/members/{userId}/owner', { params, body: { reason } }))
    }}
    refresh={() => refetchOwner(teamId)}
    done={t`${name} is an owner of the team.`}
    onClose={onClose}
  >
    <p>{t`An owner pays for the team, manages its members and may delete it. ${email} is not asked before.`}</p>
  </ReasonDialog>
)

function Lock({ team: { id, name, locked } }: { team: TeamDetail }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel" aria-labelledby="team-lock">
      <h2 id="team-lock">{t`Access`}</h2>
      <p className="quiet">{t`Locking keeps members and keys out within a second, and hides shared and published films. Films in progress finish.`}</p>
      <div className="row">
        <Button onClick={() => setOpen(true)}>{locked ? t`Unlock…` : t`Lock…`}</Button>
      </div>
      {isOpen ? (
        <ReasonDialog
          title={locked ? t`Unlock ${name}?` : t`Lock ${name}?`}
          submitLabel={locked ? t`Unlock` : t`Lock`}
          kind={locked ? 'primary' : 'danger'}
          send={(reason) => {
            const request = { params: { path: { id } }, body: { reason } }
            return dataOf<unknown>(
              locked
                ? kinora.POST('/api/v1/admin/teams/{id}/unlock', request)
                : kinora.POST('/api/v1/admin/teams/{id}/lock', request),
            )
          }}
          refresh={() => refetchOwner(id)}
          done={locked ? t`The team is unlocked.` : t`The team is locked.`}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  )
}
