/** Asks before a key is deleted: what uses it stops working, and there is no undo. */
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import type { Key } from './api-keys-page.tsx'

export function DeleteKey({ of, onClose }: { of: Key | null; onClose: () => void }) {
  const remove = useSingleFlight({
    mutationFn: (keyId: string) => dataOf(kinora.POST('/api/auth/api-key/delete', { body: { keyId } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast({ text: `The key ${of?.name ?? ''} is deleted.` })
      onClose()
    },
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <Dialog open={of !== null} onClose={close} title={`Delete the key ${of?.name ?? ''}?`}>
      <p>Every program that uses it is refused within 5 seconds. This cannot be undone.</p>
      {remove.error ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>Keep it</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => of && remove.mutate(of.id)}>
          Delete key
        </Button>
      </div>
    </Dialog>
  )
}
