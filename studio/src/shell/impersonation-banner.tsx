/** While an administrator acts as a user: whose studio it is, and the way back. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { broadcastSession, dataOf, kinora, sessionQuery } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'

export function ImpersonationBanner() {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const stop = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/auth/admin/stop-impersonating')),
    onSuccess: ({ user }) => {
      broadcastSession(user?.id ?? null)
      location.assign(user && data ? `/admin/users/${data.user.id}` : '/sign-in')
    },
  })
  if (!data?.session.impersonatedBy) return null
  return (
    <div className="offline row" role="status">
      <span>{t`You are acting as ${data.user.email}. What you do here, the user did.`}</span>
      <Button busy={stop.isPending} onClick={() => stop.mutate()}>
        {t`Stop`}
      </Button>
    </div>
  )
}
