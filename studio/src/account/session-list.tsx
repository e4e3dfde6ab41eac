/** Where one is signed in, and how to end it. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { dataOf, kinora, queryClient, sessionQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime, formatRelativeTime } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import look from './session-list.module.css'
import { browserOf } from './user-agent.ts'

export const sessions = queryOptions({
  queryKey: ['session', 'all'],
  queryFn: () => dataOf(kinora.GET('/api/auth/list-sessions')),
})

export function Sessions() {
  const list = useQuery(sessions)
  const own = useQuery(sessionQuery).data?.session.token
  const end = useMutation({
    mutationFn: (token: string) => dataOf(kinora.POST('/api/auth/revoke-session', { body: { token } })),
    onSuccess: () => queryClient.invalidateQueries(sessions),
  })
  const endOthers = useMutation({
    mutationFn: () => dataOf(kinora.POST('/api/auth/revoke-other-sessions')),
    onSuccess: () => queryClient.invalidateQueries(sessions),
  })
  const problem = end.error ?? endOthers.error
  // The newest first, and this one before all.
  const rows = list.data?.toSorted(
    (a, b) => Number(b.token === own) - Number(a.token === own) || b.createdAt.localeCompare(a.createdAt),
  )
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="page-head">
        <h2 id="sessions">Where you are signed in</h2>
        {rows && rows.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        ) : null}
      </div>
      {problem ? <ErrorState error={problem} /> : null}
      {list.error && !rows ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? (
        <LoadingState>
          <SkeletonBlock height="64px" />
        </LoadingState>
      ) : null}
      {rows ? (
        <ul>
          {rows.map((row) => (
            <li key={row.id} className={look.session}>
              <div>
                <p>{browserOf(row.userAgent)}</p>
                <p className="quiet small" title={formatDateTime(row.createdAt)}>
                  {row.ipAddress ? `${row.ipAddress}, ` : ''}signed in {formatRelativeTime(row.createdAt)}
                </p>
              </div>
              {row.token === own ? (
                <span className="mark" data-kind="done">
                  This one
                </span>
              ) : (
                <Button
                  kind="quiet"
                  busy={end.isPending && end.variables === row.token}
                  onClick={() => end.mutate(row.token)}
                  aria-label={`Sign out ${browserOf(row.userAgent)}, signed in ${formatRelativeTime(row.createdAt)}`}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
