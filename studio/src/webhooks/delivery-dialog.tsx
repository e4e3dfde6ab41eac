/** Dialog with one delivery: what was sent, what came back, and the button that sends it again. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatDateTime } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { deliveryLabels, deliveryQuery, type Endpoint } from './queries.ts'
import styles from './webhooks.module.css'

type Props = { endpoint: Endpoint; deliveryId: string; onClose: () => void }

export function DeliveryDialog({ endpoint: { id, enabled }, deliveryId, onClose }: Props) {
  const { data, error, isPending } = useQuery(deliveryQuery(id, deliveryId))
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
    <Dialog open onClose={onClose} title={data?.type ?? t`Delivery`}>
      {isPending ? (
        <LoadingState>
          <SkeletonBlock height="160px" />
        </LoadingState>
      ) : null}
      {error && !data ? <ErrorState error={error} /> : null}
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
      {redeliver.error ? <ErrorState error={redeliver.error} /> : null}
      <div className="dialog-actions">
        <CopyButton text={data?.request.body ?? ''} label={t`Copy the request`} />
        <Button busy={redeliver.isPending} disabled={!enabled || !data} onClick={() => redeliver.mutate()}>
          {t`Send again`}
        </Button>
        <Button onClick={onClose}>{t`Done`}</Button>
      </div>
    </Dialog>
  )
}
