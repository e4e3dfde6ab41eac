/** Invoices and receipts, read from the processors on request, and the portals with company, tax id and address. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { formatDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { money } from './pricing.ts'
import { useProcessorRedirect } from './processor-redirect.ts'

type Document = Schemas['PaymentDocument']

export function Documents() {
  const [isShown, setShown] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['plans', 'documents'],
    queryFn: () => dataOf(kinora.GET('/api/v1/billing/invoices')),
    enabled: isShown,
  })
  const processors = [...new Set(data?.invoices.map(({ processor }) => processor))]
  return (
    <section className="stack" aria-labelledby="documents">
      <h2 id="documents">{t`Invoices and receipts`}</h2>
      {error ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {data ? (
        <>
          {data.invoices.length === 0 ? <p className="quiet">{t`Nothing has been bought yet.`}</p> : null}
          <ul className="stack">
            {data.invoices.map((each) => (
              <DocumentLine key={each.id} document={each} />
            ))}
          </ul>
          {processors.map((processor) => (
            <PortalButton key={processor} processor={processor} isOnly={processors.length === 1} />
          ))}
        </>
      ) : (
        <div>
          <Button busy={isShown && isFetching} onClick={() => setShown(true)}>
            {t`Show invoices and receipts`}
          </Button>
        </div>
      )}
    </section>
  )
}

function DocumentLine({
  document: { number, createdAt, amount, currency, status, url, pdfUrl },
}: {
  document: Document
}) {
  const day = formatDate(createdAt)
  const states: Record<string, string> = { open: t`open`, void: t`void`, refunded: t`refunded` }
  const facts = [day, money(amount, currency), number, states[status]].filter(Boolean).join(' · ')
  return (
    <li>
      {facts}{' '}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {t`Open`}
          <span className="hidden-text"> {t`the document of ${day}`}</span>
        </a>
      ) : null}{' '}
      {pdfUrl ? (
        <a href={pdfUrl} target="_blank" rel="noreferrer">
          {t`PDF`}
          <span className="hidden-text"> {t`of ${day}`}</span>
        </a>
      ) : null}
    </li>
  )
}

function PortalButton({ processor, isOnly }: { processor: Document['processor']; isOnly: boolean }) {
  const portal = useProcessorRedirect(() =>
    dataOf(kinora.POST('/api/v1/billing/portal', { params: { query: { processor } } })),
  )
  return (
    <div className="stack">
      <p className="quiet">
        {t`Company, tax id, address and older documents are in the portal of the payment processor.`}
      </p>
      <div>
        <Button busy={portal.isPending} onClick={() => portal.mutate(undefined)}>
          {isOnly ? t`Open the portal` : t`Open the portal of ${processor}`}
        </Button>
      </div>
      {portal.error ? <ErrorState error={portal.error} /> : null}
    </div>
  )
}
