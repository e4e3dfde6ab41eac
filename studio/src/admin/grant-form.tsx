/**
 * Grants credits to a user: form, preview, one request. A grant keeps its idempotency key until the service has
 * confirmed it, so retries grant the credits once. The balance in the confirmation is read back from the service.
 */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { Field, NumberField, useFields } from '../ui/field.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import styles from './owner-page.module.css'
import { balanceQuery, mayHaveHappened, type Owner, ownerName, refetchOwner } from './queries.ts'

const CREDITS_MAX = 10_000_000
const DAYS_MAX = 3650

export function GrantForm({ user }: { user: Owner }) {
  const { values, text, reset } = useFields({ amount: '', days: '365', remark: '' })
  const [preview, setPreview] = useState<GrantValues | null>(null)
  const { keyOf, settle } = useIdempotencyKeys()
  const grant = useAction({
    mutationKey: ['admin', 'grant', user.id],
    send: async ({ remark, ...rest }: GrantValues) => {
      const body = { ...rest, userId: user.id, ...(remark ? { remark } : {}) }
      const fingerprint = JSON.stringify(body)
      const params = { header: { 'idempotency-key': keyOf(fingerprint) } }
      const granted = await dataOf(kinora.POST('/api/v1/admin/credits/add', { params, body }))
      settle(fingerprint)
      const updated = await refetchOwner(user.id)
      return { ...granted, available: updated?.credits.available }
    },
    onDone: () => {
      setPreview(null)
      reset(['amount', 'remark'])
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
          setPreview({
            credits: Number(values.amount),
            expiryDays: Number(values.days),
            remark: values.remark.trim(),
          })
        }}
      >
        <NumberField label={t`Credits`} max={CREDITS_MAX} required {...text('amount')} />
        <NumberField label={t`Valid for, in days`} max={DAYS_MAX} required {...text('days')} />
        <Field
          label={t`Remark`}
          hint={t`Shown in the history.`}
          maxLength={500}
          autoComplete="off"
          {...text('remark')}
        />
        <Button type="submit" disabled={!values.amount || !values.days}>
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

type GrantValues = { credits: number; expiryDays: number; remark: string }

type Props = {
  /** null: the dialog is closed. */
  grant: GrantValues | null
  user: Owner
  error: KinoraError | null
  busy: boolean
  onConfirm: (grant: GrantValues) => void
  onClose: () => void
}

/**
 * Confirmation dialog of a grant: the balance before and after it, from a balance that is refetched as the dialog
 * opens.
 */
function GrantPreview({ grant, user, error, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog open={grant !== null} onClose={onClose} title={t`Give credits to ${ownerName(user)}`}>
      <ActionForm
        action={{ isPending: busy, error }}
        onSubmit={() => grant && onConfirm(grant)}
        submitLabel={grant ? t`Give ${formatCredits(grant.credits)}` : t`Give`}
        onCancel={onClose}
        detail={
          mayHaveHappened(error) ? (
            <p>
              {t`They may have been given all the same. Press again: the same grant is given once, however often it is sent.`}
            </p>
          ) : null
        }
      >
        {grant ? <Summary grant={grant} user={user} /> : null}
      </ActionForm>
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
