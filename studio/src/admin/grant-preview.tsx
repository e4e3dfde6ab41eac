/** Confirmation dialog of a grant: the balance before and after it, from a balance that is refetched as the dialog opens. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import styles from './owner-page.module.css'
import { balanceQuery, mayHaveHappened, type Owner, ownerName } from './queries.ts'

export type GrantValues = { credits: number; expiryDays: number; remark: string }

type Props = {
  /** null: the dialog is closed. */
  grant: GrantValues | null
  user: Owner
  error: KinoraError | null
  busy: boolean
  onConfirm: (grant: GrantValues) => void
  onClose: () => void
}

export function GrantPreview({ grant, user, error, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog open={grant !== null} onClose={onClose} title={t`Give credits to ${ownerName(user)}`}>
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

function Summary({ grant, user }: { grant: GrantValues; user: Owner }) {
  // Another administrator may have granted credits since the page was loaded.
  const { data } = useQuery(balanceQuery(user))
  const { available } = data?.credits ?? user.credits
  const until = formatUtcDate(new Date(Date.now() + grant.expiryDays * DAY_MS).toISOString())
  return (
    <>
      <p className={styles.summary}>
        {t`${ownerName(user)} has ${formatCredits(available)}. After this: ${formatNumber(available + grant.credits)}, of which ${formatNumber(grant.credits)} expire on ${until}.`}
      </p>
      <dl className="facts">
        {user.email === undefined ? null : <Fact name={t`E-mail`}>{user.email}</Fact>}
        <Fact name={t`Remark`}>{grant.remark || t`None`}</Fact>
      </dl>
    </>
  )
}
