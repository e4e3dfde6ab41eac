/** Dialog that changes the role and the budget of a member, or removes the member. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries, TEAMS_KEY } from '../api.ts'
import { type Period, periodOptions } from '../keys/key-limits.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, LabelledControl } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { GivenList } from './given.tsx'
import type { Member } from './queries.ts'
import { RoleField } from './role-field.tsx'

type Props = { member: Member; isOwner: boolean; onClose: () => void }

export function MemberDialog({ member, isOwner, onClose }: Props) {
  const [isRemoving, setRemoving] = useState(false)
  return isRemoving ? (
    <RemoveDialog member={member} onClose={onClose} />
  ) : (
    <ChangeDialog member={member} isOwner={isOwner} onClose={onClose} onRemove={() => setRemoving(true)} />
  )
}

/** A member may change the own role too. */
const refresh = () => Promise.all([refreshQueries(['team']), refreshQueries([TEAMS_KEY])])

function ChangeDialog({ member, isOwner, onClose, onRemove }: Props & { onRemove: () => void }) {
  const { user } = useSignedIn()
  const maySetBudget = isOwner || member.userId !== user.id
  const [role, setRole] = useState(member.role)
  const [takeOver, setTakeOver] = useState<string[]>([])
  const [credits, setCredits] = useState(String(member.budget?.credits ?? ''))
  const [period, setPeriod] = useState<Period>(member.budget?.period ?? 'month')
  const save = useSingleFlight({
    mutationFn: () =>
      dataOf(
        kinora.PATCH('/api/v1/team/members/{id}', {
          params: { path: { id: member.userId } },
          body: {
            role,
            takeOver,
            ...(maySetBudget && { budget: credits ? { credits: Number(credits), period } : null }),
          },
        }),
      ),
    onSettled: refresh,
    onSuccess: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={member.name}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <RoleField
          role={role}
          isOwner={isOwner}
          onChange={(next) => {
            setRole(next)
            setTakeOver([])
          }}
        />
        {role === member.role ? null : (
          <GivenList userId={member.userId} newRole={role} taken={takeOver} onTake={setTakeOver} />
        )}
        {maySetBudget ? (
          <>
            <Field
              label={t`Budget in credits`}
              type="number"
              min={1}
              max={1_000_000_000}
              step={1}
              value={credits}
              onChange={({ target }) => setCredits(target.value)}
              placeholder={t`No limit`}
            />
            <LabelledControl
              label={t`For`}
              control={(props) => (
                <select {...props} value={period} onChange={({ target }) => setPeriod(target.value as Period)}>
                  {periodOptions.map((option) => (
                    <option key={option.period} value={option.period}>
                      {option.label}
                    </option>
                  ))}
                </select>
              )}
            />
          </>
        ) : (
          <p className="quiet">{t`Your own budget is set by another admin or an owner.`}</p>
        )}
        {save.error ? <ErrorState error={save.error} /> : null}
        <div className="dialog-actions">
          <Button kind="danger" onClick={onRemove}>{t`Remove…`}</Button>
          <Button type="submit" kind="primary" busy={save.isPending}>{t`Save`}</Button>
        </div>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ member: { userId, name }, onClose }: Omit<Props, 'isOwner'>) {
  const [takeOver, setTakeOver] = useState<string[]>([])
  const remove = useSingleFlight({
    mutationFn: () =>
      dataOf(kinora.DELETE('/api/v1/team/members/{id}', { params: { path: { id: userId } }, body: { takeOver } })),
    onSettled: refresh,
    onSuccess: () => {
      toast({ text: t`${name} is not a member any more.` })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={t`Remove ${name}?`}>
      <p>{t`Access ends within a second. The films stay with the team.`}</p>
      <GivenList userId={userId} newRole={null} taken={takeOver} onTake={setTakeOver} />
      {remove.error ? <ErrorState error={remove.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Keep the member`}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Remove`}
        </Button>
      </div>
    </Dialog>
  )
}
