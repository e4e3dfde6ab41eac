/**
 * Takes credits back from a user: form, preview (a dry run), one request. A taking keeps its idempotency key until the service
 * has confirmed it, so retries take the credits once.
 */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { NumberField } from './number-field.tsx'
import { mayHaveHappened, refetchUser, type Taking, type UserDetail } from './queries.ts'
import { ReasonField } from './reason-field.tsx'
import styles from './user-page.module.css'

type Values = { credits: number; reason: string }

export function TakeForm({ user }: { user: UserDetail }) {
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { keyOf, settle } = useIdempotencyKeys()
  const bodyOf = (values: Values) => ({ ...values, userId: user.id })
  const preview = useSingleFlight({
    mutationKey: ['admin', 'take', user.id],
    mutationFn: (values: Values) =>
      dataOf(kinora.POST('/api/v1/admin/credits/take', { body: { ...bodyOf(values), dryRun: true } })),
    onSuccess: () => setOpen(true),
  })
  const take = useSingleFlight({
    mutationKey: ['admin', 'take', user.id],
    mutationFn: async (values: Values) => {
      const body = bodyOf(values)
      const fingerprint = JSON.stringify(body)
      const header = { 'idempotency-key': keyOf(fingerprint) }
      const taken = await dataOf(kinora.POST('/api/v1/admin/credits/take', { params: { header }, body }))
      settle(fingerprint)
      const updated = await refetchUser(user.id)
      return { ...taken, left: updated?.credits.available }
    },
    onSuccess: () => {
      setOpen(false)
      setAmount('')
      setReason('')
    },
  })
  const name = user.name || user.email
  const values: Values = { credits: Number(amount), reason: reason.trim() }
  return (
    <section className="panel" aria-labelledby="take">
      <h2 id="take">{t`Take credits back`}</h2>
      <form
        className={styles.takeForm}
        onSubmit={(event) => {
          event.preventDefault()
          take.reset()
          preview.mutate(values)
        }}
      >
        <NumberField label={t`Amount`} max={10_000_000} value={amount} onChange={setAmount} />
        <ReasonField
          value={reason}
          onChange={setReason}
          hint={t`Shown in the history of the user, and in the audit.`}
        />
        <Button type="submit" busy={preview.isPending} disabled={!amount || !values.reason}>
          {t`Preview`}
        </Button>
      </form>
      {preview.error ? <ErrorState error={preview.error} /> : null}
      <p role="status" hidden={!take.data}>
        {take.data ? (
          <span className="mark" data-kind="done">
            {t`${formatCredits(take.data.credits)} taken back.`}{' '}
            {take.data.left === undefined ? '' : t`${name} has ${formatCredits(take.data.left)} now.`}
          </span>
        ) : null}
      </p>
      {preview.data ? (
        <Dialog
          open={isOpen}
          onClose={() => take.isPending || setOpen(false)}
          title={t`Take credits back from ${name}`}
        >
          <Summary taking={preview.data} name={name} reason={values.reason} />
          {take.error ? <ErrorState error={take.error} /> : null}
          {mayHaveHappened(take.error) ? (
            <p>{t`They may have been taken all the same. Press again: the same taking happens once.`}</p>
          ) : null}
          <div className="dialog-actions">
            <Button disabled={take.isPending} onClick={() => setOpen(false)}>
              {t`Cancel`}
            </Button>
            <Button kind="danger" busy={take.isPending} onClick={() => take.mutate(values)}>
              {t`Take ${formatCredits(values.credits)}`}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </section>
  )
}

const Summary = ({ taking, name, reason }: { taking: Taking; name: string; reason: string }) => (
  <>
    <p className={styles.summary}>
      {t`${name} has ${formatCredits(taking.available.before)}. After this: ${formatNumber(taking.available.after)}.`}
    </p>
    <dl className="facts">
      {taking.packages.map(({ id, credits, expiresAt }) => (
        <Fact key={id} name={t`Of the package that expires ${formatUtcDate(expiresAt)}`}>
          {formatNumber(credits)}
        </Fact>
      ))}
      <Fact name={t`Reason`}>{reason}</Fact>
    </dl>
  </>
)
