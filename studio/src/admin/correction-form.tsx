/**
 * Takes credits back from a user, or collects or forgives what the user owes: form, preview (a dry run), one request. A
 * correction keeps its idempotency key until the service has confirmed it, so retries happen once.
 */

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { NumberField, useFields } from '../ui/field.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import styles from './owner-page.module.css'
import { mayHaveHappened, type Owner, ownerName, refetchOwner, type Taking } from './queries.ts'
import { ReasonField } from './reason-form.tsx'

type Operation = 'take' | 'collect' | 'forgive'
type Values = { operation: Operation; credits: number; reason: string }
type Request = {
  params?: { header: { 'idempotency-key': string } }
  body: { userId: string; credits: number; reason: string; dryRun?: boolean }
}
type Corrected = Taking & { owed?: { before: number; after: number } }

const send: Record<Operation, (request: Request) => Promise<Corrected>> = {
  take: (request) => dataOf(kinora.POST('/api/v1/admin/credits/take', request)),
  collect: (request) => dataOf(kinora.POST('/api/v1/admin/credits/collect', request)),
  forgive: (request) => dataOf(kinora.POST('/api/v1/admin/credits/forgive', request)),
}

const titles: Record<Operation, (name: string) => string> = {
  take: (name) => t`Take credits back from ${name}`,
  collect: (name) => t`Collect what ${name} owes`,
  forgive: (name) => t`Forgive what ${name} owes`,
}
const confirmations: Record<Operation, (credits: string) => string> = {
  take: (credits) => t`Take ${credits}`,
  collect: (credits) => t`Collect ${credits}`,
  forgive: (credits) => t`Forgive ${credits}`,
}
const results: Record<Operation, (credits: string) => string> = {
  take: (credits) => t`${credits} taken back.`,
  collect: (credits) => t`${credits} collected.`,
  forgive: (credits) => t`${credits} forgiven.`,
}

export const TakeForm = ({ user }: { user: Owner }) => (
  <CorrectionForm user={user} id="take" heading={t`Take credits back`} operations={{ take: t`Preview` }} />
)

/** Stays when all is settled, to report it. */
export function OwedForm({ user }: { user: Owner }) {
  const [hasOwed] = useState(user.credits.owed > 0)
  if (!hasOwed && user.credits.owed === 0) return null
  return (
    <CorrectionForm
      user={user}
      id="owed"
      heading={t`Settle what is owed`}
      operations={{ collect: t`Preview collecting`, forgive: t`Preview forgiving` }}
    />
  )
}

type Props = { user: Owner; id: string; heading: string; operations: Partial<Record<Operation, string>> }

function CorrectionForm({ user, id, heading, operations }: Props) {
  const { values: typed, text, reset } = useFields({ amount: '', reason: '' })
  const [isOpen, setOpen] = useState(false)
  const { preview, correct } = useCorrection(user, id, {
    onPreview: () => setOpen(true),
    onCorrected: () => {
      setOpen(false)
      reset()
    },
  })
  const name = ownerName(user)
  const values = { credits: Number(typed.amount), reason: typed.reason.trim() }
  const chosen = preview.data?.operation
  const offered = (Object.keys(operations) as Operation[]).map((operation) => ({
    operation,
    text: operations[operation],
  }))
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <form
        className={styles.takeForm}
        onSubmit={(event) => {
          event.preventDefault()
          correct.reset()
          const { submitter } = event.nativeEvent as SubmitEvent
          const operation = offered.find((each) => each.operation === submitter?.getAttribute('value')) ?? offered[0]
          if (operation) preview.mutate({ ...values, operation: operation.operation })
        }}
      >
        <NumberField label={t`Amount`} max={10_000_000} required {...text('amount')} />
        <ReasonField {...text('reason')} hint={t`Shown in the history, and in the audit.`} />
        <div className="row">
          {offered.map(({ operation, text }) => (
            <Button
              key={operation}
              type="submit"
              value={operation}
              busy={preview.isPending}
              disabled={!typed.amount || !values.reason}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      {preview.error ? <ErrorState error={preview.error} /> : null}
      <p role="status" hidden={!correct.data}>
        {correct.data ? (
          <span className="mark" data-kind="done">
            {results[correct.data.operation](formatCredits(correct.data.credits))}{' '}
            {correct.data.left === undefined ? '' : t`${name} has ${formatCredits(correct.data.left)} now.`}
          </span>
        ) : null}
      </p>
      {preview.data && chosen ? (
        <Dialog open={isOpen} onClose={() => correct.isPending || setOpen(false)} title={titles[chosen](name)}>
          <ActionForm
            action={correct}
            onSubmit={() => correct.mutate({ ...values, operation: chosen })}
            submitLabel={confirmations[chosen](formatCredits(values.credits))}
            kind="danger"
            onCancel={() => setOpen(false)}
            isHeld
            detail={
              mayHaveHappened(correct.error) ? (
                <p>{t`It may have happened all the same. Press again: the same correction happens once.`}</p>
              ) : null
            }
          >
            <Summary corrected={preview.data} name={name} reason={values.reason} />
          </ActionForm>
        </Dialog>
      ) : null}
    </section>
  )
}

const Summary = ({ corrected, name, reason }: { corrected: Corrected; name: string; reason: string }) => (
  <>
    <p className={styles.summary}>
      {t`${name} has ${formatCredits(corrected.available.before)}. After this: ${formatNumber(corrected.available.after)}.`}{' '}
      {corrected.owed
        ? t`Owed: ${formatNumber(corrected.owed.before)}. After this: ${formatNumber(corrected.owed.after)}.`
        : null}
    </p>
    <dl className="facts">
      {corrected.packages.map(({ id, credits, expiresAt }) => (
        <Fact key={id} name={t`Of the package that expires ${formatUtcDate(expiresAt)}`}>
          {formatNumber(credits)}
        </Fact>
      ))}
      <Fact name={t`Reason`}>{reason}</Fact>
    </dl>
  </>
)

type Callbacks = { onPreview: () => void; onCorrected: () => void }

/** The dry run and the correction, one request at a time. */
function useCorrection(user: Owner, id: string, { onPreview, onCorrected }: Callbacks) {
  const { keyOf, settle } = useIdempotencyKeys()
  const preview = useSingleFlight({
    mutationKey: ['admin', id, user.id],
    mutationFn: async ({ operation, ...values }: Values) => ({
      operation,
      ...(await send[operation]({ body: { ...values, userId: user.id, dryRun: true } })),
    }),
    onSuccess: onPreview,
  })
  const correct = useSingleFlight({
    mutationKey: ['admin', id, user.id],
    mutationFn: async ({ operation, ...values }: Values) => {
      const body = { ...values, userId: user.id }
      const fingerprint = JSON.stringify({ operation, ...body })
      const header = { 'idempotency-key': keyOf(fingerprint) }
      const corrected = await send[operation]({ params: { header }, body })
      settle(fingerprint)
      const updated = await refetchOwner(user.id)
      return { ...corrected, operation, left: updated?.credits.available }
    },
    onSuccess: onCorrected,
  })
  return { preview, correct }
}
