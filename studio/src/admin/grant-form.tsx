/**
 * Grants credits to a user: form, preview, one request. A grant keeps its idempotency key until the service has confirmed it,
 * so retries grant the credits once. The balance in the confirmation is read back from the service.
 */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatCredits, formatUtcDate } from '../ui/format.ts'
import { GrantPreview, type GrantValues } from './grant-preview.tsx'
import { NumberField } from './number-field.tsx'
import styles from './owner-page.module.css'
import { type Owner, ownerName, refetchOwner } from './queries.ts'

const CREDITS_MAX = 10_000_000
const DAYS_MAX = 3650

export function GrantForm({ user }: { user: Owner }) {
  const [amount, setAmount] = useState('')
  const [days, setDays] = useState('365')
  const [remark, setRemark] = useState('')
  const [preview, setPreview] = useState<GrantValues | null>(null)
  const { keyOf, settle } = useIdempotencyKeys()
  const grant = useSingleFlight({
    mutationKey: ['admin', 'grant', user.id],
    mutationFn: async (values: GrantValues) => {
      const { remark: text, ...rest } = values
      const body = { ...rest, userId: user.id, ...(text ? { remark: text } : {}) }
      const fingerprint = JSON.stringify(body)
      const granted = await dataOf(
        kinora.POST('/api/v1/admin/credits/add', {
          params: { header: { 'idempotency-key': keyOf(fingerprint) } },
          body,
        }),
      )
      settle(fingerprint)
      const updated = await refetchOwner(user.id)
      return { ...granted, available: updated?.credits.available }
    },
    onSuccess: () => {
      setPreview(null)
      setAmount('')
      setRemark('')
    },
  })
  const name = ownerName(user)
  return (
    <section className="panel" aria-labelledby="grant">
      <h2 id="grant">{t`Give credits`}</h2>
      <form
        className={styles.grantForm}
        onSubmit={(event) => {
          event.preventDefault()
          grant.reset()
          setPreview({ credits: Number(amount), expiryDays: Number(days), remark: remark.trim() })
        }}
      >
        <NumberField label={t`Credits`} max={CREDITS_MAX} value={amount} onChange={setAmount} />
        <NumberField label={t`Valid for, in days`} max={DAYS_MAX} value={days} onChange={setDays} />
        <Field
          label={t`Remark`}
          hint={t`Shown in the history.`}
          maxLength={500}
          autoComplete="off"
          value={remark}
          onChange={({ target }) => setRemark(target.value)}
        />
        <Button type="submit" disabled={!amount || !days}>
          {t`Preview`}
        </Button>
      </form>
      <p role="status" hidden={!grant.data}>
        {grant.data ? (
          <span className="mark" data-kind="done">
            {t`${formatCredits(grant.data.credits)} given, good until ${formatUtcDate(grant.data.expiryDate)}.`}{' '}
            {grant.data.available === undefined ? '' : t`${name} has ${formatCredits(grant.data.available)} now.`}
          </span>
        ) : null}
      </p>
      <GrantPreview
        grant={preview}
        user={user}
        error={grant.error}
        busy={grant.isPending}
        onConfirm={(values) => grant.mutate(values)}
        onClose={() => grant.isPending || setPreview(null)}
      />
    </section>
  )
}
