/** Links a row's owner, a user by e-mail address or a team by name, to the owner's page, also a deleted one. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import adminStyles from './admin.module.css'
import { teamQuery, userQuery } from './queries.ts'

type Props = { of: { userId: string; email: string | null; team: string | null }; isInText?: boolean }

export function OwnerLink({ of: { userId: id, email, team }, isInText = false }: Props) {
  const name = email ?? team ?? ''
  return (
    <Link
      to={team === null ? '/admin/users/$id' : '/admin/teams/$id'}
      params={{ id }}
      className={isInText ? undefined : adminStyles.person}
      title={name || id}
    >
      {name || (team === null ? t`Deleted user` : t`Deleted team`)}
    </Link>
  )
}

/** The same where the id alone is known; the id stands for what is not read yet. */
export function OwnerOfId({ id }: { id: string }) {
  const user = useQuery({ ...userQuery(id), retry: false })
  const team = useQuery({ ...teamQuery(id), enabled: user.error?.code === 'NOT_FOUND', retry: false })
  return (
    <OwnerLink
      of={{ userId: id, email: user.data?.email || (team.data ? null : id), team: team.data?.name ?? null }}
      isInText
    />
  )
}
