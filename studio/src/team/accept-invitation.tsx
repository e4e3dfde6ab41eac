/** Accepts the invitation to a team of a mailed link, when the user says so: the link alone changes nothing. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { chooseTeam } from '../chosen-team.ts'
import { useLinkToken } from '../sign-in/link-token.ts'
import { useSingleFlight } from '../single-flight.ts'
import type { Role } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogSkeleton } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { roleNames, roleTexts } from './queries.ts'

export function AcceptInvitation() {
  const { token, forget } = useLinkToken('team-invitation')
  const [isOpen, setOpen] = useState(token !== '')
  const offer = useQuery({
    queryKey: ['team-invitation', token],
    queryFn: () => dataOf(kinora.POST('/api/v1/team/invitations/open', { body: { token } })),
    enabled: token !== '',
    retry: false,
  })
  const accept = useSingleFlight({
    mutationFn: async () => {
      const { teamId } = await dataOf(kinora.POST('/api/v1/team/invitations/accept', { body: { token } }))
      const { teams } = await dataOf(kinora.GET('/api/v1/teams'))
      return teams.find(({ id }) => id === teamId) ?? null
    },
    onSuccess: chooseTeam,
  })
  const error = accept.error ?? offer.error
  const close = () => {
    forget()
    setOpen(false)
  }
  return (
    <Dialog open={isOpen} onClose={close} title={t`You are invited to a team`}>
      {offer.data ? <Offer {...offer.data} /> : null}
      {offer.isLoading ? <DialogSkeleton height="104px" /> : null}
      {error ? <ErrorState error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={close}>{t`Not now`}</Button>
        {offer.error ? null : (
          <Button kind="primary" busy={accept.isPending || accept.isSuccess} onClick={() => accept.mutate()}>
            {t`Join the team`}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const Offer = ({ team, inviter, role }: { team: string; inviter: string | null; role: Role }) => (
  <>
    <p>{inviter === null ? t`You are invited to ${team}.` : t`${inviter} invites you to ${team}.`}</p>
    <p>{t`Your role would be: ${roleNames()[role]}. ${roleTexts()[role]}`}</p>
    <p className="quiet">{t`Its members share films and credits, and see your name and e-mail address.`}</p>
  </>
)
