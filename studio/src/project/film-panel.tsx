/** What the whole film still costs, before it is made, and the one request that makes all shots that lack a take. */
import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { leftText, refusalOf } from '../studio/generate-button.tsx'
import { isAtLeast, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber, isFinal } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { refusalText, type useFilmPrice, useGenerateAll } from './film-price.ts'
import styles from './project.module.css'
import type { Project, Shot } from './queries.ts'

/** Loaded on demand: it is asked for once an account. */
const ConsentQuestion = lazy(() =>
  import('../studio/consent-question.tsx').then(({ ConsentQuestion }) => ({ default: ConsentQuestion })),
)

type Props = { project: Project; price: ReturnType<typeof useFilmPrice> }

export function FilmPrice({ project, price }: Props) {
  const { lacking, wanted, credits, ceiling, available, isCurrent } = price
  const team = useTeam()
  const generate = useGenerateAll(project)
  const submit = () => isCurrent && generate.mutate({ shots: wanted, credits })
  const missing = available === null || !isCurrent ? 0 : Math.max(0, credits - available)
  const isOwner = isAtLeast(team, 'owner')
  const refusal = team && refusalOf(team.role, isOwner ? 0 : missing)
  const unfinished = project.shots.filter(isUnfinished).length
  if (lacking.length === 0)
    return (
      <p className="quiet">
        {unfinished > 0
          ? plural(unfinished, { one: '# shot is being made.', other: '# shots are being made.' })
          : t`Every shot has a take.`}
      </p>
    )
  return (
    <div className={styles.price}>
      <p>{plural(lacking.length, { one: '# shot lacks a take.', other: '# shots lack a take.' })}</p>
      <Refusals project={project} price={price} />
      <Problem error={generate.error ?? price.error} onGiven={submit} />
      {missing > 0 && isOwner ? (
        <Link to="/plans" className={buttonClass('primary')}>
          {t`Get credits · ${formatNumber(missing)} missing`}
        </Link>
      ) : wanted.length > 0 || !isCurrent ? (
        <Button
          kind="primary"
          busy={generate.isPending}
          aria-disabled={!isCurrent}
          disabled={refusal !== null}
          onClick={submit}
        >
          {isCurrent ? generateText(price) : t`Generate all`}
        </Button>
      ) : null}
      <p className={`quiet small ${styles.priceHint}`}>
        {refusal ??
          (available !== null && isCurrent && missing === 0
            ? leftText(available - credits, ceiling)
            : t`A film that fails costs nothing.`)}
      </p>
    </div>
  )
}

const isUnfinished = ({ takeId, takes }: Shot): boolean =>
  takes.some(({ uuid, status }) => uuid === takeId && !isFinal(status))

function generateText({ wanted: { length: count }, lacking, credits, ceiling }: Props['price']): string {
  const whole = formatCredits(credits)
  const sum = ceiling ? t`up to ${whole}` : whole
  if (count === lacking.length) return t`Generate all · ${sum}`
  return plural(count, { one: `Generate # shot · ${sum}`, other: `Generate # shots · ${sum}` })
}

/** Which shots cannot be generated as they are, and why. */
function Refusals({ project, price }: Props) {
  const refused = price.lacking.flatMap((shot) => {
    const text = refusalText(shot, price.of(shot.id))
    return text === null ? [] : [{ id: shot.id, number: project.shots.indexOf(shot) + 1, text }]
  })
  if (refused.length === 0) return null
  return (
    <ul className={styles.refusals}>
      {refused.map(({ id, number, text }) => (
        <li key={id}>
          <Link to="/projects/$id" params={{ id: project.id }} search={{ shot: id }}>
            {t`Shot ${number}`}
          </Link>{' '}
          {text}
        </li>
      ))}
    </ul>
  )
}

type ProblemProps = { error: ReturnType<typeof useGenerateAll>['error']; onGiven: () => void }

function Problem({ error, onGiven }: ProblemProps) {
  // The button itself reports missing credits.
  if (!error || error.code === 'INSUFFICIENT_CREDITS') return null
  if (error.code !== 'CONSENT_REQUIRED') return <ErrorState error={error} />
  const { text, version } = error.details
  return (
    <Suspense>
      <ConsentQuestion text={text} version={version} onGiven={onGiven} />
    </Suspense>
  )
}
