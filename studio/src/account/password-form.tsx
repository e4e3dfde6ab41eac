/** Form that changes the password and revokes all other sessions, in case the old password was known to another person. */
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { dataOf, kinora, queryClient, replaceSession } from '../api.ts'
import { PASSWORD_HINT } from '../sign-in/auth-form.tsx'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null)
  const change = useSingleFlight({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      replaceSession(() =>
        dataOf(kinora.POST('/api/auth/change-password', { body: { ...body, revokeOtherSessions: true } })),
      ),
    onSuccess: async () => {
      form.current?.reset()
      await queryClient.invalidateQueries({ queryKey: ['session'] })
      toast({ text: t`Your password is changed, and you are signed out everywhere else.` })
    },
  })
  const isCurrentWrong = change.error?.authCode === 'INVALID_PASSWORD'
  const isNewRefused = change.error?.authCode?.startsWith('PASSWORD_') ?? false
  return (
    <form
      className="panel"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = new FormData(event.currentTarget)
        change.mutate({ currentPassword: String(fields.get('current')), newPassword: String(fields.get('new')) })
      }}
    >
      <h3>{t`Password`}</h3>
      <Field
        label={t`Current password`}
        name="current"
        type="password"
        required
        autoComplete="current-password"
        error={isCurrentWrong ? change.error?.message : undefined}
      />
      <Field
        label={t`New password`}
        name="new"
        type="password"
        required
        minLength={10}
        maxLength={128}
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        error={isNewRefused ? change.error?.message : undefined}
      />
      {change.error && !isCurrentWrong && !isNewRefused ? <ErrorState error={change.error} /> : null}
      <Button type="submit" busy={change.isPending}>
        {t`Change password`}
      </Button>
    </form>
  )
}
