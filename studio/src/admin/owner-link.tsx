/** Whose a row of a list is: a user by the e-mail address, a team by its name, with the way to the page that has the books, of a deleted one too. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import adminStyles from './admin.module.css'

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
