/** Form that changes the user's name. */
import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, queryClient, sessionQuery } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

export function NameForm({ current }: { current: string }) {
  const router = useRouter()
  const [name, setName] = useState(current)
  const rename = useSingleFlight({
    mutationFn: (newName: string) => dataOf(kinora.POST('/api/auth/update-user', { body: { name: newName } })),
    onSuccess: async () => {
      await queryClient.refetchQueries(sessionQuery)
      await router.invalidate()
      toast({ text: t`Your name is changed.` })
    },
  })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate(name.trim())
      }}
    >
      <h3>{t`Name`}</h3>
      <Field
        label={t`Name`}
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={100}
        autoComplete="name"
      />
      {rename.error ? <ErrorState error={rename.error} /> : null}
      <Button type="submit" busy={rename.isPending} disabled={!name.trim() || name.trim() === current}>
        {t`Save name`}
      </Button>
    </form>
  )
}
