/** The price, the credits left after it, and the Generate button. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type FormValues, type Model, startImageError } from './form-values.ts'
import styles from './generate-form.module.css'
import type { usePrice } from './price.ts'

type Props = {
  values: FormValues
  model: Model
  price: ReturnType<typeof usePrice>
  busy: boolean
  /** The error of the last submission. */
  error: KinoraError | null
  onSubmit: () => void
}

const MODIFIER_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export function GenerateButton({ values, model, price, busy, error, onSubmit }: Props) {
  const { quote, isCurrent } = price
  const missing = quote && !quote.affordable ? quote.credits - quote.available : 0
  // The button itself reports missing credits, and the start image field reports errors of the image.
  const submitError = error?.code === 'INSUFFICIENT_CREDITS' ? null : error
  const shownError = [price.error, submitError].find((each) => each && startImageError(each) === null)
  return (
    <aside className={styles.submit} aria-label={t`Price`}>
      <dl className="facts">
        <dt className={styles.wideOnly}>{t`Film`}</dt>
        <dd className={styles.wideOnly}>
          {t`${model.name}, ${values.duration} s, ${values.aspectRatio}, ${values.quality}`}
        </dd>
        <dt>{t`Left after it`}</dt>
        <dd>
          {quote
            ? missing
              ? t`${formatCredits(missing)} too few`
              : formatCredits(quote.available - quote.credits)
            : '–'}
        </dd>
      </dl>
      <div className={styles.submitAction}>
        {missing ? (
          <Link to="/plans" className={`${buttonClass('primary')} ${styles.submitButton}`}>
            {t`Get credits · ${formatNumber(missing)} missing`}
          </Link>
        ) : (
          <Button
            kind="primary"
            className={styles.submitButton}
            busy={busy}
            aria-disabled={!isCurrent}
            onClick={onSubmit}
          >
            {quote ? t`Generate · ${formatCredits(quote.credits)}` : t`Generate`}
          </Button>
        )}
        <p className={styles.submitHint}>
          {missing
            ? t`This film costs ${formatCredits(quote?.credits ?? 0)}.`
            : t`${MODIFIER_KEY} Enter generates too. A film that fails costs nothing.`}
        </p>
      </div>
      {shownError ? <ErrorState error={shownError} {...(price.error ? { retry: () => price.retry() } : {})} /> : null}
    </aside>
  )
}
