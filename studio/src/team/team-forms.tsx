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
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useFields } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { ErrorState } from '../ui/states.tsx'
import { GivenList } from './given.tsx'
import { TeamNameField } from './team-switcher.tsx'

const refreshTeam = () => Promise.all([refreshQueries([TEAMS_KEY]), refreshQueries(['team'])])

export function RenameForm({ current }: { current: string }) {
  const { values, text } = useFields({ name: current })
  const name = values.name.trim()
  const rename = useAction({
    send: () => dataOf(kinora.PATCH('/api/v1/team', { body: { name } })),
    refresh: refreshTeam,
    done: t`The team has another name.`,
  })
  return (
    <ActionForm
      action={rename}
      onSubmit={() => rename.mutate()}
      submitLabel={t`Save name`}
      kind="plain"
      isReady={name !== '' && name !== current}
    >
      <h2>{t({ message: 'Name', context: 'of a team' })}</h2>
      <TeamNameField {...text('name')} />
    </ActionForm>
  )
}

/** Requires a second factor of the members, for owners. */
export function FactorForm({ isRequired }: { isRequired: boolean }) {
  const change = useAction({
    send: (secondFactorRequired: boolean) => dataOf(kinora.PATCH('/api/v1/team', { body: { secondFactorRequired } })),
    refresh: refreshTeam,
  })
  return (
    <section className="panel" aria-labelledby="team-factor">
      <div className="page-head">
        <h2 id="team-factor">{t`Second factor`}</h2>
        {isRequired ? <Mark kind="done" label={t`Required`} /> : null}
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
  return (
    <section className="panel" aria-labelledby="leave-team">
      <h2 id="leave-team">{t`Leave the team`}</h2>
      <p className="quiet">{t`Your films stay with the team.`}</p>
      <Button onClick={() => setOpen(true)}>{t`Leave…`}</Button>
      {isOpen ? (
        <ActionDialog
          title={t`Leave ${name}?`}
          submitLabel={t`Leave`}
          kind="danger"
          cancelLabel={t`Stay`}
          send={() => dataOf(kinora.DELETE('/api/v1/team/members/{id}', { params: { path: { id: user.id } } }))}
          refresh={() => chooseTeam(null)}
          onClose={() => setOpen(false)}
        >
          <p>{t`You see its films and credits no more, until a member invites you again.`}</p>
          <GivenList userId={user.id} newRole={null} />
        </ActionDialog>
      ) : null}
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
