/** The open invitations of the team, and the form that makes one; its link is shown once, and mailed. */
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import type { Role } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { roleNames } from './queries.ts'
import { RoleField } from './role-field.tsx'
import styles from './team-page.module.css'

const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/invitations')),
})
const refresh = () => refreshQueries(['team', 'invitations'])

export function Invitations({ isOwner }: { isOwner: boolean }) {
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
        <TableFrame label={t`Invitations`}>
          <thead>
            <tr>
              <th scope="col">{t`E-mail`}</th>
              <th scope="col">{t`Role`}</th>
              <th scope="col">{t`Ends`}</th>
              <th scope="col">
                <span className="hidden-text">{t`Action`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.invitations.map(({ id, email, role, inviter, expiresAt }) => (
              <tr key={id}>
                <td className={styles.member}>
                  {email}
                  <span className="quiet small">{t`Invited by ${inviter ?? t`Former member`}`}</span>
                </td>
                <td>{roleNames()[role]}</td>
                <td>{formatDate(expiresAt)}</td>
                <td className="number">
                  <Button
                    kind="quiet"
                    aria-label={t`Revoke the invitation of ${email}`}
                    onClick={() => revoke.mutate(id)}
                  >{t`Revoke`}</Button>
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : null}
      <InviteForm isOwner={isOwner} />
    </>
  )
}

function InviteForm({ isOwner }: { isOwner: boolean }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('maker')
  const invite = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/team/invitations', { body: { email: email.trim(), role } })),
    onSuccess: async () => {
      setEmail('')
      await refresh()
    },
  })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <h3>{t`Invite`}</h3>
      <Field
        label={t`E-mail`}
        hint={t`Only this address can accept, within seven days.`}
        type="email"
        maxLength={254}
        required
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <RoleField role={role} isOwner={isOwner} onChange={setRole} />
      {invite.error ? <ErrorState error={invite.error} /> : null}
      <Button type="submit" kind="primary" busy={invite.isPending} disabled={!email.trim()}>
        {site.isMailSetUp ? t`Send invitation` : t`Make invitation`}
      </Button>
      <Dialog open={invite.data !== undefined} onClose={invite.reset} title={t`The invitation is made`}>
        <p>
          {site.isMailSetUp
            ? t`It is on its way by mail. You can also give this link to the person. It is not shown again.`
            : t`This service sends no mails: give this link to the person. It is not shown again.`}
        </p>
        <p className={styles.link}>
          <code>{invite.data?.link}</code>
        </p>
        <div className="dialog-actions">
          <CopyButton text={invite.data?.link ?? ''} kind="primary" label={t`Copy the link`} />
          <Button onClick={invite.reset}>{t`Done`}</Button>
        </div>
      </Dialog>
    </form>
  )
}
