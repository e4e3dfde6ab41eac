/**
 * Search box of the administration: finds what a customer writes about, and leads to its page. The text is in no
 * address: it may be a key, or a link that lets its reader in.
 */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { useFields } from '../ui/field.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import styles from './desk.module.css'

type Found = Schemas['SearchResult']

export function DeskSearch() {
  const { values, text } = useFields({ q: '' })
  const search = useSingleFlight({
    mutationFn: (q: string) => dataOf(kinora.POST('/api/v1/admin/search', { body: { q } })),
  })
  const q = values.q.trim()
  return (
    <search className={styles.search}>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          if (q !== '') search.mutate(q)
        }}
      >
        <input
          type="search"
          className="input"
          aria-label={t`Find a customer’s matter`}
          placeholder={t`Address, name, link, film, task, payment, key, invitation…`}
          maxLength={1000}
          autoComplete="off"
          {...text('q')}
        />
        <Button type="submit" busy={search.isPending}>{t`Find`}</Button>
      </form>
      {search.error ? <ErrorState error={search.error} /> : null}
      {search.data ? <Results found={search.data.found} /> : null}
    </search>
  )
}

const Results = ({ found }: { found: Found[] }) =>
  found.length === 0 ? (
    <EmptyState>{t`Nothing here is like this. Links, ids and keys are found whole; names by three letters.`}</EmptyState>
  ) : (
    <ul className={`panel ${styles.found}`} aria-label={t`Found`}>
      {found.map((each) => (
        <li key={`${each.kind} ${each.id}`}>
          <span className="quiet">{kindLabels[each.kind]}</span> <FoundLink found={each} />
          {each.email || each.team ? <span className="secondary">{each.email || each.team}</span> : null}
        </li>
      ))}
    </ul>
  )

const kindLabels: Record<Found['kind'], string> = {
  user: t`User`,
  team: t`Team`,
  film: t`Film`,
  share: t`Shared film`,
  explore: t`Film on Explore`,
  task: t`Task of a provider`,
  payment: t`Payment`,
  subscription: t`Subscription`,
  key: t`API key`,
  invitation: t`Invitation`,
}

/** Leads to the page of the kind; an invitation to a team to the team. */
function FoundLink({ found: { kind, id, label, userId, team } }: { found: Found }) {
  const name = label || id
  switch (kind) {
    case 'film':
    case 'share':
    case 'explore':
    case 'task':
      return <Link to="/admin/videos/$uuid" params={{ uuid: id }}>{`${name} ${id}`}</Link>
    case 'payment':
      return <Link to="/admin/payments/made" search={{ q: id }}>{`${name} ${id}`}</Link>
    case 'subscription':
      return <Link to="/admin/payments/subscriptions" search={{ q: id }}>{`${name} ${id}`}</Link>
    case 'invitation':
      if (team === null) return <Link to="/admin/invitations">{name}</Link>
      break
    case 'user':
    case 'team':
    case 'key':
      break
  }
  const owner = userId ?? id
  return team === null ? (
    <Link to="/admin/users/$id" params={{ id: owner }}>
      {name}
    </Link>
  ) : (
    <Link to="/admin/teams/$id" params={{ id: owner }}>
      {name}
    </Link>
  )
}
