/** Deletes the account, which cannot be undone: confirmed by the typed e-mail address and the password. */
import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, endSession, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { DeletionForm } from './deletion-form.tsx'

export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel" aria-labelledby="delete-account">
      <h3 id="delete-account">{t`Leave ${site.name}`}</h3>
      <p className="quiet">{t`Your films, images and personal data are deleted, and remaining credits are lost.`}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t`Delete account…`}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t`Delete your account?`}>
        <DeleteForm email={email} hasPassword={hasPassword} onClose={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

type Props = { email: string; hasPassword: boolean; onClose: () => void }

function DeleteForm({ email, hasPassword, onClose }: Props) {
  const router = useRouter()
  const remove = useSingleFlight({
    mutationFn: (body: { password?: string; owed?: number }) =>
      endSession(() => dataOf(kinora.DELETE('/api/v1/account', { body }))),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' })
      toast({ text: t`Your account is deleted.` })
    },
  })
  return (
    <DeletionForm
      name={email}
      isName={(typed) => typed.toLowerCase() === email.toLowerCase()}
      hasPassword={hasPassword}
      submitLabel={t`Delete account`}
      remove={remove}
      onCancel={onClose}
    >
      {t`You are signed out everywhere, and your keys and links to films stop working. Films in progress finish first. The record of credits and payments stays, without your name. This cannot be undone.`}
    </DeletionForm>
  )
}
