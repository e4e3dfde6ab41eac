/** Page of the chosen team: its members with roles, budgets and what each has spent, its invitations, and what ends it or a membership. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSignedIn } from '../shell/signed-in.ts'
import { isAtLeast, type Role, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatNumber } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { Invitations } from './invitations.tsx'
import { MemberDialog } from './member-dialog.tsx'
import { MoveCredits } from './move-credits.tsx'
import { Programs } from './programs.tsx'
import { budgetText, type Member, membersQuery, roleNames, roleTexts, teamQuery } from './queries.ts'
import { DeleteTeam, ExportTeam, FactorForm, LeaveTeam, RenameForm } from './team-forms.tsx'
import { TeamLog } from './team-log.tsx'
import styles from './team-page.module.css'

export function TeamPage() {
  const team = useTeam()
  const list = useQuery(membersQuery)
  const { data: detail } = useQuery(teamQuery)
  if (!team) return null
  return (
    <div className="page">
      <PageTitle of={[t`Team`]} />
      <div className="page-head">
        <h1 className={styles.name}>{team.name}</h1>
      </div>
      <p className="quiet">
        {t`Members make films from one balance. Each has a role, which says what the member may do, and a budget where an admin has set one.`}
      </p>
      <div className="columns">
        <div className="stack">
          <h2>{t`Members`}</h2>
          {list.data ? <MemberTable members={list.data.members} team={team} /> : null}
          {list.isPending ? (
            <LoadingState>
              <SkeletonBlock height="160px" />
            </LoadingState>
          ) : null}
          {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
          {list.data && isAtLeast(team, 'admin') ? <Invitations isOwner={team.role === 'owner'} /> : null}
          {list.data && team.role === 'owner' ? <Programs /> : null}
          {list.data && team.role === 'owner' ? <TeamLog /> : null}
        </div>
        {list.isPending ? null : (
          // On a phone the members stand above, so this waits for them.
          <div className="stack">
            <OwnUse team={team} />
            {isAtLeast(team, 'admin') ? <RenameForm key={team.name} current={team.name} /> : null}
            {team.role === 'owner' && detail ? <FactorForm isRequired={detail.secondFactorRequired} /> : null}
            <LeaveTeam name={team.name} />
            {team.role === 'owner' ? <ExportTeam /> : null}
            {team.role === 'owner' ? <DeleteTeam name={team.name} /> : null}
          </div>
        )}
      </div>
    </div>
  )
}

/** What the user may do and spend here. */
function OwnUse({ team: { name, role } }: { team: { name: string; role: Role | null } }) {
  const { data } = useQuery(teamQuery)
  return (
    <section className="panel" aria-labelledby="own-use">
      <h2 id="own-use">{t({ message: 'You', context: 'in a team' })}</h2>
      <dl className="facts">
        <Fact name={t`Role`}>{role && roleNames()[role]}</Fact>
        <Fact name={t`Credits of the team`}>{data && formatNumber(data.balance.available)}</Fact>
        <Fact name={t`Your budget`}>{data && budgetText(data.budget)}</Fact>
        <Fact name={t`Spent this month`}>{data && formatNumber(data.used.month)}</Fact>
      </dl>
      <p className="quiet">{role && roleTexts()[role]}</p>
      <MoveCredits team={name} />
    </section>
  )
}

type TableProps = { members: Member[]; team: { role: Role | null } }

/** Only owners change owners. */
function MemberTable({ members, team }: TableProps) {
  const { user } = useSignedIn()
  const [changing, setChanging] = useState<Member | null>(null)
  const mayChange = ({ role }: Member) => isAtLeast(team, role === 'owner' ? 'owner' : 'admin')
  return (
    <>
      <TableFrame label={t`Members`}>
        <thead>
          <tr>
            <th scope="col">{t`Member`}</th>
            <th scope="col">{t`Role`}</th>
            <th scope="col">{t`Budget`}</th>
            <th scope="col" className="number">
              {t`Spent this month`}
            </th>
            {isAtLeast(team, 'admin') ? (
              <th scope="col">
                <span className="hidden-text">{t`Action`}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.userId}>
              <td className={styles.member}>
                {member.userId === user.id ? t`${member.name} (you)` : member.name}
                <span className="quiet small">{member.email}</span>
                {member.hasSecondFactor === false ? <span className="quiet small">{t`No second factor`}</span> : null}
              </td>
              <td>{roleNames()[member.role]}</td>
              <td>{budgetText(member.budget)}</td>
              <td className="number">{formatNumber(member.used.month)}</td>
              {isAtLeast(team, 'admin') ? (
                <td className="number">
                  {mayChange(member) ? (
                    <Button kind="quiet" aria-label={t`Change ${member.name}`} onClick={() => setChanging(member)}>
                      {t`Change`}
                    </Button>
                  ) : null}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {changing ? (
        <MemberDialog member={changing} isOwner={team.role === 'owner'} onClose={() => setChanging(null)} />
      ) : null}
    </>
  )
}
