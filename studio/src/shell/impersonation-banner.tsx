/** While an administrator acts as a user: whose studio it is, what is recorded, and the way back. */
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
  const { email } = data.user
  const { impersonationReason: reason } = data.session
  return (
    <div className="offline row" role="status">
      <span>
        {reason
          ? t`You are an administrator acting as ${email}. Each change is recorded with your name and your reason: ${reason}`
          : t`You are an administrator acting as ${email}, read only.`}
      </span>
      <Button busy={stop.isPending} onClick={() => stop.mutate()}>
        {t`Stop`}
      </Button>
    </div>
  )
}
