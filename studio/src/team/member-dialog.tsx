/** Dialog that changes the role and the budget of a member, or removes the member. */

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries, TEAMS_KEY } from '../api.ts'
import { type Period, periodOptions } from '../keys/key-limits.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionDialog, ActionForm } from '../ui/action-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LabelledControl, NumberField } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
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
      <ActionForm
        action={save}
        onSubmit={() => save.mutate()}
        submitLabel={t`Save`}
        cancelLabel={t`Remove…`}
        cancelKind="danger"
        onCancel={onRemove}
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
            <NumberField
              label={t`Budget in credits`}
              max={1_000_000_000}
              placeholder={t`No limit`}
              value={credits}
              onChange={({ target }) => setCredits(target.value)}
            />
            <LabelledControl
              label={t`For`}
              control={(props) => (
                <Select
                  {...props}
                  value={period}
                  options={periodOptions}
                  onSelect={(next = 'month') => setPeriod(next)}
                />
              )}
            />
          </>
        ) : (
          <p className="quiet">{t`Your own budget is set by another admin or an owner.`}</p>
        )}
      </ActionForm>
    </Dialog>
  )
}

function RemoveDialog({ member: { userId, name }, onClose }: Omit<Props, 'isOwner'>) {
  const [takeOver, setTakeOver] = useState<string[]>([])
  const params = { path: { id: userId } }
  return (
    <ActionDialog
      title={t`Remove ${name}?`}
      submitLabel={t`Remove`}
      kind="danger"
      cancelLabel={t`Keep the member`}
      send={() => dataOf(kinora.DELETE('/api/v1/team/members/{id}', { params, body: { takeOver } }))}
      refresh={refresh}
      refreshesAlways
      done={t`${name} is not a member any more.`}
      onClose={onClose}
    >
      <p>{t`Access ends within a second. The films stay with the team.`}</p>
      <GivenList userId={userId} newRole={null} taken={takeOver} onTake={setTakeOver} />
    </ActionDialog>
  )
}
