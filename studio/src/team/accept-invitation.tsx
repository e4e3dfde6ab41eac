/** Accepts the invitation to a team of a mailed link, when the user says so: the link alone changes nothing. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chooseTeam } from '../chosen-team.ts'
import { useLinkToken } from '../sign-in/link-token.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'

export function AcceptInvitation() {
  const { token, forget } = useLinkToken('team-invitation')
  const [isOpen, setOpen] = useState(token !== '')
  const accept = useSingleFlight({
    mutationFn: async () => {
      const { teamId } = await dataOf(kinora.POST('/api/v1/team/invitations/accept', { body: { token } }))
      const { teams } = await dataOf(kinora.GET('/api/v1/teams'))
      return teams.find(({ id }) => id === teamId) ?? null
    },
    onSuccess: chooseTeam,
  })
  const close = () => {
    forget()
    setOpen(false)
  }
  return (
    <Dialog open={isOpen} onClose={close} title={t`You are invited to a team`}>
      <p>{t`Its members share films and credits, and see your name and e-mail address.`}</p>
      {accept.error ? <ErrorState error={accept.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>{t`Not now`}</Button>
        <Button kind="primary" busy={accept.isPending || accept.isSuccess} onClick={() => accept.mutate()}>
          {t`Join the team`}
        </Button>
      </div>
    </Dialog>
  )
}
