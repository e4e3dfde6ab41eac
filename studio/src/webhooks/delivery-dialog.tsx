/** Dialog with one delivery: what was sent, what came back, and the button that sends it again. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Fact } from '../ui/fact.tsx'
import { formatDateTime } from '../ui/format.ts'
import { SentDialog } from '../ui/sent-dialog.tsx'
import { deliveryLabels, deliveryQuery, type Endpoint } from './queries.ts'
import styles from './webhooks.module.css'

type Props = { endpoint: Endpoint; deliveryId: string; onClose: () => void }

export function DeliveryDialog({ endpoint: { id, enabled }, deliveryId, onClose }: Props) {
  const query = useQuery(deliveryQuery(id, deliveryId))
  const { data } = query
  const redeliver = useSingleFlight({
    mutationFn: () =>
      dataOf(
        kinora.POST('/api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}/redeliver', {
          params: { path: { id, deliveryId } },
        }),
      ),
    onSuccess: async () => {
      await refreshQueries(['webhooks'])
      onClose()
    },
  })
  return (
    <SentDialog
      title={data?.type ?? t`Delivery`}
      query={query}
      copied={{ text: data?.request.body ?? '', label: t`Copy the request` }}
      retry={redeliver}
      retryButton={enabled && data ? 'enabled' : 'disabled'}
      onClose={onClose}
    >
      {data ? (
        <>
          <dl className="facts">
            <Fact name={t`State`}>{deliveryLabels[data.status].label}</Fact>
            <Fact name={t`Attempts`}>{data.attempts}</Fact>
            <Fact name={t`Last sent`}>{data.attemptedAt ? formatDateTime(data.attemptedAt) : null}</Fact>
            {data.nextAttemptAt ? <Fact name={t`Sent next`}>{formatDateTime(data.nextAttemptAt)}</Fact> : null}
            {data.error ? <Fact name={t`Why it failed`}>{data.error}</Fact> : null}
            <Fact name={t`Id`}>
              <code className={styles.wrapped}>{data.id}</code>
            </Fact>
          </dl>
          <section className="stack" aria-label={t`Request`}>
            <h3>{t`Request`}</h3>
            <pre className={styles.text}>{data.request.body}</pre>
          </section>
          {data.response ? (
            <section className="stack" aria-label={t`Response`}>
              <h3>{t`Response ${data.response.status}, ${data.response.durationMs} ms`}</h3>
              {data.response.body ? <pre className={styles.text}>{data.response.body}</pre> : null}
            </section>
          ) : null}
        </>
      ) : null}
    </SentDialog>
  )
}
