/**
 * Shown on return from the checkout: polls the credit history until the purchase's transaction appears. Only that transaction
 * proves the payment; the return URL proves nothing. It says whether the payer finished the checkout, which decides the words
 * until then: a processor may return here after a declined card too, and report no such card.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { balanceQuery, dataOf, kinora, refreshQueries } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import type { Product } from './pricing.ts'

const POLL_MS = 2_000
const SLOW_POLL_MS = 15_000
/** Card payments are confirmed within this time after the return; bank transfers take days, so polling slows down after it. */
const FAST_POLLING_MS = 120_000

type Props = { product: Product; sinceMs: number; isFinished: boolean; onArrived: () => void }

export function CheckoutReturn({ product, sinceMs, isFinished, onArrived }: Props) {
  const { data: transaction, error } = useQuery({
    queryKey: ['plans', 'checkout-return', product.id, sinceMs],
    queryFn: () => findPurchase(product, sinceMs),
    // `sinceMs` is when the checkout was created: 60 s more allow for the time that the user spends on its page.
    refetchInterval: ({ state: { data } }) =>
      data ? false : Date.now() - sinceMs < FAST_POLLING_MS + 60_000 ? POLL_MS : SLOW_POLL_MS,
    refetchIntervalInBackground: true,
  })
  const { data: current } = useQuery(balanceQuery)
  const hasArrived = Boolean(transaction)
  useEffect(() => {
    if (!hasArrived) return
    refreshQueries(['credit'])
    refreshQueries(['plans', 'subscription'])
    onArrived()
  }, [hasArrived, onArrived])
  return (
    <div role="status" className="panel">
      {transaction ? (
        <>
          <p>
            <span className="mark" data-kind="done">
              {t`${formatCredits(transaction.credits)} have arrived.`}
            </span>{' '}
            {current ? t`${formatNumber(current.available)} available.` : ''}
          </p>
          <div>
            <Link to="/" className={buttonClass('primary')}>
              {t`Make a film`}
            </Link>
          </div>
        </>
      ) : (
        <>
          <p>
            <span className="mark" data-kind={isFinished ? 'running' : 'none'}>
              {isFinished
                ? t`Credits arrive as soon as the payment is confirmed.`
                : t`The checkout was left without a payment that is known here.`}
            </span>
          </p>
          <p className="quiet">
            {isFinished
              ? t`${product.name}, ${formatCredits(product.credits)}. This page looks for them by itself, and you may leave it: they come all the same. A card takes moments, a bank transfer may take days.`
              : t`${product.name}, ${formatCredits(product.credits)}. If the card was declined or you turned back, nothing was bought; choose again below. If you did pay, the credits come by themselves.`}
          </p>
          {error ? <ErrorState error={error} /> : null}
        </>
      )}
    </div>
  )
}

/** The transaction of the purchase; null until it exists. */
async function findPurchase({ kind, credits: purchased }: Product, sinceMs: number) {
  const query = { transType: kind === 'pack' ? ('ORDER_PAY' as const) : ('SUBSCRIPTION' as const), pageSize: 10 }
  const { transactions } = await dataOf(kinora.GET('/api/v1/credit/history', { params: { query } }))
  return transactions.find((t) => t.credits === purchased && Date.parse(t.createdAt) >= sinceMs) ?? null
}
