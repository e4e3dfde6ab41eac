/** Removes a published film for ever, for an administrator, with the reason that its maker reads. */
import { t } from '@lingui/core/macro'
import { ReasonForm } from '../admin/reason-form.tsx'
import { dataOf, kinora, queryClient } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { toast } from '../ui/toasts.tsx'

export function RemoveForm({ id, onCancel, onDone }: { id: string; onCancel: () => void; onDone: () => void }) {
  const remove = useSingleFlight({
    mutationKey: ['explore', 'decide', id],
    mutationFn: (reason: string) =>
      dataOf(
        kinora.POST('/api/v1/admin/explore/{id}/decide', {
          params: { path: { id } },
          body: { removes: true, reason },
        }),
      ),
    onSuccess: async () => {
      onDone()
      toast({ text: t`The film is removed from Explore.` })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['explore'] }),
        queryClient.invalidateQueries({ queryKey: ['admin', 'explore'] }),
      ])
    },
  })
  return (
    <ReasonForm
      action={remove}
      onSubmit={(reason) => remove.mutate(reason)}
      submitLabel={t`Remove`}
      kind="danger"
      reasonHint={t`Kept in the audit; its maker reads it too.`}
      onCancel={onCancel}
    >
      <p>{t`It is gone from Explore at once and cannot be published again. Its maker keeps it in the library.`}</p>
    </ReasonForm>
  )
}
