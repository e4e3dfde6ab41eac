/** Dialog that dismisses an unmatched or failed payment event, with a reason. A repeated request changes nothing. */
import { t } from '@lingui/core/macro'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { toast } from '../ui/toasts.tsx'
import { PaymentEventOutcome } from './payment-event-table.tsx'
import type { PaymentEvent } from './queries.ts'
import { ReasonForm } from './reason-form.tsx'

export function DismissPaymentEvent({ event, onClose }: { event: PaymentEvent; onClose: () => void }) {
  const dismiss = useSingleFlight({
    mutationKey: ['admin', 'dismiss', event.id],
    mutationFn: (reason: string) =>
      dataOf(
        kinora.POST('/api/v1/admin/payments/events/{id}/dismiss', {
          params: { path: { id: event.id } },
          body: { reason },
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
      <ReasonForm change={dismiss} submitLabel={t`Dismiss`} onCancel={onClose}>
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
      </ReasonForm>
    </Dialog>
  )
}
