/** What ends with a member's role, or an owner takes over; and who answers for a team's key or endpoint. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { type Role, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './team-page.module.css'

type ListProps = { userId: string; newRole: Role | null; taken?: string[]; onTake?: (ids: string[]) => void }

/** `newRole` null: the member is removed, or leaves. Only owners take over, not their own (`onTake` undefined). */
export function GivenList({ userId, newRole, taken = [], onTake }: ListProps) {
  const team = useTeam()
  const { data, error } = useQuery({
    // Apart from 'team', which is read again once the member is gone: this would be a 404 then.
    queryKey: ['given', userId, newRole],
    staleTime: 0,
    queryFn: () =>
      dataOf(
        kinora.GET('/api/v1/team/members/{id}/given', {
          params: { path: { id: userId }, query: newRole ? { role: newRole } : {} },
        }),
      ),
  })
  const kinds = {
    invitation: t`Invitation`,
    key: t`API key`,
    endpoint: t`Webhook endpoint`,
    program: t`Connected program`,
  }
  if (error) return <ErrorState error={error} />
  if (!data)
    return (
      <LoadingState>
        <SkeletonBlock height="64px" />
      </LoadingState>
    )
  if (data.given.length === 0) return null
  const mayTake = team?.role === 'owner' && onTake
  return (
    <fieldset className="stack">
      <legend>{mayTake ? t`This ends, unless you take it over:` : t`This ends:`}</legend>
      {data.given.map(({ kind, id, name }) =>
        mayTake && (kind === 'key' || kind === 'endpoint') ? (
          <Check
            key={id}
            label={`${kinds[kind]} ${name}`}
            checked={taken.includes(id)}
            onChange={({ currentTarget }) =>
              onTake(currentTarget.checked ? [...taken, id] : taken.filter((each) => each !== id))
            }
          />
        ) : (
          <p key={id}>
            {kinds[kind]} {name}
          </p>
        ),
      )}
    </fieldset>
  )
}

type Made = Partial<Pick<Schemas['TeamKey'], 'madeBy' | 'endsAt'>> & { id: string }

/** The maker of a key or an endpoint, and what its suspension means; nothing for those of a user. */
export function MadeBy({ made: { id, madeBy, endsAt } }: { made: Made }) {
  const team = useTeam()
  const takeOver = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/team/take-over', { body: { ids: [id] } })),
    onSettled: () => Promise.all([refreshQueries(['keys']), refreshQueries(['webhooks'])]),
  })
  if (!madeBy) return null
  return (
    <div className={styles.madeBy}>
      <span className="quiet small">{t`Made by ${madeBy.name ?? t`Former member`}`}</span>
      {endsAt ? <Mark kind="failed" label={t`Suspended, ends ${formatDate(endsAt)}`} /> : null}
      {endsAt && team?.role === 'owner' ? (
        <Button busy={takeOver.isPending} onClick={() => takeOver.mutate()}>{t`Take over`}</Button>
      ) : null}
      {takeOver.error ? <ErrorState error={takeOver.error} /> : null}
    </div>
  )
}
