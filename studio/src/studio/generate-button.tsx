/** The price, the credits left after it, and the Generate button. */
import type { KinoraError } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isAtLeast, type Role, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type FormValues, inputError, type Price, priceText } from './form-values.ts'
import styles from './generate-form.module.css'
import type { usePrice } from './price.ts'

/** Loaded on demand: it is asked for once an account. */
const ConsentQuestion = lazy(() =>
  import('./consent-question.tsx').then(({ ConsentQuestion }) => ({ default: ConsentQuestion })),
)

type Props = {
  /** How many films the button makes. */
  films: number
  price: ReturnType<typeof usePrice>
  busy: boolean
  /** What the request still lacks: a hint, and a refusal once the user has pressed the button. */
  missing: string | null
  wasPressed: boolean
  values: FormValues
  /** The error of the last submission. */
  error: KinoraError | null
  /** The button of the dialog that makes a larger copy. */
  isCopy?: boolean
  onSubmit: () => void
}

const MODIFIER_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export function GenerateButton(props: Props) {
  const { films, price, busy, missing, wasPressed, values, error, isCopy = false, onSubmit } = props
  const { shown, available, isComplete } = price
  const team = useTeam()
  const total = shown?.credits ?? 0
  const lacking = shown && available !== null ? Math.max(0, total - available) : 0
  const isOwner = isAtLeast(team, 'owner')
  const refusal = team && refusalOf(team.role, isOwner ? 0 : lacking)
  // The button itself reports missing credits, and the slots report errors of their inputs.
  const submitError = error?.code === 'INSUFFICIENT_CREDITS' ? null : error
  const shownError = [price.error, submitError].find((each) => each && inputError(each, values) === null)
  return (
    <aside className={styles.submit} aria-label={t`Price`}>
      {shownError?.code === 'CONSENT_REQUIRED' ? (
        <Suspense>
          <ConsentQuestion {...shownError.details} onGiven={onSubmit} />
        </Suspense>
      ) : shownError ? (
        <ErrorState error={shownError} {...(price.error ? { retry: () => price.retry() } : {})} />
      ) : null}
      {missing && wasPressed ? (
        <p className="field-error" role="alert">
          {missing}
        </p>
      ) : null}
      {lacking && isOwner ? (
        <Link to="/plans" className={`${buttonClass('primary')} ${styles.submitButton}`}>
          {t`Get credits · ${formatNumber(lacking)} missing`}
        </Link>
      ) : (
        <Button
          kind="primary"
          className={styles.submitButton}
          busy={busy}
          aria-disabled={isComplete && !shown}
          disabled={refusal !== null}
          onClick={onSubmit}
        >
          {buttonText(films, isCopy, shown)}
        </Button>
      )}
      <p className={styles.submitHint}>
        {refusal ??
          (missing !== null
            ? !wasPressed && missing
            : lacking
              ? costText(films, total)
              : shown && available !== null
                ? leftText(available - total, shown.ceiling)
                : t`A film that fails costs nothing.`)}{' '}
        <span className={styles.keyHint}>
          {refusal || lacking || isCopy ? null : t`${MODIFIER_KEY} Enter generates too.`}
        </span>
      </p>
    </aside>
  )
}

const costText = (films: number, total: number): string =>
  films > 1 ? t`These films cost ${formatCredits(total)}.` : t`This film costs ${formatCredits(total)}.`

/** Why a member who buys no credits for the team makes no film for it now; null: nothing prevents it. */
export function refusalOf(role: Role | null, lacking: number): string | null {
  if (role === 'viewer') return t`You are a viewer in this team. Ask one of its admins for the role of a maker.`
  return lacking
    ? t`The team has ${formatCredits(lacking)} too few for this. Its owners can get more, and members can move their own in.`
    : null
}

export const leftText = (credits: number, isCeiling: boolean): string =>
  isCeiling
    ? t`You pay for the seconds that are made; at least ${formatCredits(credits)} are left. A film that fails costs nothing.`
    : t`${formatCredits(credits)} left after it. A film that fails costs nothing.`

/** @param price null: not known yet */
function buttonText(films: number, isCopy: boolean, price: Price | null): string {
  if (!price) return isCopy ? t`Upscale` : t`Generate`
  const sum = priceText(price)
  if (isCopy) return t`Upscale · ${sum}`
  if (films === 1) return t`Generate · ${sum}`
  return plural(films, { one: `Generate # film · ${sum}`, other: `Generate # films · ${sum}` })
}
