/**
 * Dialog that applies an unmatched, failed or dismissed payment event: select the user (required for an unmatched event), preview the
 * effects, apply. The endpoint is idempotent, so a retry after a lost response does not apply the event twice.
 */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { PaymentEventOutcome } from './payment-event-table.tsx'
import type { PaymentEvent, User } from './queries.ts'
import { UserPicker } from './user-picker.tsx'

export function ApplyPaymentEvent({ event, onClose }: { event: PaymentEvent; onClose: () => void }) {
  const [user, setUser] = useState<User | null>(null)
  const [isPreview, setPreview] = useState(false)
  const apply = useSingleFlight({
    mutationKey: ['admin', 'apply', event.id],
    mutationFn: () =>
      dataOf(
        kinora.POST('/api/v1/admin/payments/events/{id}/apply', {
          params: { path: { id: event.id } },
          body: user ? { userId: user.id } : {},
        }),
      ),
    onSuccess: async () => {
      await refreshQueries(['admin'])
      refreshQueries(['credit'])
      toast({ text: t`The event ${event.externalId} is applied.` })
      onClose()
    },
  })
  const close = () => apply.isPending || onClose()
  if (isPreview)
    return (
      <Dialog open onClose={close} title={t`This will be applied`}>
        <Preview event={event} user={user} />
        {apply.error ? <ErrorState error={apply.error} /> : null}
        <div className="dialog-actions">
          <Button disabled={apply.isPending} onClick={() => setPreview(false)}>
            {t`Back`}
          </Button>
          <Button kind="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
            {t`Apply`}
          </Button>
        </div>
      </Dialog>
    )
  const isUserOptional = event.state !== 'unmatched'
  return (
    <Dialog open onClose={close} title={isUserOptional ? t`Apply it again` : t`Whose payment is it?`}>
      <div>
        <PaymentEventOutcome event={event} />
      </div>
      {isUserOptional ? (
        <p className="quiet">
          {t`The event is read again with today’s catalogue. Choose a user only when the event does not name one.`}
        </p>
      ) : null}
      <UserPicker selected={user} onSelect={setUser} />
      <div className="dialog-actions">
        <Button onClick={close}>{t`Cancel`}</Button>
        <Button
          kind="primary"
          disabled={!user && !isUserOptional}
          onClick={() => {
            apply.reset()
            setPreview(true)
          }}
        >
          {t`Preview`}
        </Button>
      </div>
    </Dialog>
  )
}

function Preview({ event, user }: { event: PaymentEvent; user: User | null }) {
  return (
    <>
      {event.effects.length > 0 ? (
        <ul className="stack">
          {event.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      ) : (
        <p>{event.state !== 'unmatched' ? t`Nothing yet: ${event.reason ?? ''}` : t`It moves no credits itself.`}</p>
      )}
      {user ? (
        <p>
          {t`To ${user.name || user.email}, who has ${formatCredits(user.credits.available)} now. Events that waited for this one follow it.`}
        </p>
      ) : (
        <p>{t`To the user whom the event names. Events that waited for this one follow it.`}</p>
      )}
      <dl className="facts">
        {user ? <Fact name={t`E-mail`}>{user.email}</Fact> : null}
        <Fact name={t`Event`}>
          {event.type} <code>{event.externalId}</code>
        </Fact>
      </dl>
    </>
  )
}
