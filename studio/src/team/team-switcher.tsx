/** The part of the account menu that chooses for whom the studio works, and the dialog that makes a team. */
import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chooseTeam, chosenTeam } from '../chosen-team.ts'
import { flushDeletions } from '../library/deletion.ts'
import { useSingleFlight } from '../single-flight.ts'
import { teamsQuery } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { ErrorState } from '../ui/states.tsx'

/** As the API has it. */
export const TEAM_NAME_MAX = 100

/** @param props `onNew` is called before the dialog opens: the menu closes first, and the focus returns to its button. */
export function TeamSwitcher({ onNew }: { onNew: () => void }) {
  const { data } = useQuery(teamsQuery)
  const chosen = chosenTeam()
  const [isNew, setNew] = useState(false)
  const choose = useMutation({
    mutationFn: async (team: Parameters<typeof chooseTeam>[0]) => {
      // They are for the owner that the page still has.
      await flushDeletions()
      void chooseTeam(team)
    },
  })
  const teams = data?.teams ?? []
  return (
    <ul aria-label={t`Teams`}>
      {teams.length > 0 || chosen
        ? [null, ...teams].map((team) => (
            <li key={team?.id ?? ''}>
              <button
                type="button"
                className="account-menu-item account-menu-team"
                aria-current={chosen?.id === team?.id ? 'true' : undefined}
                disabled={team?.locked}
                onClick={() => choose.mutate(team)}
              >
                <Icon name={team ? 'team' : 'account'} />
                <span>{team?.name ?? t({ message: 'Personal', context: 'no team' })}</span>
                {team?.locked ? <span className="quiet small">{t`Locked`}</span> : null}
              </button>
            </li>
          ))
        : null}
      <li>
        <button
          type="button"
          className="account-menu-item"
          onClick={() => {
            onNew()
            setNew(true)
          }}
        >
          <Icon name="team" />
          {t`New team`}
        </button>
        {isNew ? <NewTeamDialog onClose={() => setNew(false)} /> : null}
      </li>
    </ul>
  )
}

function NewTeamDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const create = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/team', { body: { name: name.trim() } })),
    onSuccess: chooseTeam,
  })
  return (
    <Dialog open onClose={onClose} title={t`New team`}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <p>{t`A team has films and credits of its own, which its members share. You are its owner.`}</p>
        <Field
          label={t({ message: 'Name', context: 'of a team' })}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={TEAM_NAME_MAX}
          autoComplete="off"
        />
        {create.error ? <ErrorState error={create.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            type="submit"
            kind="primary"
            busy={create.isPending || create.isSuccess}
            disabled={!name.trim()}
          >{t`Make team`}</Button>
        </div>
      </form>
    </Dialog>
  )
}
