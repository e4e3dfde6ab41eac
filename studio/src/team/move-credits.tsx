/** Moves the user's own credits into the team. A request keeps its idempotency key until confirmed. */

import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogSkeleton } from '../ui/dialog.tsx'
import { NumberField, useFields } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'

const movableQuery = queryOptions({
  queryKey: ['team', 'movable'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/credits')),
})

export function MoveCredits({ team }: { team: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t`Move credits…`}</Button>
      <Dialog open={isOpen} onClose={close} title={t`Move own credits into ${team}`}>
        <MoveForm team={team} onClose={close} />
      </Dialog>
    </>
  )
}

function MoveForm({ team, onClose }: { team: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(movableQuery)
  const { values, text } = useFields({ amount: '' })
  const { keyOf, settle } = useIdempotencyKeys()
  const move = useSingleFlight({
    mutationFn: async (credits: number) => {
      const params = { header: { 'idempotency-key': keyOf(`${credits}`) } }
      const moved = await dataOf(kinora.POST('/api/v1/team/credits', { params, body: { credits } }))
      settle(`${credits}`)
      return moved
    },
    onSettled: () => Promise.all([refreshQueries(['team']), refreshQueries(['credit'])]),
    onSuccess: ({ credits }) => {
      toast({ text: t`${formatCredits(credits)} moved into ${team}.` })
      onClose()
    },
  })
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <DialogSkeleton height="120px" />
  if (data.movable === 0)
    return (
      <p>
        {data.owed > 0
          ? t`You owe ${formatCredits(data.owed)} of payments that were returned; nothing can be moved until they are paid.`
          : t`You have no credits that can be moved. The welcome gift stays with you, as do credits of a payment that is being returned.`}
      </p>
    )
  return (
    <ActionForm
      action={move}
      onSubmit={() => move.mutate(Number(values.amount))}
      submitLabel={t`Move`}
      isReady={values.amount !== ''}
      onCancel={onClose}
    >
      <p>{t`They keep their expiry, and every member may spend them. They cannot be moved back.`}</p>
      <NumberField
        label={t`Credits`}
        hint={t`You can move up to ${formatCredits(data.movable)}. The welcome gift stays with you.`}
        max={data.movable}
        required
        {...text('amount')}
      />
    </ActionForm>
  )
}
