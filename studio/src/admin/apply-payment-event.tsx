/**
 * Applies an event that did nothing so far: for an unmatched one somebody is chosen first, and what will be applied to
 * whom is said before it is. The service applies an event once, so it may be pressed again after an answer was lost.
 */
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { What } from './payment-event-table.tsx'
import type { PaymentEvent, User } from './queries.ts'
import { ChooseUser } from './user-picker.tsx'

export function ApplyEvent({ event, onClose }: { event: PaymentEvent; onClose: () => void }) {
  const [to, setTo] = useState<User | null>(null)
  const [preview, setPreview] = useState(false)
  const apply = useSingleFlight({
    mutationKey: ['admin', 'apply', event.id],
    mutationFn: () =>
      dataOf(
        kinora.POST('/api/v1/admin/payments/events/{id}/apply', {
          params: { path: { id: event.id } },
          body: to ? { userId: to.id } : {},
        }),
      ),
    onSuccess: async () => {
      await refreshQueries(['admin'])
      refreshQueries(['credit'])
      toast({ text: `The event ${event.externalId} is applied.` })
      onClose()
    },
  })
  const close = () => apply.isPending || onClose()
  if (preview)
    return (
      <Dialog open onClose={close} title="This will be applied">
        <Preview event={event} to={to} />
        {apply.error ? <ErrorState error={apply.error} /> : null}
        <div className="dialog-actions">
          <Button disabled={apply.isPending} onClick={() => setPreview(false)}>
            Back
          </Button>
          <Button kind="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
            Apply
          </Button>
        </div>
      </Dialog>
    )
  const mayDoWithout = event.state === 'failed'
  return (
    <Dialog open onClose={close} title={mayDoWithout ? 'Apply it again' : 'Whose payment is it?'}>
      <div>
        <What event={event} />
      </div>
      {mayDoWithout ? (
        <p className="quiet">
          It is read again with today’s catalogue. Choose somebody only when the event does not say whose it is.
        </p>
      ) : null}
      <ChooseUser chosen={to} onChoose={setTo} />
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button
          kind="primary"
          disabled={!to && !mayDoWithout}
          onClick={() => {
            apply.reset()
            setPreview(true)
          }}
        >
          Preview
        </Button>
      </div>
    </Dialog>
  )
}

function Preview({ event, to }: { event: PaymentEvent; to: User | null }) {
  return (
    <>
      {event.effects.length > 0 ? (
        <ul className="stack">
          {event.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      ) : (
        <p>{event.state === 'failed' ? `Nothing yet: ${event.reason}` : 'It moves no credits itself.'}</p>
      )}
      {to ? (
        <p>
          To {to.name || to.email}, who has {formatCredits(to.credits.available)} now. Events that waited for this one
          follow it.
        </p>
      ) : (
        <p>To whoever the event names. Events that waited for this one follow it.</p>
      )}
      <dl className="facts">
        {to ? <Fact name="E-mail">{to.email}</Fact> : null}
        <Fact name="Event">
          {event.type} <code>{event.externalId}</code>
        </Fact>
      </dl>
    </>
  )
}
