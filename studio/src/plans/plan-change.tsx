/** What a change to another plan would cost, and the way to the processor's page that makes it. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { formatDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { money, type Product, periodText } from './pricing.ts'
import { useProcessorRedirect } from './processor-redirect.ts'

export function PlanChange({ product }: { product: Product }) {
  const { id: plan, name, price } = product
  const [isAsked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['plans', 'preview', plan],
    queryFn: () => dataOf(kinora.GET('/api/v1/billing/preview', { params: { query: { plan } } })),
    enabled: isAsked,
    staleTime: 60_000,
  })
  const portal = useProcessorRedirect(() =>
    dataOf(kinora.POST('/api/v1/billing/portal', { params: { query: { plan } } })),
  )
  if (!data)
    return (
      <div className="stack">
        <Button busy={isAsked && isFetching} onClick={() => (isAsked ? refetch() : setAsked(true))}>
          {t`What would it cost?`}
          <span className="hidden-text"> {t`to change to ${name}`}</span>
        </Button>
        {error ? <ErrorState error={error} /> : null}
      </div>
    )
  const later = `${money(price.cents, price.currency)} ${periodText(product)}`
  return (
    <div className="stack">
      <p role="status">
        {data.preview ? costText(data.preview) : t`The next page shows the cost before you confirm.`}{' '}
        {t`After that: ${later}, and taxes.`}
      </p>
      <Button busy={portal.isPending} onClick={() => portal.mutate(undefined)}>
        {t`Change the plan`}
        <span className="hidden-text"> {t`to ${name}`}</span>
      </Button>
      {portal.error ? <ErrorState error={portal.error} /> : null}
    </div>
  )
}

type Preview = { amount: number; credited: number; currency: string; at: string }

const SOON_MS = 3600_000

function costText({ amount, credited, currency, at }: Preview): string {
  const [due, kept] = [money(amount, currency), money(credited, currency)]
  if (credited > 0 && amount === 0) return t`Nothing is due: ${kept} stay at the processor and pay later invoices.`
  const day = formatDate(at)
  return Date.parse(at) - Date.now() < SOON_MS ? t`Due at once: ${due}.` : t`Due on ${day}: ${due}.`
}
