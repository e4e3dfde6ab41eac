/** What can be done with an endpoint: send a test, turn it on or off, give it a new secret, send again what failed, delete it. */
import { plural, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { type Endpoint, endpointsQuery } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'
import styles from './webhooks.module.css'

const DAY_MS = 86_400_000
const RECOVER_DAYS = 7

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { id, enabled } = endpoint
  const params = { path: { id } }
  // A failure refreshes too: the endpoint may have been changed or deleted elsewhere.
  const refresh = () => refreshQueries(['webhooks'])
  const test = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/test', { params })),
    onSettled: refresh,
  })
  const turn = useSingleFlight({
    mutationFn: () => dataOf(kinora.PATCH('/api/v1/webhook/endpoints/{id}', { params, body: { enabled: !enabled } })),
    onSettled: refresh,
  })
  const rotate = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/rotate', { params })),
    onSettled: refresh,
  })
  const recover = useSingleFlight({
    mutationFn: () => {
      const since = new Date(Date.now() - RECOVER_DAYS * DAY_MS).toISOString()
      return dataOf(kinora.POST('/api/v1/webhook/endpoints/{id}/recover', { params, body: { since } }))
    },
    onSettled: refresh,
    onSuccess: ({ deliveries }) => {
      toast({
        text:
          deliveries === 0
            ? t`Nothing has failed.`
            : plural(deliveries, { one: '# is sent again.', other: '# are sent again.' }),
      })
    },
  })
  const [isDeleting, setDeleting] = useState(false)
  const error = latestError(test, turn, rotate, recover)
  return (
    <section className="panel" aria-label={t`Actions`}>
      {error ? <ErrorState error={error} /> : null}
      <div className={styles.actions}>
        <Button kind="primary" busy={test.isPending} disabled={!enabled} onClick={() => test.mutate()}>
          {t`Send a test`}
        </Button>
        <Button
          title={t`What failed in the last ${RECOVER_DAYS} days`}
          busy={recover.isPending}
          disabled={!enabled}
          onClick={() => recover.mutate()}
        >
          {t`Send failed again`}
        </Button>
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          {enabled ? t`Turn off` : t`Turn on`}
        </Button>
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          {t`New secret`}
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t`Delete`}
        </Button>
      </div>
      <SecretDialog secret={rotate.data?.secret} isRotated onClose={rotate.reset} />
      {isDeleting ? <DeleteDialog endpoint={endpoint} onClose={() => setDeleting(false)} /> : null}
    </section>
  )
}

function DeleteDialog({ endpoint: { id, url }, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/webhook/endpoints/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' })
      // The page may still be there: a refetch of the deleted endpoint would fail with 404.
      await queryClient.invalidateQueries({ queryKey: ['webhooks', id], refetchType: 'none' })
      await refreshQueries(endpointsQuery.queryKey, { exact: true })
      toast({ text: t`The endpoint is deleted.` })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t`Delete this endpoint?`}>
      <p className={styles.wrapped}>
        {t`${url} gets nothing any more, and its deliveries cannot be read. This cannot be undone.`}
      </p>
      {remove.error ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Keep it`}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Delete endpoint`}
        </Button>
      </div>
    </Dialog>
  )
}
