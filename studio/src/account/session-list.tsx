/** The user's sessions; each can be revoked, or all others at once. */

import type { DataOf } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { dataOf, kinora, queryClient, sessionQuery } from '../api.ts'
import { latestError } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime, formatRelativeTime } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './session-list.module.css'
import { describeUserAgent } from './user-agent.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['session', 'all'],
  queryFn: () => dataOf(kinora.GET('/api/auth/list-sessions')),
})

type Row = DataOf<'get', '/api/auth/list-sessions'>[number]

export function SessionList() {
  const list = useQuery(sessionsQuery)
  const currentToken = useQuery(sessionQuery).data?.session.token
  const revoke = useMutation({
    mutationFn: (token: string) => dataOf(kinora.POST('/api/auth/revoke-session', { body: { token } })),
    onSuccess: () => queryClient.invalidateQueries(sessionsQuery),
  })
  const revokeOthers = useMutation({
    mutationFn: () => dataOf(kinora.POST('/api/auth/revoke-other-sessions')),
    onSuccess: () => queryClient.invalidateQueries(sessionsQuery),
  })
  const error = latestError(revoke, revokeOthers)
  // The current session first, then the newest.
  const rows = list.data?.toSorted(
    (a, b) =>
      Number(b.token === currentToken) - Number(a.token === currentToken) || b.createdAt.localeCompare(a.createdAt),
  )
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="page-head">
        <h3 id="sessions">{t`Where you are signed in`}</h3>
        {rows && rows.length > 1 ? (
          <Button busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
            {t`Sign out everywhere else`}
          </Button>
        ) : null}
      </div>
      {error ? <ErrorState error={error} /> : null}
      {list.error && !rows ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? (
        <LoadingState>
          <SkeletonBlock height="64px" />
        </LoadingState>
      ) : null}
      {rows ? (
        <ul>
          {rows.map((row) => (
            <li key={row.id} className={styles.session}>
              <div>
                <p>{nameOf(row)}</p>
                <p className="quiet small" title={formatDateTime(row.createdAt)}>
                  {row.ipAddress && !row.impersonatedBy
                    ? t`${row.ipAddress}, signed in ${formatRelativeTime(row.createdAt)}`
                    : t`signed in ${formatRelativeTime(row.createdAt)}`}
                </p>
                {row.impersonatedBy ? <Impersonated session={row} by={row.impersonatedBy} /> : null}
              </div>
              {row.token === currentToken ? (
                <Mark kind="done" label={t`This one`} />
              ) : (
                <Button
                  kind="quiet"
                  busy={revoke.isPending && revoke.variables === row.token}
                  onClick={() => revoke.mutate(row.token)}
                  aria-label={t`Sign out ${nameOf(row)}, signed in ${formatRelativeTime(row.createdAt)}`}
                >
                  {t`Sign out`}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const nameOf = ({ impersonatedBy, userAgent }: Row): string =>
  impersonatedBy ? t`An administrator of this service, acting as you` : describeUserAgent(userAgent)

/** Who it is, until when, and what for. */
function Impersonated({ session: { impersonationReason: reason, expiresAt }, by }: { session: Row; by: string }) {
  return (
    <>
      <p className="quiet small">
        <Trans>
          Administrator <code>{by}</code>, until {formatDateTime(expiresAt)}
        </Trans>
      </p>
      <p className="quiet small">
        {reason ? t`May change something. Reason: ${reason}` : t`Reads only, and changes nothing.`}
      </p>
    </>
  )
}
