/** Confirmation dialog of an API key's deletion, which cannot be undone and breaks every client that uses the key. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { dataOf, kinora, queryClient } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

/** `madeBy`, `suspendedAt` and `endsAt`: of a team’s key. */
export type ApiKey = Schemas['ApiKey'] & Partial<Pick<Schemas['TeamKey'], 'madeBy' | 'suspendedAt' | 'endsAt'>>

/** @param props.apiKey null: the dialog is closed */
export function DeleteKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const remove = useSingleFlight({
    mutationFn: (keyId: string): Promise<unknown> =>
      chosenTeam()
        ? dataOf(kinora.DELETE('/api/v1/team/keys/{id}', { params: { path: { id: keyId } } }))
        : dataOf(kinora.POST('/api/auth/api-key/delete', { body: { keyId } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast({ text: t`The key ${apiKey?.name ?? ''} is deleted.` })
      onClose()
    },
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <Dialog open={apiKey !== null} onClose={close} title={t`Delete the key ${apiKey?.name ?? ''}?`}>
      <p>{t`Every program that uses it is refused within a second. This cannot be undone.`}</p>
      {remove.error ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>{t`Keep it`}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => apiKey && remove.mutate(apiKey.id)}>
          {t`Delete key`}
        </Button>
      </div>
    </Dialog>
  )
}
