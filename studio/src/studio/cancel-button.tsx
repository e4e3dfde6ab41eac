/** Cancels a film in progress, in each state in which the service may be able to. */
import { t } from '@lingui/core/macro'
import { dataOf, kinora, queryClient, refreshVideos, taskQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { isFinal, type Status } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'

export const isCancellable = (status: Status): boolean => status === 'PENDING' || status === 'GENERATING'

export function CancelButton({ uuid, status }: { uuid: string; status: Status }) {
  const cancel = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/video/{uuid}/cancel', { params: { path: { uuid } } })),
    onSuccess: ({ message, ...task }) => {
      queryClient.setQueryData(taskQuery(uuid).queryKey, task)
      if (!isFinal(task.status)) return toast({ text: failureText(message) })
      // The button unmounts: a keyboard user would restart at the top of the page.
      document.querySelector<HTMLElement>('button[data-status][aria-current]')?.focus({ preventScroll: true })
    },
    // The usual refusals: the provider has finished, or cannot stop a film. The API's message is written for users.
    onError: (error) => toast({ text: error.message }),
    onSettled: () => refreshVideos(),
  })
  if (!isCancellable(status)) return null
  return (
    <Button busy={cancel.isPending} disabled={cancel.isSuccess} onClick={() => cancel.mutate()}>
      {cancel.isSuccess ? t`Stopping…` : t`Cancel`}
    </Button>
  )
}
