/** The part of the account menu that chooses for whom the studio works, and the dialog that makes a team. */

import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chooseTeam, chosenTeam } from '../chosen-team.ts'
import { flushDeletions } from '../library/deletion.ts'
import { teamsQuery } from '../team.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, useFields } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'

/** As the API has it. */
const TEAM_NAME_MAX = 100

/** @param props `onNew` is called before the dialog opens: the menu closes first, focus returns to its button. */
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
  const { values, text } = useFields({ name: '' })
  const name = values.name.trim()
  const create = useAction({
    send: () => dataOf(kinora.POST('/api/v1/team', { body: { name } })),
    refresh: (team) => (team ? chooseTeam(team) : Promise.resolve()),
  })
  return (
    <Dialog open onClose={onClose} title={t`New team`}>
      <ActionForm
        action={create}
        onSubmit={() => create.mutate()}
        submitLabel={t`Make team`}
        isReady={name !== ''}
        onCancel={onClose}
        isLast
      >
        <p>{t`A team has films and credits of its own, which its members share. You are its owner.`}</p>
        <TeamNameField {...text('name')} />
      </ActionForm>
    </Dialog>
  )
}

export const TeamNameField = (input: Pick<ComponentProps<'input'>, 'value' | 'onChange'>) => (
  <Field
    label={t({ message: 'Name', context: 'of a team' })}
    required
    maxLength={TEAM_NAME_MAX}
    autoComplete="off"
    {...input}
  />
)
