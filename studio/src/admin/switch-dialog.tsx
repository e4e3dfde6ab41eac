/** Dialog that switches a model, an account or a route off or on, with a reason. A repeated request changes nothing. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { formatRelativeTime, formatUtcTime } from '../ui/format.ts'
import { ReasonDialog } from './reason-form.tsx'

/** `model`, `account`: what is switched; both are a route. `name`: for people. `on`: to what. */
export type Switch = { model?: string; account?: string; name: string; on: boolean }

export function SwitchDialog({ change, onClose }: { change: Switch; onClose: () => void }) {
  const { name, ...body } = change
  return (
    <ReasonDialog
      title={body.on ? t`Switch ${name} on?` : t`Switch ${name} off?`}
      submitLabel={body.on ? t`Switch on` : t`Switch off`}
      send={(reason) => dataOf(kinora.PUT('/api/v1/admin/switches', { body: { ...body, reason } }))}
      refresh={() => Promise.all([refreshQueries(['admin']), refreshQueries(['models'])])}
      done={body.on ? t`${name} is on.` : t`${name} is off.`}
      onClose={onClose}
    >
      <p className="quiet">
        {body.on
          ? t`New films use it again, within a second.`
          : t`No new film uses it, within a second. Films in progress go on; those that were not sent yet by another route, where there is one.`}
      </p>
    </ReasonDialog>
  )
}

type Off = NonNullable<Schemas['AdminModel']['off']>

/** Why something is off, since when and by whom. */
export const OffReason = ({ off: { reason, createdAt, actorEmail } }: { off: Off }) => (
  <span className="secondary" title={formatUtcTime(createdAt)}>
    {reason} · {actorEmail ?? t`An operator`}, {formatRelativeTime(createdAt)}
  </span>
)
