/** The field for a redemption code, and what it has brought. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatCredits, formatDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import styles from './plans-page.module.css'

export function RedeemForm() {
  const [code, setCode] = useState('')
  const redeem = useSingleFlight({
    mutationFn: (text: string) => dataOf(kinora.POST('/api/v1/credit/redeem', { body: { code: text } })),
    onSuccess: () => {
      setCode('')
      refreshQueries(['credit'])
    },
  })
  const { data } = redeem
  return (
    <section className="stack" aria-labelledby="redeem">
      <h2 id="redeem">{t`Redeem a code`}</h2>
      <form
        className={styles.redeem}
        onSubmit={(event) => {
          event.preventDefault()
          redeem.mutate(code)
        }}
      >
        <Field
          label={t({ message: 'Code', context: 'for credits' })}
          value={code}
          onChange={({ target }) => setCode(target.value)}
          required
          maxLength={100}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
        />
        <Button type="submit" busy={redeem.isPending} disabled={!code.trim()}>
          {t`Redeem`}
        </Button>
      </form>
      {redeem.error ? <ErrorState error={redeem.error} /> : null}
      {data ? (
        <p role="status">
          <span className="mark" data-kind="done">
            {data.replayed
              ? t`You have redeemed this code before: ${formatCredits(data.credits)}, good until ${formatDate(data.expiryDate)}.`
              : t`${formatCredits(data.credits)} have arrived, good until ${formatDate(data.expiryDate)}.`}
          </span>
        </p>
      ) : null}
    </section>
  )
}
