/** Card of one pack or plan: its price, its figures, and the button that buys it. */
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import styles from './plans-page.module.css'
import { centsPer100, filmCount, money, type Product, type ReferenceFilm, validity } from './pricing.ts'

type Props = {
  product: Product
  /** 'loading' reserves its line, so that the layout does not shift when it arrives. */
  film: ReferenceFilm | 'loading' | null
  /** Replaces the button; null: nothing does. */
  buttonNote?: ReactNode
  primary: boolean
  busy: boolean
  disabled: boolean
  onBuy: () => void
}

export function ProductCard({ product, film, buttonNote, primary, busy, disabled, onBuy }: Props) {
  const { name, price, period } = product
  return (
    <li className={styles.product}>
      <h3>{name}</h3>
      <p className={styles.price}>
        {money(price.cents, price.currency)}
        {period ? (
          <span className={styles.period}>
            {' '}
            {period === 'month'
              ? t({ message: 'a month', context: 'price' })
              : t({ message: 'a year', context: 'price' })}
          </span>
        ) : null}
      </p>
      <p className={styles.credits}>{creditsLabel(product)}</p>
      <dl className={styles.figures}>
        <dt>{t`Per 100 credits`}</dt>
        <dd>{money(centsPer100(product), price.currency)}</dd>
        {film ? (
          <>
            <dt>{t`Films`}</dt>
            <dd>{film === 'loading' ? null : formatNumber(filmCount(product.credits, film))}</dd>
          </>
        ) : null}
        <dt>{t`Valid for`}</dt>
        <dd>{validity(product)}</dd>
      </dl>
      {buttonNote !== undefined ? (
        buttonNote
      ) : (
        <Button kind={primary ? 'primary' : 'plain'} busy={busy} disabled={disabled} onClick={onBuy}>
          {period ? t`Subscribe` : t`Buy`} · {money(price.cents, price.currency)}
          <span className="hidden-text"> {t`for ${name}`}</span>
        </Button>
      )}
    </li>
  )
}

function creditsLabel({ credits, period }: Product): string {
  if (period === null) return formatCredits(credits)
  return period === 'month'
    ? t`${formatCredits(credits)} every month`
    : t`${formatCredits(credits)} at once, every year`
}
