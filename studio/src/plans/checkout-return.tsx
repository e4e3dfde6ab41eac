/**
 * Back from the checkout: waits for the credits of what was bought. The rule: only a row of the history counts; that
 * somebody came back from a page of the processor says nothing.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { balanceQuery, dataOf, kinora, refreshQueries } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import type { Product } from './pricing.ts'

const OFTEN_MS = 2_000
const SELDOM_MS = 15_000
/** Long enough for every card; a bank may take days, and nobody looks at a page for days. */
const OFTEN_FOR_MS = 120_000

export function Arrival({ product, sinceMs }: { product: Product; sinceMs: number }) {
  const { data: row, error } = useQuery({
    queryKey: ['plans', 'arrival', product.id, sinceMs],
    queryFn: () => arrived(product, sinceMs),
    refetchInterval: ({ state: { data } }) =>
      data ? false : Date.now() - sinceMs < OFTEN_FOR_MS + 60_000 ? OFTEN_MS : SELDOM_MS,
    refetchIntervalInBackground: true,
  })
  const { data: now } = useQuery(balanceQuery)
  const isThere = Boolean(row)
  useEffect(() => {
    if (!isThere) return
    refreshQueries(['credit'])
    refreshQueries(['plans', 'subscription'])
  }, [isThere])
  return (
    <div role="status" className="panel">
      {row ? (
        <>
          <p>
            <span className="mark" data-kind="done">
              {formatCredits(row.credits)} have arrived.
            </span>{' '}
            {now ? `${formatNumber(now.available)} available.` : ''}
          </p>
          <div>
            <Link to="/" className={buttonClass('primary')}>
              Make a film
            </Link>
          </div>
        </>
      ) : (
        <>
          <p>
            <span className="mark" data-kind="running">
              Credits arrive as soon as the payment is confirmed.
            </span>
          </p>
          <p className="quiet">
            {product.name}, {formatCredits(product.credits)}. This page looks for them by itself, and you may leave it:
            they come all the same. A card takes moments, a bank transfer may take days.
          </p>
          {error ? <ErrorState error={error} /> : null}
        </>
      )}
    </div>
  )
}

/** The row that the purchase made, or null as long as there is none. */
async function arrived({ kind, credits: bought }: Product, sinceMs: number) {
  const query = { transType: kind === 'pack' ? ('ORDER_PAY' as const) : ('SUBSCRIPTION' as const), pageSize: 10 }
  const { transactions } = await dataOf(kinora.GET('/api/v1/credit/history', { params: { query } }))
  const isIt = (row: (typeof transactions)[number]) => row.credits === bought && Date.parse(row.createdAt) >= sinceMs
  return transactions.find(isIt) ?? null
}
