/** Dialog that dismisses an unmatched or failed payment event, with a reason. A repeated request changes nothing. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { PaymentEventOutcome } from './payment-event-table.tsx'
import type { PaymentEvent } from './queries.ts'
import { ReasonField } from './reason-field.tsx'

export function DismissPaymentEvent({ event, onClose }: { event: PaymentEvent; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const dismiss = useSingleFlight({
    mutationKey: ['admin', 'dismiss', event.id],
    mutationFn: () =>
      dataOf(
        kinora.POST('/api/v1/admin/payments/events/{id}/dismiss', {
          params: { path: { id: event.id } },
          body: { reason: reason.trim() },
        }),
      ),
    onSuccess: async () => {
      await refreshQueries(['admin'])
      toast({ text: t`The event ${event.externalId} is dismissed.` })
      onClose()
    },
  })
  const close = () => dismiss.isPending || onClose()
  return (
    <Dialog open onClose={close} title={t`Dismiss this event?`}>
      <form
        className="stack"
        onSubmit={(submit) => {
          submit.preventDefault()
          dismiss.mutate()
        }}
      >
        <div>
          <PaymentEventOutcome event={event} />
        </div>
        <dl className="facts">
          <Fact name={t`Event`}>
            {event.type} <code>{event.externalId}</code>
          </Fact>
        </dl>
        <p className="quiet">
          {t`No user gets credits for it, also when its user becomes known. It stays under Dismissed, where an administrator can still apply it.`}
        </p>
        <ReasonField value={reason} onChange={setReason} />
        {dismiss.error ? <ErrorState error={dismiss.error} /> : null}
        <div className="dialog-actions">
          <Button disabled={dismiss.isPending} onClick={close}>
            {t`Cancel`}
          </Button>
          <Button type="submit" kind="primary" busy={dismiss.isPending} disabled={!reason.trim()}>
            {t`Dismiss`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
