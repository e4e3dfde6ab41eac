/** Asks before an administrator ends what users could still use: a code, an invitation. */
import { t } from '@lingui/core/macro'
import { refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'

type Props = {
  title: string
  text: string
  submitLabel: string
  end: () => Promise<unknown>
  /** The list that it is in. */
  queryKey: string[]
  onClose: () => void
}

export function EndDialog({ title, text, submitLabel, end, queryKey, onClose }: Props) {
  const change = useSingleFlight({
    mutationFn: end,
    onSuccess: async () => {
      await refreshQueries(queryKey)
      onClose()
    },
  })
  return (
    <Dialog open title={title} onClose={onClose}>
      <p>{text}</p>
      {change.error ? <ErrorState error={change.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" busy={change.isPending} onClick={() => change.mutate()}>
          {submitLabel}
        </Button>
      </div>
    </Dialog>
  )
}
