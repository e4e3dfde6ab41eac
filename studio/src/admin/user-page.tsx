/**
 * User page: identity, balance, the forms that change access and role, grant credits, take them back, settle what is owed and delete the
 * account, and films, payments and credit history of one user. A deleted user has no forms.
 */
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { sessionQuery } from '../api.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatList, formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { pageTitle } from '../ui/page-title.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { OwedForm, TakeForm } from './correction-form.tsx'
import { DeleteUser } from './delete-user.tsx'
import { GrantForm } from './grant-form.tsx'
import { OwnerBalance } from './owner-balance.tsx'
import { teamQuery, type UserDetail, userQuery } from './queries.ts'
import { UserAccess } from './user-access.tsx'
import { UserFilms } from './user-films.tsx'
import { UserHistory } from './user-history.tsx'
import styles from './user-page.module.css'
import { UserPayments } from './user-payments.tsx'

export function UserPage() {
  const { id } = useParams({ from: '/signed-in/admin/users/$id' })
  const { data, error, refetch } = useQuery(userQuery(id))
  // A link that knows the id alone names a team too.
  const team = useQuery({ ...teamQuery(id), enabled: error?.code === 'NOT_FOUND' })
  const own = useQuery({ ...sessionQuery, enabled: false }).data
  if (team.data) return <Navigate to="/admin/teams/$id" params={{ id }} replace />
  return (
    <div className="page">
      <title>{pageTitle(data?.name ?? t`User`, t`Administration`)}</title>
      <div className="page-head">
        <h1 className={styles.name}>{data ? data.name || data.email : t`User`}</h1>
        {data?.deletedAt || data?.banned ? (
          <span className="mark" data-kind="failed">
            {data.deletedAt ? t`Deleted` : t`Locked`}
          </span>
        ) : null}
      </div>
      {error && !data ? <ErrorState error={error} {...(error.code === 'NOT_FOUND' ? {} : { retry: refetch })} /> : null}
      {data ? (
        <>
          <div className={styles.twoColumns}>
            <Identity user={data} />
            <OwnerBalance owner={data} />
          </div>
          {data.deletedAt ? null : (
            <>
              {data.id === own?.user.id ? null : <UserAccess key={`access ${data.id}`} user={data} />}
              <GrantForm key={data.id} user={data} />
              <TakeForm key={`take ${data.id}`} user={data} />
              <OwedForm key={`owed ${data.id}`} user={data} />
            </>
          )}
          <UserFilms id={data.id} />
          <UserPayments id={data.id} />
          <UserHistory user={data} />
          {/* Administrators delete their own account on the account page, which asks for the password. */}
          {data.deletedAt || data.id === own?.user.id ? null : <DeleteUser key={`delete ${data.id}`} user={data} />}
        </>
      ) : null}
      {data || error ? null : (
        <LoadingState label={t`Loading the user`}>
          <div className={styles.twoColumns}>
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="248px" />
          </div>
        </LoadingState>
      )}
    </div>
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
