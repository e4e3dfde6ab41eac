/** The form that changes the password; whoever knew the old one is signed out everywhere else. */
import { useRef } from 'react'
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

export function Password() {
  const form = useRef<HTMLFormElement>(null)
  const change = useSingleFlight({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      dataOf(kinora.POST('/api/auth/change-password', { body: { ...body, revokeOtherSessions: true } })),
    onSuccess: async () => {
      form.current?.reset()
      await queryClient.invalidateQueries({ queryKey: ['session'] })
      toast({ text: 'Your password is changed, and you are signed out everywhere else.' })
    },
  })
  const isWrong = change.error?.authCode === 'INVALID_PASSWORD'
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
      <h2>Password</h2>
      <Field
        label="Current password"
        name="current"
        type="password"
        required
        autoComplete="current-password"
        error={isWrong ? change.error?.message : undefined}
      />
      <Field
        label="New password"
        name="new"
        type="password"
        required
        minLength={8}
        maxLength={128}
        autoComplete="new-password"
        hint="At least 8 characters."
      />
      {change.error && !isWrong ? <ErrorState error={change.error} /> : null}
      <Button type="submit" busy={change.isPending}>
        Change password
      </Button>
    </form>
  )
}
