/** How the AI providers do: a word for each, the numbers it comes from, and how it is decided. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fact } from '../ui/fact.tsx'
import { formatClock, formatNumber, formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { type Health, healthOf, healthRules, healthWords } from './provider-health.ts'
import look from './providers-page.module.css'
import { type Provider, providers } from './queries.ts'

export function Providers() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(providers)
  return (
    <div className="page">
      <title>Providers · Administration · Kinora</title>
      <div className="page-head">
        <h1>Providers</h1>
        {data ? <p className="quiet small">As of {formatUtcTime(data.checkedAt)}</p> : null}
      </div>
      {error ? <ErrorState error={error} retry={refetch} /> : null}
      {data?.providers.length === 0 ? (
        <EmptyState>No provider is set up. Each will have a card here.</EmptyState>
      ) : null}
      {data?.providers.length ? (
        <>
          <div className={look.cards}>
            {data.providers.map((each) => (
              <Card key={each.id} of={each} nowMs={dataUpdatedAt} />
            ))}
          </div>
          <Rules minutes={data.windowSeconds / 60} />
        </>
      ) : null}
      {data || error ? null : (
        <LoadingState label="Loading the providers">
          <div className={look.cards}>
            <SkeletonBlock height="432px" />
            <SkeletonBlock height="432px" />
          </div>
        </LoadingState>
      )}
    </div>
  )
}

const Word = ({ health }: { health: Health }) => (
  <span className={look.health} data-health={health}>
    {healthWords[health]}
  </span>
)

function Card({ of, nowMs }: { of: Provider; nowMs: number }) {
  const { id, succeeded, failed, refused, failureShare, medianSeconds, lastSuccessAt, lastFailureAt } = of
  return (
    <section className="panel" aria-label={id}>
      <div className={look.head}>
        <h2>{id}</h2>
        <Word health={healthOf(of)} />
      </div>
      <dl className="facts">
        <Fact name="In progress">
          {of.inProgress > 0 ? (
            <Link to="/admin/videos" search={{ provider: id }}>
              {formatNumber(of.inProgress)}
            </Link>
          ) : (
            '0'
          )}
        </Fact>
        <Fact name="Waiting to be sent">{formatNumber(of.waiting)}</Fact>
        <Fact name="Failed">
          {failureShare === null
            ? 'Nothing ended'
            : `${Math.round(failureShare * 1000) / 10} %, ${formatNumber(failed)} of ${formatNumber(succeeded + failed)}`}
        </Fact>
        <Fact name="Refused">{formatNumber(refused)}</Fact>
        <Fact name="Median time">{medianSeconds === null ? 'None finished' : formatClock(medianSeconds)}</Fact>
        <Fact name="Last success">{lastSuccessAt ? formatRelativeTime(lastSuccessAt, nowMs) : 'None in 24 hours'}</Fact>
        <Fact name="Last failure">
          {lastFailureAt ? formatRelativeTime(lastFailureAt, nowMs) : 'None in 24 hours'}
          {of.lastFailureReason ? <span className={look.reason}>{of.lastFailureReason}</span> : null}
        </Fact>
        <Fact name="Models">
          {of.models.length > 0 ? (
            <ul className={look.models}>
              {of.models.map((model) => (
                <li key={model}>{model}</li>
              ))}
            </ul>
          ) : (
            'None'
          )}
        </Fact>
      </dl>
    </section>
  )
}

const Rules = ({ minutes }: { minutes: number }) => (
  <section className="stack" aria-labelledby="rules">
    <h2 id="rules">How the word is decided</h2>
    <dl className={look.rules}>
      {healthRules(minutes).map(({ health, rule }) => (
        <Fact key={health} name={<Word health={health} />}>
          {rule}
        </Fact>
      ))}
    </dl>
    <p className="quiet">
      A failure is the provider’s: a task it did not take or answer, that failed, was late, or gave no usable film.
      Tasks that it refused for what they asked for are counted apart, and trouble of our own not at all.
    </p>
  </section>
)
