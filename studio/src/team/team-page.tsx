/** Page of the chosen team: members with roles, budgets and spending, invitations, and what ends it or a membership. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { downloadHref } from '../chosen-team.ts'
import { type Period, periodNames, scopeNames } from '../keys/key-limits.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { isAtLeast, type Role, roles, useTeam } from '../team.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { Field, useFields } from '../ui/field.tsx'
import { formatCredits, formatDate, formatDateTime, formatNumber } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Page } from '../ui/page.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { ErrorState, QueryState } from '../ui/states.tsx'
import { logLabels } from './log-labels.ts'
import { MemberDialog } from './member-dialog.tsx'
import { MoveCredits } from './move-credits.tsx'
import { budgetText, type Member, membersQuery, roleNames, roleTexts, teamQuery } from './queries.ts'
import { RoleField } from './role-field.tsx'
import { DeleteTeam, ExportTeam, FactorForm, LeaveTeam, RenameForm } from './team-forms.tsx'
import styles from './team-page.module.css'

export function TeamPage() {
  const team = useTeam()
  const list = useQuery(membersQuery)
  const { data: detail } = useQuery(teamQuery)
  if (!team) return null
  return (
    <Page title={t`Team`} heading={<h1 className={styles.name}>{team.name}</h1>} aside={null}>
      <p className="quiet">
        {t`Members make films from one balance. Each has a role, which says what the member may do, and a budget where an admin has set one.`}
      </p>
      <div className="columns">
        <div className="stack">
          <h2>{t`Members`}</h2>
          <QueryState query={list} skeletonHeight="160px">
            {({ members }) => <MemberTable members={members} team={team} />}
          </QueryState>
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
    </Page>
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
      <DataTable
        label={t`Members`}
        rows={members}
        keyOf={({ userId }) => userId}
        columns={[
          {
            head: t`Member`,
            className: styles.member,
            cell: (member) => (
              <>
                {member.userId === user.id ? t`${member.name} (you)` : member.name}
                <span className="quiet small">{member.email}</span>
                {member.hasSecondFactor === false ? <span className="quiet small">{t`No second factor`}</span> : null}
              </>
            ),
          },
          { head: t`Role`, cell: ({ role }) => roleNames()[role] },
          { head: t`Budget`, cell: ({ budget }) => budgetText(budget) },
          { head: t`Spent this month`, isNumber: true, cell: ({ used }) => formatNumber(used.month) },
          isAtLeast(team, 'admin')
            ? {
                head: t`Action`,
                isAction: true,
                cell: (member) =>
                  mayChange(member) ? (
                    <Button kind="quiet" aria-label={t`Change ${member.name}`} onClick={() => setChanging(member)}>
                      {t`Change`}
                    </Button>
                  ) : null,
              }
            : null,
        ]}
      />
      {changing ? (
        <MemberDialog member={changing} isOwner={team.role === 'owner'} onClose={() => setChanging(null)} />
      ) : null}
    </>
  )
}

const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/invitations')),
})
const refresh = () => refreshQueries(['team', 'invitations'])

/** The open invitations of the team, and the form that makes one; its link is shown once, and mailed. */
function Invitations({ isOwner }: { isOwner: boolean }) {
  const { data, error, refetch } = useQuery(invitationsQuery)
  const revoke = useSingleFlight({
    mutationFn: (id: string) => dataOf(kinora.DELETE('/api/v1/team/invitations/{id}', { params: { path: { id } } })),
    onSettled: refresh,
  })
  return (
    <>
      <h2>{t`Invitations`}</h2>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {revoke.error ? <ErrorState error={revoke.error} /> : null}
      {data && data.invitations.length > 0 ? (
        <DataTable
          label={t`Invitations`}
          rows={data.invitations}
          columns={[
            {
              head: t`E-mail`,
              className: styles.member,
              cell: ({ email, inviter }) => (
                <>
                  {email}
                  <span className="quiet small">{t`Invited by ${inviter ?? t`Former member`}`}</span>
                </>
              ),
            },
            { head: t`Role`, cell: ({ role }) => roleNames()[role] },
            { head: t`Ends`, cell: ({ expiresAt }) => formatDate(expiresAt) },
            {
              head: t`Action`,
              isAction: true,
              cell: ({ id, email }) => (
                <Button
                  kind="quiet"
                  aria-label={t`Revoke the invitation of ${email}`}
                  onClick={() => revoke.mutate(id)}
                >{t`Revoke`}</Button>
              ),
            },
          ]}
        />
      ) : null}
      <InviteForm isOwner={isOwner} />
    </>
  )
}

function InviteForm({ isOwner }: { isOwner: boolean }) {
  const { values, text, reset } = useFields({ email: '' })
  const email = values.email.trim()
  const [role, setRole] = useState<Role>('maker')
  const invite = useAction({
    send: () => dataOf(kinora.POST('/api/v1/team/invitations', { body: { email, role } })),
    refresh: () => {
      reset()
      return refresh()
    },
  })
  return (
    <ActionForm
      action={invite}
      onSubmit={() => invite.mutate()}
      submitLabel={site.isMailSetUp ? t`Send invitation` : t`Make invitation`}
      isReady={email !== ''}
    >
      <h3>{t`Invite`}</h3>
      <Field
        label={t`E-mail`}
        hint={t`Only this address can accept, within seven days.`}
        type="email"
        maxLength={254}
        required
        autoComplete="off"
        {...text('email')}
      />
      <RoleField role={role} isOwner={isOwner} onChange={setRole} />
      <SecretDialog
        secret={invite.data?.link}
        title={t`The invitation is made`}
        copyLabel={t`Copy the link`}
        onClose={invite.reset}
      >
        {site.isMailSetUp
          ? t`It is on its way by mail. You can also give this link to the person. It is not shown again.`
          : t`This service sends no mails: give this link to the person. It is not shown again.`}
      </SecretDialog>
    </ActionForm>
  )
}

type Program = Schemas['TeamProgram']

const programsQuery = queryOptions({
  queryKey: ['team', 'programs'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/programs')),
})

const programName = ({ name }: { name: string }): string => name || t`A program without a name`

/** Nothing while there is none: members connect them, and not this page. */
function Programs() {
  const { data, error, refetch } = useQuery(programsQuery)
  const [ending, setEnding] = useState<Program | null>(null)
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data || data.programs.length === 0) return null
  return (
    <>
      <h2>{t`Connected programs`}</h2>
      <DataTable
        label={t`Connected programs`}
        rows={data.programs}
        columns={[
          {
            head: t`Program`,
            className: styles.member,
            cell: (program) => (
              <>
                {programName(program)}
                <span className="quiet small">{scopeNames(program.scopes)}</span>
                <span className="quiet small">
                  {t`Connected by ${program.connectedBy.name}, ${formatDate(program.createdAt)}`}
                </span>
              </>
            ),
          },
          { head: t`Budget`, cell: ({ budget }) => budgetText(budget) },
          { head: t`Spent this month`, isNumber: true, cell: ({ used }) => formatNumber(used.month) },
          {
            head: t`Action`,
            isAction: true,
            cell: (program) => (
              <Button
                kind="quiet"
                aria-label={t`Disconnect ${programName(program)} of ${program.connectedBy.name}`}
                onClick={() => setEnding(program)}
              >
                {t`Disconnect`}
              </Button>
            ),
          },
        ]}
      />
      {ending ? <EndDialog program={ending} onClose={() => setEnding(null)} /> : null}
    </>
  )
}

const EndDialog = ({ program, onClose }: { program: Program; onClose: () => void }) => (
  <ActionDialog
    title={t`Disconnect ${programName(program)}?`}
    submitLabel={t`Disconnect`}
    kind="danger"
    cancelLabel={t`Keep it`}
    send={() => dataOf(kinora.DELETE('/api/v1/team/programs/{id}', { params: { path: { id: program.id } } }))}
    refresh={() => Promise.all([refreshQueries(['team', 'programs']), refreshQueries(['team', 'log'])])}
    refreshesAlways
    onClose={onClose}
  >
    <p>{t`It acts for the team no more, within a second. ${program.connectedBy.name} may connect it again.`}</p>
  </ActionDialog>
)

type Entry = Schemas['TeamLogEntry']

const logQuery = pagedQuery(['team', 'log'], (query, signal) =>
  kinora.GET('/api/v1/team/log', { params: { query }, signal }),
)

/** The log of the team, for its owners: who did what, newest first. */
function TeamLog() {
  const list = usePages(logQuery)
  return (
    <>
      <div className="page-head">
        <h2>{t`Log`}</h2>
        <a className={buttonClass('quiet')} href={downloadHref('/api/v1/team/log.csv')} download>
          {t`Download as CSV`}
        </a>
      </div>
      <PagedList list={list} rowsOf={(page) => page.entries} loading={t`Loading the log`} empty={null}>
        {(entries) => (
          <DataTable
            label={t`Log of the team, newest first`}
            rows={entries}
            columns={[
              {
                head: t`When`,
                className: styles.brief,
                cell: ({ createdAt }) => formatDateTime(String(createdAt)),
              },
              { head: t`Who`, className: `${styles.member} ${styles.brief}`, cell: actorText },
              {
                head: t`What`,
                className: styles.member,
                cell: (entry) => (
                  <>
                    {logLabels()[entry.action] ?? entry.action}
                    <span className="quiet small">{detailText(entry)}</span>
                  </>
                ),
              },
            ]}
          />
        )}
      </PagedList>
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
