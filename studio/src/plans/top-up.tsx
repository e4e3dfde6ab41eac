/** The automatic top-up: which pack is bought below which balance, how often, and what its last charge became. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, showSaved } from '../api.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { LabelledControl, NumberField } from '../ui/field.tsx'
import { formatCredits } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Select } from '../ui/select.tsx'
import { ErrorState } from '../ui/states.tsx'
import { money, type Product } from './pricing.ts'
import { topUpQuery } from './top-up-query.ts'

export function TopUp({ packs }: { packs: Product[] }) {
  const { data, error, refetch } = useQuery(topUpQuery)
  return (
    <section className="stack" aria-labelledby="top-up">
      <h2 id="top-up">{t`Automatic top-up`}</h2>
      {error && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {data?.processor === null ? (
        <p className="quiet">
          {t`Packs are not bought by themselves here: the payment processor charges no customer who is away.`}
        </p>
      ) : null}
      {data?.processor && packs.length > 0 ? <TopUpForm saved={data} packs={packs} /> : null}
    </section>
  )
}

type Saved = NonNullable<Awaited<ReturnType<NonNullable<typeof topUpQuery.queryFn>>>>

function TopUpForm({ saved, packs }: { saved: Saved; packs: Product[] }) {
  const { rule } = saved
  const [typed, setTyped] = useState<{ productId?: string; below?: string; maxPerMonth?: string }>({})
  const values = {
    productId: typed.productId ?? rule?.productId ?? packs[0]?.id ?? '',
    below: typed.below ?? String(rule?.below ?? 100),
    maxPerMonth: typed.maxPerMonth ?? String(rule?.maxPerMonth ?? 1),
  }
  const refresh = async (after: Saved | undefined) => {
    if (!after) return
    await showSaved(topUpQuery.queryKey, after)
    setTyped({})
    if (after.cardUrl) window.location.assign(after.cardUrl)
  }
  const save = useAction({
    send: () => {
      const numbers = { below: Number(values.below), maxPerMonth: Number(values.maxPerMonth) }
      return dataOf(kinora.PUT('/api/v1/billing/top-up', { body: { productId: values.productId, ...numbers } }))
    },
    refresh,
  })
  const end = useAction({ send: () => dataOf(kinora.DELETE('/api/v1/billing/top-up')), refresh })
  const isChanged = Object.keys(typed).length > 0
  return (
    <ActionForm
      action={save}
      onSubmit={() => save.mutate()}
      submitLabel={rule && !rule.paused ? t`Save the top-up` : t`Switch the top-up on`}
      kind="plain"
      isReady={!rule || rule.paused !== null || isChanged}
      error={save.error ?? end.error}
      result={
        rule ? (
          <Button busy={end.isPending} onClick={() => end.mutate()}>
            {t`Switch the top-up off`}
          </Button>
        ) : null
      }
    >
      <p role="status">
        <TopUpState {...saved} />
      </p>
      <LabelledControl
        label={t`Pack that is bought`}
        control={(props) => (
          <Select
            {...props}
            value={values.productId}
            options={packs.map(({ id, name, price, credits }) => [
              id,
              `${name} · ${money(price.cents, price.currency)} · ${formatCredits(credits)}`,
            ])}
            onSelect={(productId) => setTyped({ ...typed, ...(productId && { productId }) })}
          />
        )}
      />
      <NumberField
        label={t`When fewer credits are left than`}
        max={1_000_000_000}
        value={values.below}
        onChange={(event) => setTyped({ ...typed, below: event.target.value })}
      />
      <NumberField
        label={t`Times a month, at most`}
        hint={t`Your saved card is charged. A mail follows each time; what fails or is not confirmed pauses it.`}
        max={100}
        value={values.maxPerMonth}
        onChange={(event) => setTyped({ ...typed, maxPerMonth: event.target.value })}
      />
    </ActionForm>
  )
}

function TopUpState({ rule, last }: Saved) {
  if (last?.state === 'action' && last.url)
    return (
      <>
        <Mark kind="failed" label={t`Your bank asks you to confirm a payment.`} />{' '}
        <a href={last.url}>{t`Confirm the payment`}</a>
      </>
    )
  if (!rule) return <Mark kind="none" label={t`Off: nothing is bought by itself.`} />
  if (rule.paused) return <Mark kind="failed" label={pausedText(rule.paused)} />
  return <Mark kind="done" label={last?.state === 'paid' ? t`On. The last top-up was paid.` : t`On.`} />
}

function pausedText(reason: string): string {
  const texts: Record<string, string> = {
    no_card: t`Paused: no card is saved yet. Switch it on to save one.`,
    declined: t`Paused: the card was declined. Check it in the portal, then switch it on.`,
    balance: t`Paused: money that the processor keeps for you would pay, and brings no credits.`,
    expired: t`Paused: the payment was not confirmed in time.`,
    no_answer: t`Paused: the payment processor did not answer for most of a day.`,
    not_applied: t`Paused: the payment arrived, and its credits wait for an administrator.`,
  }
  return texts[reason] ?? t`Paused: the pack is not sold any more. Choose another one.`
}
