/** Deletes a user's account, which cannot be undone: confirmed by the typed e-mail address, with a reason for the audit log. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { refetchOwner, type UserDetail } from './queries.ts'
import { ReasonField } from './reason-field.tsx'

export function DeleteUser({ user }: { user: UserDetail }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel" aria-labelledby="delete-user">
      <h2 id="delete-user">{t`Delete the account`}</h2>
      <p className="quiet">
        {t`Films, images and personal data go; the record of credits and payments stays, without a name.`}
      </p>
      <div className="row">
        <Button kind="danger" onClick={() => setOpen(true)}>
          {t`Delete account …`}
        </Button>
      </div>
      {isOpen ? <DeleteDialog user={user} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

function DeleteDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { id, email, credits, inProgress } = user
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const remove = useSingleFlight({
    mutationKey: ['admin', 'delete', id],
    mutationFn: async () => {
      const body = { reason: reason.trim() }
      await dataOf(kinora.DELETE('/api/v1/admin/users/{id}', { params: { path: { id } }, body }))
      await refetchOwner(id)
    },
    onSuccess: () => {
      toast({ text: t`The account of ${email} is deleted.` })
      onClose()
    },
  })
  const close = () => remove.isPending || onClose()
  return (
    <Dialog open onClose={close} title={t`Delete the account of ${user.name || email}?`}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate()
        }}
      >
        <p>
          {t`Deleted: sessions, keys, name and e-mail address at once; films, start images, prompts and the texts of payment events within minutes. Links to films stop working at once.`}{' '}
          {inProgress > 0 ? t`Films that a provider has finish first.` : ''}
        </p>
        <p>
          {t`Stays: credits, history, payments and audit, under the id alone. ${formatCredits(credits.available)} can no longer be used. This cannot be undone.`}
        </p>
        <ReasonField value={reason} onChange={setReason} />
        <Field
          label={t`Type ${email} to confirm`}
          required
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {remove.error ? <ErrorState error={remove.error} /> : null}
        <div className="dialog-actions">
          <Button disabled={remove.isPending} onClick={close}>
            {t`Keep it`}
          </Button>
          <Button
            type="submit"
            kind="danger"
            busy={remove.isPending}
            disabled={!reason.trim() || typed.trim().toLowerCase() !== email.toLowerCase()}
          >
            {t`Delete account`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
