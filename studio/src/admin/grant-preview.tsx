/** Confirmation dialog of a grant: the balance before and after it, from a balance that is refetched as the dialog opens. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { mayHaveHappened, type UserDetail, userQuery } from './queries.ts'
import styles from './user-page.module.css'

export type GrantValues = { credits: number; expiryDays: number; remark: string }

type Props = {
  /** null: the dialog is closed. */
  grant: GrantValues | null
  user: UserDetail
  error: KinoraError | null
  busy: boolean
  onConfirm: (grant: GrantValues) => void
  onClose: () => void
}

export function GrantPreview({ grant, user, error, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog open={grant !== null} onClose={onClose} title={t`Give credits to ${user.name || user.email}`}>
      {grant ? <Summary grant={grant} user={user} /> : null}
      {error ? <ErrorState error={error} /> : null}
      {mayHaveHappened(error) ? (
        <p>
          {t`They may have been given all the same. Press again: the same grant is given once, however often it is sent.`}
        </p>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button kind="primary" busy={busy} onClick={() => grant && onConfirm(grant)}>
          {grant ? t`Give ${formatCredits(grant.credits)}` : t`Give`}
        </Button>
      </div>
    </Dialog>
  )
}

const DAY_MS = 86_400_000

function Summary({ grant, user }: { grant: GrantValues; user: UserDetail }) {
  // Another administrator may have granted credits since the page was loaded.
  const { data = user } = useQuery({ ...userQuery(user.id), refetchOnMount: 'always' })
  const { available } = data.credits
  const until = formatUtcDate(new Date(Date.now() + grant.expiryDays * DAY_MS).toISOString())
  return (
    <>
      <p className={styles.summary}>
        {t`${data.name || data.email} has ${formatCredits(available)}. After this: ${formatNumber(available + grant.credits)}, of which ${formatNumber(grant.credits)} expire on ${until}.`}
      </p>
      <dl className="facts">
        <Fact name={t`E-mail`}>{data.email}</Fact>
        <Fact name={t`Remark`}>{grant.remark || t`None`}</Fact>
      </dl>
    </>
  )
}
