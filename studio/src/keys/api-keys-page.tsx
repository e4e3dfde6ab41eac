/**
 * API keys page: lists the keys of the user, or of the team, by name and prefix with what they may do and have used,
 * creates and deletes them. A key is shown once, when created.
 */

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { MadeBy } from '../team/given.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatDate, formatDateTime, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, QueryState } from '../ui/states.tsx'
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
    <Page title={t`API keys`} aside={<a href="/docs">{t`API reference`}</a>}>
      <p className="quiet">
        {chosenTeam()
          ? t`A key lets a program make films with the team’s credits. It ends when its maker leaves, unless an owner takes it over.`
          : t`A key lets a program make films in your name and with your credits.`}
      </p>
      <div className="columns list-last">
        <div className="stack">
          <QueryState query={list} skeletonHeight="160px">
            {({ apiKeys }) => <KeyTable keys={apiKeys} onDelete={setKeyToDelete} />}
          </QueryState>
        </div>
        <CreateKeyForm />
      </div>
      {keyToDelete ? <DeleteKeyDialog apiKey={keyToDelete} onClose={() => setKeyToDelete(null)} /> : null}
    </Page>
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
    <DataTable
      label={chosenTeam() ? t`API keys of the team` : t`Your API keys`}
      rows={keys}
      columns={[
        {
          head: t`Name, and how it begins`,
          isRowHead: true,
          className: styles.name,
          cell: (key) => (
            <>
              {key.name} <code>{key.start}…</code>
              <span className={styles.scopes}>
                {key.test ? `${t`Test key`} · ` : null}
                {scopeNames(key.scopes)}
              </span>
              <MadeBy made={key} />
            </>
          ),
        },
        {
          head: t`Credits used`,
          className: styles.usage,
          title: ({ budget }) => (budget ? t`The budget begins anew at ${formatUtcTime(budget.resetAt)}.` : undefined),
          cell: (key) => <Usage apiKey={key} />,
        },
        {
          head: t`Last used`,
          className: styles.usage,
          title: ({ lastRequest }) => (lastRequest ? formatDateTime(lastRequest) : undefined),
          cell: (key) => (
            <>
              {key.lastRequest ? formatRelativeTime(key.lastRequest) : t`Never`}{' '}
              <span title={formatDateTime(key.createdAt)}>{t`made ${formatDate(key.createdAt)}`}</span>
            </>
          ),
        },
        { head: t`Ends`, cell: ({ expiresAt }) => (expiresAt ? formatDate(expiresAt) : t`Never`) },
        {
          head: t`Delete`,
          isAction: true,
          cell: (key) => (
            <Button kind="quiet" onClick={() => onDelete(key)} aria-label={t`Delete ${key.name}`}>
              {t`Delete`}
            </Button>
          ),
        },
      ]}
    />
  )
}

/** Credits used in the budget's period, or in the month without a budget. */
function Usage({ apiKey: { budget, used } }: { apiKey: ApiKey }) {
  if (!budget)
    return (
      <>
        {formatNumber(used.month)} <span>{periodNames.month}</span>
      </>
    )
  const isSpent = budget.used >= budget.credits
  return (
    <Trans>
      {formatNumber(budget.used)} of {formatNumber(budget.credits)}{' '}
      <span className={isSpent ? styles.spent : undefined}>
        {isSpent ? t`spent ${periodNames[budget.period]}` : periodNames[budget.period]}
      </span>
    </Trans>
  )
}
