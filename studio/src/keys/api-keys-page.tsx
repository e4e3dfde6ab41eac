/**
 * API keys page: lists the keys of the user, or of the team, by name and prefix with what they may do and have used, creates and deletes them. A key is shown
 * once, when created.
 */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { MadeBy } from '../team/given.tsx'
import { Button } from '../ui/button.tsx'
import { TableFrame } from '../ui/data-table.tsx'
import { formatDate, formatDateTime, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './api-keys-page.module.css'
import { CreateKeyForm } from './create-key-form.tsx'
import { type ApiKey, DeleteKeyDialog } from './delete-key-dialog.tsx'
import { periodNames, scopeNames } from './key-limits.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: (): Promise<{ apiKeys: ApiKey[] }> =>
    chosenTeam()
      ? dataOf(kinora.GET('/api/v1/team/keys'))
      : dataOf(kinora.GET('/api/auth/api-key/list', { params: { query: { sortBy: 'createdAt' } } })),
})

export function ApiKeysPage() {
  const list = useQuery(apiKeysQuery)
  const [keyToDelete, setKeyToDelete] = useState<ApiKey | null>(null)
  return (
    <div className="page">
      <PageTitle of={[t`API keys`]} />
      <div className="page-head">
        <h1>{t`API keys`}</h1>
        <a href="/docs">{t`API reference`}</a>
      </div>
      <p className="quiet">
        {chosenTeam()
          ? t`A key lets a program make films with the team’s credits. It ends when its maker leaves, unless an owner takes it over.`
          : t`A key lets a program make films in your name and with your credits.`}
      </p>
      <div className="columns list-last">
        <div className="stack">
          {list.data ? <KeyTable keys={list.data.apiKeys} onDelete={setKeyToDelete} /> : null}
          {list.isPending ? (
            <LoadingState>
              <SkeletonBlock height="160px" />
            </LoadingState>
          ) : null}
          {list.error && !list.data ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
        </div>
        <CreateKeyForm />
      </div>
      <DeleteKeyDialog apiKey={keyToDelete} onClose={() => setKeyToDelete(null)} />
    </div>
  )
}

function KeyTable({ keys, onDelete }: { keys: ApiKey[]; onDelete: (key: ApiKey) => void }) {
  if (keys.length === 0)
    return (
      <EmptyState>
        {chosenTeam() ? t`The team’s keys will be listed here.` : t`Your keys will be listed here.`}
      </EmptyState>
    )
  return (
    <TableFrame label={chosenTeam() ? t`API keys of the team` : t`Your API keys`}>
      <thead>
        <tr>
          <th>{t`Name, and how it begins`}</th>
          <th>{t`Credits used`}</th>
          <th>{t`Last used`}</th>
          <th>{t`Ends`}</th>
          <th>
            <span className="hidden-text">{t`Delete`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" className={styles.name}>
              {key.name} <code>{key.start}…</code>
              <span className={styles.scopes}>{scopeNames(key.scopes)}</span>
              <MadeBy made={key} />
            </th>
            <Usage apiKey={key} />
            <td className={styles.usage} title={key.lastRequest ? formatDateTime(key.lastRequest) : undefined}>
              {key.lastRequest ? formatRelativeTime(key.lastRequest) : t`Never`}{' '}
              <span title={formatDateTime(key.createdAt)}>{t`made ${formatDate(key.createdAt)}`}</span>
            </td>
            <td>{key.expiresAt ? formatDate(key.expiresAt) : t`Never`}</td>
            <td className="number">
              <Button kind="quiet" onClick={() => onDelete(key)} aria-label={t`Delete ${key.name}`}>
                {t`Delete`}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** Credits used in the budget's period, or in the month without a budget. */
function Usage({ apiKey: { budget, used } }: { apiKey: ApiKey }) {
  if (!budget) {
    return (
      <td className={styles.usage}>
        {formatNumber(used.month)} <span>{periodNames.month}</span>
      </td>
    )
  }
  const isSpent = budget.used >= budget.credits
  return (
    <td className={styles.usage} title={t`The budget begins anew at ${formatUtcTime(budget.resetAt)}.`}>
      <Trans>
        {formatNumber(budget.used)} of {formatNumber(budget.credits)}{' '}
        <span className={isSpent ? styles.spent : undefined}>
          {isSpent ? t`spent ${periodNames[budget.period]}` : periodNames[budget.period]}
        </span>
      </Trans>
    </td>
  )
}
