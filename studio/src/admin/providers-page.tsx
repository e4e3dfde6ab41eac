/** Providers page: a card for each account at an AI provider with its health and figures, and the labels' criteria. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatClock, formatNumber, formatPercent, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { AdminPage, tableClass } from './kit.tsx'
import { BalanceLeft } from './provider-balance.tsx'
import { type Health, healthCriteria, healthLabels, providerHealth } from './provider-health.ts'
import styles from './providers-page.module.css'
import { moderationQuery, type Provider, providersQuery } from './queries.ts'
import { OffReason, type Switch, SwitchDialog } from './switch-dialog.tsx'

export function ProvidersPage() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(providersQuery)
  const [shown, setShown] = useState<Switch | null>(null)
  return (
    <AdminPage
      title={t`Providers`}
      aside={data ? <p className="quiet small">{t`As of ${formatUtcTime(data.checkedAt)}`}</p> : null}
    >
      {error ? <ErrorState error={error} retry={refetch} /> : null}
      {data?.providers.length === 0 ? (
        <EmptyState>{t`No provider is set up. Each will have a card here.`}</EmptyState>
      ) : null}
      {data?.providers.length ? (
        <>
          <div className={styles.cards}>
            {data.providers.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} nowMs={dataUpdatedAt} onSwitch={setShown} />
            ))}
          </div>
          <HealthLegend windowMinutes={data.windowSeconds / 60} />
        </>
      ) : null}
      {data ? <ModerationCounts /> : null}
      {shown ? <SwitchDialog change={shown} onClose={() => setShown(null)} /> : null}
      {data || error ? null : (
        <LoadingState label={t`Loading the providers`}>
          <div className={styles.cards}>
            <SkeletonBlock height="432px" />
            <SkeletonBlock height="432px" />
          </div>
        </LoadingState>
      )}
    </AdminPage>
  )
}

export const HealthLabel = ({ health }: { health: Health }) => (
  <span className={styles.health} data-health={health}>
    {healthLabels[health]}
  </span>
)

type CardProps = { provider: Provider; nowMs: number; onSwitch: (change: Switch) => void }

const ProviderCard = ({ provider: { id, ...provider }, nowMs, onSwitch }: CardProps) => (
  <section className="panel" aria-label={id}>
    <div className={styles.head}>
      <h2>
        <Link to="/admin/providers/$id" params={{ id }}>
          {id}
        </Link>
      </h2>
      <HealthLabel health={providerHealth(provider)} />
    </div>
    <ProviderFacts provider={{ id, ...provider }} nowMs={nowMs} onSwitch={onSwitch} />
  </section>
)

/** What is known of the last hour, and the switch. */
export function ProviderFacts({ provider, nowMs, onSwitch }: CardProps) {
  const {
    id,
    off,
    failingModels,
    succeeded,
    failed,
    refused,
    failureShare,
    medianSeconds,
    lastSuccessAt,
    lastFailureAt,
  } = provider
  return (
    <>
      <dl className="facts">
        <Fact name={t`In progress`}>
          {provider.inProgress > 0 ? (
            <Link to="/admin/videos" search={{ provider: id }}>
              {formatNumber(provider.inProgress)}
            </Link>
          ) : (
            '0'
          )}
        </Fact>
        <Fact name={t`Waiting to be sent`}>{formatNumber(provider.waiting)}</Fact>
        <Fact name={t`Failed`}>
          {failureShare === null
            ? t`Nothing ended`
            : t`${formatPercent(failureShare)}, ${formatNumber(failed)} of ${formatNumber(succeeded + failed)}`}
        </Fact>
        <Fact name={t`Refused`}>{formatNumber(refused)}</Fact>
        <Fact name={t`Left on the account`}>
          {provider.balance ? <BalanceLeft balance={provider.balance} /> : t`The vendor does not tell`}
        </Fact>
        <Fact name={t`Median time`}>{medianSeconds === null ? t`None finished` : formatClock(medianSeconds)}</Fact>
        <Fact name={t`Last success`}>
          {lastSuccessAt ? formatRelativeTime(lastSuccessAt, nowMs) : t`None in 24 hours`}
        </Fact>
        <Fact name={t`Last failure`}>
          {lastFailureAt ? formatRelativeTime(lastFailureAt, nowMs) : t`None in 24 hours`}
          {provider.lastFailureReason ? (
            <span className={styles.failureReason} lang="en">
              {provider.lastFailureReason}
            </span>
          ) : null}
        </Fact>
        <Fact name={t`Models`}>
          {provider.models.length > 0 ? (
            <ul className={styles.models}>
              {provider.models.map((model) => (
                <li key={model}>{failingModels.includes(model) ? t`${model} (failing, tried last)` : model}</li>
              ))}
            </ul>
          ) : (
            t`None`
          )}
        </Fact>
      </dl>
      {off ? <OffReason off={off} /> : null}
      <div className="row">
        <Button onClick={() => onSwitch({ account: id, name: id, on: off !== null })}>
          {off ? t`Switch on` : t`Switch off`}
        </Button>
      </div>
    </>
  )
}

const HealthLegend = ({ windowMinutes }: { windowMinutes: number }) => (
  <section className="stack" aria-labelledby="health-legend">
    <h2 id="health-legend">{t`How the word is decided`}</h2>
    <dl className={styles.legend}>
      {healthCriteria(windowMinutes).map(({ health, criterion }) => (
        <Fact key={health} name={<HealthLabel health={health} />}>
          {criterion}
        </Fact>
      ))}
    </dl>
    <p className="quiet">
      {t`A failure is the provider’s: a task it did not take or answer, that failed, was late, or gave no usable film. Tasks that it refused for what they asked for are counted apart, and trouble of our own not at all.`}
    </p>
  </section>
)

/** Nothing while moderation is off and has decided nothing in this time. */
function ModerationCounts() {
  const { data, error, refetch } = useQuery(moderationQuery)
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!data || (!data.enabled && data.days.length === 0)) return null
  return (
    <section className={styles.moderation} aria-labelledby="moderation">
      <h2 id="moderation">{t`Moderation`}</h2>
      <p className="quiet">
        {data.enabled
          ? data.fail === 'closed'
            ? t`A request without a verdict is refused.`
            : t`The film of a request without a verdict is made.`
          : t`Moderation is off.`}
      </p>
      {data.days.length === 0 ? (
        <p>{t`No request in the last 30 days.`}</p>
      ) : (
        <DataTable
          className={tableClass('topAligned')}
          label={t`Requests by what moderation decided`}
          rows={data.days}
          keyOf={({ day }) => day}
          columns={[
            { head: t`Day (UTC)`, isRowHead: true, cell: ({ day }) => day },
            { head: t`Allowed`, isNumber: true, cell: ({ allowed }) => formatNumber(allowed) },
            { head: t`Refused`, isNumber: true, cell: ({ refused }) => formatNumber(refused) },
            { head: t`Without a verdict`, isNumber: true, cell: ({ failed }) => formatNumber(failed) },
            {
              head: t`Refused for`,
              lang: 'en',
              cell: ({ categories }) =>
                categories.map(({ category, requests }) => `${category} ${formatNumber(requests)}`).join(', '),
            },
          ]}
        />
      )}
    </section>
  )
}
