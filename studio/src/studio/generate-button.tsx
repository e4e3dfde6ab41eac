/** The price, what is left after it, and the press: known before anything is made. */
import type { KinoraError } from '@kinora/client'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type FormValues, type Model, startImageError } from './form-values.ts'
import css from './generate-form.module.css'
import type { usePrice } from './price.ts'

type Props = {
  wish: FormValues
  model: Model
  price: ReturnType<typeof usePrice>
  busy: boolean
  error: KinoraError | null
  onPress: () => void
}

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

export function GenerateButton({ wish, model, price, busy, error, onPress }: Props) {
  const { quote, isCurrent } = price
  const missing = quote && !quote.affordable ? quote.credits - quote.available : 0
  // What is missing stands on the button, and what is wrong with the image at its place.
  const refused = error?.code === 'INSUFFICIENT_CREDITS' ? null : error
  const problem = [price.error, refused].find((each) => each && startImageError(each) === null)
  return (
    <aside className={css.press} aria-label="Price">
      <dl className="facts">
        <dt className={css.pressMore}>Film</dt>
        <dd className={css.pressMore}>
          {model.name}, {wish.duration} s, {wish.aspectRatio}, {wish.quality}
        </dd>
        <dt className={css.pressMore}>You have</dt>
        <dd className={css.pressMore}>{quote ? formatCredits(quote.available) : '–'}</dd>
        <dt>Left after it</dt>
        <dd>
          {quote
            ? missing
              ? `${formatCredits(missing)} too few`
              : formatCredits(quote.available - quote.credits)
            : '–'}
        </dd>
      </dl>
      {missing ? (
        <Link to="/plans" className={`${buttonClass('primary')} ${css.pressButton}`}>
          Get credits · {formatNumber(missing)} missing
        </Link>
      ) : (
        <Button kind="primary" className={css.pressButton} busy={busy} aria-disabled={!isCurrent} onClick={onPress}>
          {quote ? `Generate · ${formatCredits(quote.credits)}` : 'Generate'}
        </Button>
      )}
      <p className={css.pressHint}>
        {missing
          ? `This film costs ${formatCredits(quote?.credits ?? 0)}.`
          : `${isApple ? '⌘' : 'Ctrl'} Enter generates too. A film that fails costs nothing.`}
      </p>
      {problem ? <ErrorState error={problem} {...(price.error ? { retry: () => price.retry() } : {})} /> : null}
    </aside>
  )
}
