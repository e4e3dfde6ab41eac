/**
 * Grants credits to a user: form, preview, one request. A grant keeps its idempotency key until the service has confirmed it,
 * so retries grant the credits once. The balance in the confirmation is read back from the service.
 */
import { useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatCredits, formatUtcDate } from '../ui/format.ts'
import { GrantPreview, type GrantValues } from './grant-preview.tsx'
import { type UserDetail, userQuery } from './queries.ts'
import styles from './user-page.module.css'

const CREDITS_MAX = 10_000_000
const DAYS_MAX = 3650

export function GrantForm({ user }: { user: UserDetail }) {
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
      const updated = await refetchUser(user.id)
      return { ...granted, available: updated?.credits.available }
    },
    onSuccess: () => {
      setPreview(null)
      setAmount('')
      setRemark('')
    },
  })
  const name = user.name || user.email
  return (
    <section className="panel" aria-labelledby="grant">
      <h2 id="grant">Give credits</h2>
      <form
        className={styles.grantForm}
        onSubmit={(event) => {
          event.preventDefault()
          grant.reset()
          setPreview({ credits: Number(amount), expiryDays: Number(days), remark: remark.trim() })
        }}
      >
        <NumberField label="Credits" max={CREDITS_MAX} value={amount} onChange={setAmount} />
        <NumberField label="Good for, in days" max={DAYS_MAX} value={days} onChange={setDays} />
        <Field
          label="Remark"
          hint="Shown in the history of the user."
          maxLength={500}
          autoComplete="off"
          value={remark}
          onChange={({ target }) => setRemark(target.value)}
        />
        <Button type="submit" disabled={!amount || !days}>
          Preview
        </Button>
      </form>
      <p role="status" hidden={!grant.data}>
        {grant.data ? (
          <span className="mark" data-kind="done">
            {formatCredits(grant.data.credits)} given, good until {formatUtcDate(grant.data.expiryDate)}.
            {grant.data.available === undefined ? '' : ` ${name} has ${formatCredits(grant.data.available)} now.`}
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

type NumberFieldProps = { label: string; max: number; value: string; onChange: (value: string) => void }

/** A required whole number from 1 to `max`. */
const NumberField = ({ label, max, value, onChange }: NumberFieldProps) => (
  <Field
    label={label}
    type="number"
    min={1}
    max={max}
    step={1}
    required
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
)

/** Refetches balance and history. @returns undefined when that fails; the grant itself has succeeded by then */
async function refetchUser(id: string): Promise<UserDetail | undefined> {
  await Promise.all([
    refreshQueries(['admin', 'user', id]),
    // An administrator may grant credits to themselves: then their own balance in the shell changes too.
    refreshQueries(['credit']),
  ])
  queryClient.invalidateQueries({ queryKey: ['admin', 'users'], refetchType: 'none' })
  const state = queryClient.getQueryState(userQuery(id).queryKey)
  return state?.status === 'success' && !state.isInvalidated ? state.data : undefined
}
