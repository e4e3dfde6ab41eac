/** Deletes a user's account, or a team for good: confirmed by the typed address or name, with a reason. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, useFields } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { OwnerLink } from './owner-link.tsx'
import { type Owner, ownerName, refetchOwner } from './queries.ts'
import { ReasonField } from './reason-form.tsx'

export function DeleteOwner({ owner }: { owner: Owner }) {
  const [isOpen, setOpen] = useState(false)
  const isTeam = owner.email === undefined
  return (
    <section className="panel" aria-labelledby="delete-owner">
      <h2 id="delete-owner">{isTeam ? t`Delete the team` : t`Delete the account`}</h2>
      <p className="quiet">
        {isTeam
          ? t`Members lose it, films and images go; the record of credits and payments stays, without a name.`
          : t`Films, images and personal data go; the record of credits and payments stays, without a name.`}
      </p>
      <div className="row">
        <Button kind="danger" onClick={() => setOpen(true)}>
          {isTeam ? t`Delete team…` : t`Delete account…`}
        </Button>
      </div>
      {isOpen ? <DeleteDialog owner={owner} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

function DeleteDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const { id, email, name, credits, inProgress } = owner
  const isTeam = email === undefined
  const proof = email ?? name
  const { values, text } = useFields({ reason: '', typed: '' })
  const reason = values.reason.trim()
  const remove = useAction({
    mutationKey: ['admin', 'delete', id],
    send: async () => {
      const request = { params: { path: { id } }, body: { reason, owed: credits.owed } }
      await (isTeam
        ? dataOf(kinora.DELETE('/api/v1/admin/teams/{id}', request))
        : dataOf(kinora.DELETE('/api/v1/admin/users/{id}', request)))
    },
    refresh: () => refetchOwner(id),
    done: isTeam ? t`${name} is deleted.` : t`The account of ${email} is deleted.`,
    onDone: onClose,
  })
  const close = () => remove.isPending || onClose()
  return (
    <Dialog open onClose={close} title={isTeam ? t`Delete ${name}?` : t`Delete the account of ${ownerName(owner)}?`}>
      <ActionForm
        action={remove}
        onSubmit={() => remove.mutate()}
        submitLabel={isTeam ? t`Delete team` : t`Delete account`}
        kind="danger"
        isReady={reason !== '' && values.typed.trim().toLowerCase() === proof.toLowerCase()}
        onCancel={close}
        cancelLabel={t`Keep it`}
        isHeld
        detail={<LastOwnedTeams error={remove.error} />}
      >
        <p>
          {isTeam
            ? t`Deleted: memberships, invitations, keys and name at once; films, start images, prompts and the texts of payment events within minutes. Links to films stop working at once.`
            : t`Deleted: sessions, keys, name and e-mail address at once; films, start images, prompts and the texts of payment events within minutes. Links to films stop working at once.`}{' '}
          {inProgress > 0 ? t`Films that a provider has finish first.` : ''}
        </p>
        <p>
          {t`Stays: credits, history, payments and audit, under the id alone. ${formatCredits(credits.available)} can no longer be used. This cannot be undone.`}
        </p>
        {credits.owed > 0 ? (
          <p>
            {isTeam
              ? t`It owes ${formatCredits(credits.owed)} of payments that were returned; those owe them then who paid.`
              : t`${formatCredits(credits.owed)} of payments that were returned are owed, and are lost with the account.`}
          </p>
        ) : null}
        <ReasonField {...text('reason')} />
        <Field label={t`Type ${proof} to confirm`} required autoComplete="off" {...text('typed')} />
      </ActionForm>
    </Dialog>
  )
}

/** Links to the teams that keep a user from being deleted. */
function LastOwnedTeams({ error }: { error: KinoraError | null }) {
  const { teams = [] } =
    ((error?.code === 'CONFLICT' ? error.details : undefined) as { teams?: { id: string; name: string }[] }) ?? {}
  return teams.map(({ id, name }) => <OwnerLink key={id} of={{ userId: id, email: null, team: name }} />)
}
