/** Deletes the account, which cannot be undone: confirmed by the typed e-mail address and the password. */
import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, endSession, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { CurrentPasswordField } from '../ui/password-field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel" aria-labelledby="delete-account">
      <h3 id="delete-account">{t`Leave ${site.name}`}</h3>
      <p className="quiet">{t`Your films, images and personal data are deleted, and remaining credits are lost.`}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t`Delete account …`}
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
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const remove = useSingleFlight({
    mutationFn: () =>
      endSession(() => dataOf(kinora.DELETE('/api/v1/account', { body: hasPassword ? { password } : {} }))),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' })
      toast({ text: t`Your account is deleted.` })
    },
  })
  const isPasswordWrong = remove.error?.code === 'INVALID_REQUEST'
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate()
      }}
    >
      <p>
        {t`You are signed out everywhere, and your keys and links to films stop working. Films in progress finish first. The record of credits and payments stays, without your name. This cannot be undone.`}
      </p>
      <Field
        label={t`Type ${email} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        required
      />
      {hasPassword ? (
        <CurrentPasswordField
          value={password}
          onChange={setPassword}
          error={isPasswordWrong ? remove.error?.message : undefined}
        />
      ) : null}
      {remove.error && !isPasswordWrong ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Keep it`}</Button>
        <Button
          type="submit"
          kind="danger"
          busy={remove.isPending}
          disabled={typed.trim().toLowerCase() !== email.toLowerCase() || (hasPassword && !password)}
        >
          {t`Delete account`}
        </Button>
      </div>
    </form>
  )
}
