/** Renames the team, leaves it, exports its data, deletes it. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeletionForm } from '../account/deletion-form.tsx'
import { accountsQuery } from '../account/queries.ts'
import { dataOf, kinora, refreshQueries, TEAMS_KEY } from '../api.ts'
import { chooseTeam, downloadHref } from '../chosen-team.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { GivenList } from './given.tsx'
import { TEAM_NAME_MAX } from './team-switcher.tsx'

export function RenameForm({ current }: { current: string }) {
  const [name, setName] = useState(current)
  const rename = useSingleFlight({
    mutationFn: () => dataOf(kinora.PATCH('/api/v1/team', { body: { name: name.trim() } })),
    onSuccess: async () => {
      await Promise.all([refreshQueries([TEAMS_KEY]), refreshQueries(['team'])])
      toast({ text: t`The team has another name.` })
    },
  })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate()
      }}
    >
      <h2>{t({ message: 'Name', context: 'of a team' })}</h2>
      <Field
        label={t({ message: 'Name', context: 'of a team' })}
        value={name}
        onChange={({ target }) => setName(target.value)}
        required
        maxLength={TEAM_NAME_MAX}
        autoComplete="off"
      />
      {rename.error ? <ErrorState error={rename.error} /> : null}
      <Button type="submit" busy={rename.isPending} disabled={!name.trim() || name.trim() === current}>
        {t`Save name`}
      </Button>
    </form>
  )
}

/** Requires a second factor of the members, for owners. */
export function FactorForm({ isRequired }: { isRequired: boolean }) {
  const change = useSingleFlight({
    mutationFn: (secondFactorRequired: boolean) =>
      dataOf(kinora.PATCH('/api/v1/team', { body: { secondFactorRequired } })),
    onSuccess: async () => {
      await Promise.all([refreshQueries([TEAMS_KEY]), refreshQueries(['team'])])
    },
  })
  return (
    <section className="panel" aria-labelledby="team-factor">
      <div className="page-head">
        <h2 id="team-factor">{t`Second factor`}</h2>
        {isRequired ? (
          <span className="mark" data-kind="done">
            {t`Required`}
          </span>
        ) : null}
      </div>
      <p className="quiet">
        {isRequired
          ? t`Members without a second factor are refused until they set one up. API keys of the team are not concerned.`
          : t`Refuse members without a second factor, so that a stolen password does not open the team. API keys of the team are not concerned.`}
      </p>
      {change.error ? <ErrorState error={change.error} /> : null}
      <Button busy={change.isPending} onClick={() => change.mutate(!isRequired)}>
        {isRequired ? t`Require it no longer` : t`Require a second factor`}
      </Button>
    </section>
  )
}

export function LeaveTeam({ name }: { name: string }) {
  const { user } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const leave = useSingleFlight({
    mutationFn: () => dataOf(kinora.DELETE('/api/v1/team/members/{id}', { params: { path: { id: user.id } } })),
    onSuccess: () => chooseTeam(null),
  })
  const close = () => {
    leave.reset()
    setOpen(false)
  }
  return (
    <section className="panel" aria-labelledby="leave-team">
      <h2 id="leave-team">{t`Leave the team`}</h2>
      <p className="quiet">{t`Your films stay with the team.`}</p>
      <Button onClick={() => setOpen(true)}>{t`Leave…`}</Button>
      <Dialog open={isOpen} onClose={close} title={t`Leave ${name}?`}>
        <p>{t`You see its films and credits no more, until a member invites you again.`}</p>
        {isOpen ? <GivenList userId={user.id} newRole={null} /> : null}
        {leave.error ? <ErrorState error={leave.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>{t`Stay`}</Button>
          <Button kind="danger" busy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
            {t`Leave`}
          </Button>
        </div>
      </Dialog>
    </section>
  )
}

export const ExportTeam = () => (
  <section className="panel" aria-labelledby="export-team">
    <h2 id="export-team">{t`The team’s data`}</h2>
    <p className="quiet">
      {t`A ZIP file with members, prompts, credits and payments as JSON, and the films and images of all.`}
    </p>
    <a className={buttonClass()} href={downloadHref('/api/v1/team/export')} download>
      {t`Download the team’s data`}
    </a>
  </section>
)

export function DeleteTeam({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const hasPassword = useQuery(accountsQuery).data?.some(({ providerId }) => providerId === 'credential') ?? true
  const remove = useSingleFlight({
    mutationFn: (body: { password?: string; owed?: number }) => dataOf(kinora.DELETE('/api/v1/team', { body })),
    onSuccess: () => chooseTeam(null),
  })
  const close = () => {
    remove.reset()
    setOpen(false)
  }
  return (
    <section className="panel" aria-labelledby="delete-team">
      <h2 id="delete-team">{t`Delete the team`}</h2>
      <p className="quiet">{t`Its films and images are deleted, and remaining credits are lost.`}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>{t`Delete team…`}</Button>
      <Dialog open={isOpen} onClose={close} title={t`Delete ${name}?`}>
        <DeletionForm
          name={name}
          isName={(typed) => typed === name.trim()}
          hasPassword={hasPassword}
          submitLabel={t`Delete team`}
          remove={remove}
          onCancel={close}
        >
          {t`Every member loses it. Films in progress finish first. This cannot be undone.`}
        </DeletionForm>
      </Dialog>
    </section>
  )
}
