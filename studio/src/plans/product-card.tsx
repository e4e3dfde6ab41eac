/** One pack or plan: its price, what one gets for it, and the way to pay. */
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import look from './plans-page.module.css'
import { centsPer100, type Example, filmsIn, money, type Product, validityOf } from './pricing.ts'

type Props = {
  product: Product
  /** Asked for and not there yet, it has its place already. */
  example: Example | 'asked' | null
  /** Stands in the place of the button. */
  instead?: ReactNode
  primary: boolean
  busy: boolean
  disabled: boolean
  onBuy: () => void
}

export function Offer({ product, example, instead, primary, busy, disabled, onBuy }: Props) {
  const { name, price, period } = product
  return (
    <li className={look.offer}>
      <h3>{name}</h3>
      <p className={look.price}>
        {money(price.cents, price.currency)}
        {period ? <span className={look.every}> a {period}</span> : null}
      </p>
      <p className={look.credits}>
        {formatCredits(product.credits)}
        {period === 'month' ? ' every month' : period === 'year' ? ' at once, every year' : ''}
      </p>
      <dl className={look.figures}>
        <dt>Per 100 credits</dt>
        <dd>{money(centsPer100(product), price.currency)}</dd>
        {example ? (
          <>
            <dt>Films</dt>
            <dd>{example === 'asked' ? null : formatNumber(filmsIn(product.credits, example))}</dd>
          </>
        ) : null}
        <dt>Good for</dt>
        <dd>{validityOf(product)}</dd>
      </dl>
      {instead ?? (
        <Button kind={primary ? 'primary' : 'plain'} busy={busy} disabled={disabled} onClick={onBuy}>
          {period ? 'Subscribe' : 'Buy'} · {money(price.cents, price.currency)}
          <span className="hidden-text"> for {name}</span>
        </Button>
      )}
    </li>
  )
}
