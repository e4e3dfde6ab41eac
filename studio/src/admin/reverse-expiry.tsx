/**
 * Dialog that makes the expired credits of a package available again: reason, preview (a dry run), one request. The days are
 * needed only when the package itself has expired by now; without them the credits keep its expiry.
 */
import { t } from '@lingui/core/macro'
import { dataOf, kinora } from '../api.ts'
import type { CreditTransaction } from '../credits/transaction-types.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { NumberField, useFields } from '../ui/field.tsx'
import { formatCredits, formatUtcTime } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import styles from './owner-page.module.css'
import { mayHaveHappened, type Owner, ownerName, refetchOwner } from './queries.ts'
import { ReasonField } from './reason-form.tsx'

type Props = { user: Owner; packageId: string; onClose: () => void }

/** The package whose credits the row wrote off, else null. They may have been made available again since; the preview reports that. */
export const reversiblePackage = ({ transType, credits, packageId }: CreditTransaction): string | null =>
  transType === 'EXPIRED' && credits < 0 ? packageId : null

export function ReverseExpiry({ user, packageId, onClose }: Props) {
  const { values, text } = useFields({ reason: '', days: '' })
  const { keyOf, settle } = useIdempotencyKeys()
  const mutationKey = ['admin', 'reverse-expiry', user.id]
  const body = {
    userId: user.id,
    packageId,
    reason: values.reason.trim(),
    ...(values.days ? { expiryDays: Number(values.days) } : {}),
  }
  const preview = useSingleFlight({
    mutationKey,
    mutationFn: () => dataOf(kinora.POST('/api/v1/admin/credits/reverse-expiry', { body: { ...body, dryRun: true } })),
  })
  const reverse = useSingleFlight({
    mutationKey,
    mutationFn: async () => {
      const fingerprint = JSON.stringify(body)
      const header = { 'idempotency-key': keyOf(fingerprint) }
      const reversed = await dataOf(kinora.POST('/api/v1/admin/credits/reverse-expiry', { params: { header }, body }))
      settle(fingerprint)
      await refetchOwner(user.id)
      return reversed
    },
    onSuccess: ({ credits }) => {
      toast({ text: t`${formatCredits(credits)} made available again.` })
      onClose()
    },
  })
  const name = ownerName(user)
  const close = () => reverse.isPending || onClose()
  if (preview.data)
    return (
      <Dialog open onClose={close} title={t`This will be reversed`}>
        <ActionForm
          action={reverse}
          onSubmit={() => reverse.mutate()}
          submitLabel={t`Reverse the expiry`}
          onCancel={() => {
            preview.reset()
            reverse.reset()
          }}
          cancelLabel={t`Back`}
          isHeld
          detail={
            mayHaveHappened(reverse.error) ? (
              <p>{t`It may have been reversed all the same. Press again: the same reversal happens once.`}</p>
            ) : null
          }
        >
          <p className={styles.summary}>
            {t`${formatCredits(preview.data.credits)} of ${name} will be available again, until ${formatUtcTime(preview.data.expiryDate)}.`}
          </p>
          <p className="quiet">
            {t`What is owed for refunded or disputed payments of this package is taken from them first.`}
          </p>
          <dl className="facts">
            <Fact name={t`Package`}>
              <code>{packageId}</code>
            </Fact>
            <Fact name={t`Reason`}>{body.reason}</Fact>
          </dl>
        </ActionForm>
      </Dialog>
    )
  return (
    <Dialog open onClose={close} title={t`Reverse an expiry`}>
      <ActionForm
        action={preview}
        onSubmit={() => preview.mutate()}
        submitLabel={t`Preview`}
        isReady={body.reason !== ''}
        onCancel={close}
      >
        <ReasonField {...text('reason')} hint={t`Shown in the history, and in the audit.`} />
        <NumberField label={t`Valid for, in days`} max={3650} {...text('days')} />
        <p className="quiet small">{t`Left empty, they keep the expiry of their package.`}</p>
      </ActionForm>
    </Dialog>
  )
}
