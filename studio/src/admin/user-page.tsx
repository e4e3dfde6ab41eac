/** User page: identity, the forms that change access and role and delete the account, and what all owners have. */
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { sessionQuery } from '../api.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatList, formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { DeleteOwner } from './delete-owner.tsx'
import { OwnerPage } from './owner-page.tsx'
import { teamQuery, type UserDetail, userQuery } from './queries.ts'
import { UserAccess } from './user-access.tsx'

export function UserPage() {
  const { id } = useParams({ from: '/signed-in/admin/users/$id' })
  const { data, error, refetch } = useQuery(userQuery(id))
  // A link that knows the id alone names a team too.
  const team = useQuery({ ...teamQuery(id), enabled: error?.code === 'NOT_FOUND' })
  const own = useQuery({ ...sessionQuery, enabled: false }).data
  if (team.data) return <Navigate to="/admin/teams/$id" params={{ id }} replace />
  const isOwn = data?.id === own?.user.id
  return (
    <OwnerPage
      title={t`User`}
      owner={data}
      name={data && (data.name || data.email)}
      isLocked={data?.banned === true}
      // Until it is known that the id is no team's either.
      error={team.isFetching ? null : error}
      retry={refetch}
      loadingLabel={t`Loading the user`}
      identity={data ? <Identity user={data} /> : null}
      access={data && !isOwn ? <UserAccess key={`access ${id}`} user={data} /> : null}
      // Administrators delete their own account on the account page, which asks for the password.
      end={data && !data.deletedAt && !isOwn ? <DeleteOwner key={`delete ${id}`} owner={data} /> : null}
    />
  )
}

const Identity = ({ user }: { user: UserDetail }) => (
  <section className="panel" aria-label={t`Who it is`}>
    <dl className="facts">
      <Fact name={t`E-mail`}>{user.email || null}</Fact>
      {user.deletedAt ? null : <Fact name={t`Address verified`}>{user.emailVerified ? t`Yes` : t`No`}</Fact>}
      {user.deletedAt ? null : <Fact name={t`Ways to sign in`}>{signInMethodNames(user)}</Fact>}
      {user.deletedAt ? null : (
        <Fact name={t`Sessions, keys`}>
          {formatNumber(user.sessions)}, {formatNumber(user.apiKeys)}
        </Fact>
      )}
      {user.giftRefusal ? <Fact name={t`Welcome credits`}>{giftLabels[user.giftRefusal]}</Fact> : null}
      <Fact name={t`Role`}>{user.role === 'admin' ? t`Administrator` : t`User`}</Fact>
      <Fact name={t`Since`}>
        <span title={formatUtcTime(user.createdAt)}>{formatUtcDate(user.createdAt)}</span>
      </Fact>
      {user.deletedAt ? (
        <Fact name={t`Deleted`}>{formatUtcTime(user.deletedAt)}</Fact>
      ) : (
        <Fact name={t`Locked`}>{user.banned ? lockDescription(user) : t`No`}</Fact>
      )}
      <Fact name={t`Id`}>
        <code>{user.id}</code>
      </Fact>
    </dl>
    <div className="row">
      <CopyButton text={user.id} label={t`Copy the id`} />
    </div>
  </section>
)

const giftLabels: Record<NonNullable<UserDetail['giftRefusal']>, string> = {
  address_used: t`None: the address had them before`,
  domain_denied: t`None: the domain is denied`,
  network_limit: t`None: too many from the network that day`,
}

function signInMethodNames({ signInMethods, twoFactorEnabled, passkeys }: UserDetail): string {
  const names = signInMethods.map((each) => (each === 'credential' ? t`password` : each))
  if (passkeys > 0) names.push(plural(passkeys, { one: '# passkey', other: '# passkeys' }))
  if (twoFactorEnabled) names.push(t`second factor`)
  return formatList(names) || t`None`
}

function lockDescription({ banReason, banExpires }: UserDetail): string {
  const until = banExpires ? t`Until ${formatUtcTime(banExpires)}` : t`Until an administrator unlocks it`
  return banReason ? t`${until}: ${banReason}` : until
}
