/** Payment page: one payment with its refunds, disputes and failed attempts, and the form that refunds it. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { money } from '../plans/pricing.ts'
import { useAction } from '../ui/action-form.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { QueryState, SkeletonBlock } from '../ui/states.tsx'
import { AdminPage, tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import { NoticeText } from './payment-notice.tsx'
import { mayHaveHappened } from './queries.ts'
import { ReasonForm } from './reason-form.tsx'

type Detail = Schemas['PaymentDetail']

const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'payments', 'one', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/payments/{id}', { params: { path: { id } }, signal })),
    // The processor's event arrives by itself.
    refetchInterval: ({ state }) => (state.data?.refunds.some(isUnderWay) ? 3_000 : false),
  })
const isUnderWay = ({ state, endedAt }: Detail['refunds'][number]): boolean =>
  state === 'open' || (state === 'accepted' && endedAt !== null && Date.now() - Date.parse(endedAt) < 60_000)

export function AdminPaymentPage() {
  const { id } = useParams({ from: '/signed-in/admin/payments/made/$id' })
  const query = useQuery(paymentQuery(id))
  return (
    <AdminPage title={t`Payment`}>
      <QueryState query={query} loading={t`Loading the payment`} skeleton={<SkeletonBlock height="320px" />}>
        {(detail) => (
          <div className="stack">
            <Facts detail={detail} />
            <Refund key={detail.refunds.length} id={id} detail={detail} />
            {detail.refunds.length > 0 ? <Refunds detail={detail} /> : null}
            {detail.returns.length > 0 ? <Returns detail={detail} /> : null}
            {detail.notices.length > 0 ? <Notices detail={detail} /> : null}
          </div>
        )}
      </QueryState>
    </AdminPage>
  )
}

const Facts = ({ detail: { payment, paid, left, url } }: { detail: Detail }) => (
  <section className="panel" aria-labelledby="payment-facts">
    <h2 id="payment-facts" lang="en">
      {payment.remark}
    </h2>
    <dl className="facts">
      <Fact name={t`User`}>
        <OwnerLink of={payment} />
      </Fact>
      <Fact name={t`When`}>{formatUtcTime(payment.at)}</Fact>
      <Fact name={t`Paid in money, with tax`}>{money(paid, payment.currency)}</Fact>
      <Fact name={t`Returned, without tax`}>{money(payment.returned, payment.currency)}</Fact>
      <Fact name={t`Left to refund`}>{money(left, payment.currency)}</Fact>
      <Fact name={t`Credits`}>{formatNumber(payment.credits)}</Fact>
      <Fact name={t`Processor, and its id`}>
        <span lang="en">{payment.processor}</span> <code>{payment.orderNo}</code>
      </Fact>
      {url ? (
        <Fact name={t`At the processor`}>
          <a href={url} target="_blank" rel="noreferrer">
            {t`Open its page`}
          </a>
        </Fact>
      ) : null}
    </dl>
  </section>
)

const hindranceTexts: Record<NonNullable<Detail['refund']['hindrance']>, string> = {
  not_set_up: t`It cannot be refunded here: its processor is not set up any more.`,
  no_call: t`It cannot be refunded here: the processor has no call for it. Refund it in the processor’s own pages.`,
  disputed: t`It cannot be refunded: it is disputed, and the bank decides. Answer the dispute at the processor.`,
  in_progress: t`A refund is on its way: the processor has not answered yet, and is asked again by itself.`,
  nothing_left: t`Nothing is left to refund.`,
}

/** "7.45" → 745; null for what is no amount. */
function centsOf(text: string, currency: string): number | null {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const cents = Math.round(Number(text.replace(',', '.')) * 10 ** digits)
  return Number.isFinite(cents) && cents > 0 ? cents : null
}

function Refund({ id, detail: { payment, left, refund } }: { id: string; detail: Detail }) {
  const [amount, setAmount] = useState('')
  const { keyOf, settle } = useIdempotencyKeys()
  const cents = amount.trim() === '' ? null : centsOf(amount, payment.currency)
  const isValid = amount.trim() === '' || (cents !== null && cents <= left)
  const action = useAction({
    mutationKey: ['admin', 'refund', id],
    send: async (reason: string) => {
      const body = { reason, ...(cents === null ? {} : { cents }) }
      const fingerprint = JSON.stringify([id, body])
      const params = { path: { id }, header: { 'idempotency-key': keyOf(fingerprint) } }
      const refunded = await dataOf(kinora.POST('/api/v1/admin/payments/{id}/refund', { params, body }))
      settle(fingerprint)
      return refunded
    },
    refresh: () => refreshQueries(['admin']),
    refreshesAlways: true,
  })
  const all = money(left, payment.currency)
  if (refund.hindrance !== null)
    return (
      <section className="panel" aria-labelledby="refund">
        <h2 id="refund">{t`Refund`}</h2>
        <p>{hindranceTexts[refund.hindrance]}</p>
      </section>
    )
  return (
    <ReasonForm
      action={action}
      onSubmit={(reason) => action.mutate(reason)}
      submitLabel={cents === null ? t`Refund ${all}` : t`Refund ${money(cents, payment.currency)}`}
      kind="danger"
      isUsable={isValid}
      detail={
        mayHaveHappened(action.error) ? (
          <p>{t`It may have been refunded all the same. Press again: the same refund is made once.`}</p>
        ) : null
      }
    >
      <h2>{t`Refund`}</h2>
      <p className="quiet">
        {t`The processor pays the money back; its event takes the credits of it, also those that were used.`}
      </p>
      {refund.takesPart ? (
        <Field
          label={t`Amount, with tax`}
          hint={t`Leave it empty to refund all that is left: ${all}.`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={({ target }) => setAmount(target.value)}
        />
      ) : (
        <p className="quiet">{t`This processor refunds a payment as a whole alone; a part in its own pages.`}</p>
      )}
    </ReasonForm>
  )
}

const refundStates: Record<Detail['refunds'][number]['state'], StateLabel> = {
  open: { label: t`Not answered yet`, kind: 'running' },
  accepted: { label: t`Made`, kind: 'done' },
  refused: { label: t`Refused`, kind: 'failed' },
}

const Refunds = ({ detail: { refunds, payment } }: { detail: Detail }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Refunds that were asked for here`}
    rows={refunds}
    keyOf={({ id }) => id}
    columns={[
      { head: t`When`, cell: ({ createdAt }) => formatUtcTime(createdAt) },
      {
        head: t`State`,
        cell: ({ state }) => <Mark {...refundStates[state]} />,
        below: ({ answer, externalId }) => (answer ? <span lang="en">{answer}</span> : <code>{externalId}</code>),
      },
      { head: t`Amount`, isNumber: true, cell: ({ cents }) => money(cents, payment.currency) },
      { head: t`Reason`, cell: ({ reason }) => reason, below: ({ actorEmail }) => actorEmail },
    ]}
  />
)

const returnKinds: Record<string, string> = {
  refund: t`Refund`,
  refunded: t`Refunded in all`,
  returned: t`Returned in all`,
  dispute: t`Dispute`,
  credited: t`Credited to the balance`,
}
const returnStates: Record<Detail['returns'][number]['state'], string> = {
  taken: t`Took its credits`,
  'given back': t`Given back`,
  failed: t`Failed, and given back`,
}

const Returns = ({ detail: { returns, payment } }: { detail: Detail }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`What the processor reports`}
    rows={returns}
    keyOf={({ key }) => key}
    columns={[
      { head: t`When`, cell: ({ at }) => formatUtcTime(at) },
      { head: t`What`, cell: ({ kind }) => returnKinds[kind] ?? kind, below: ({ key }) => <code>{key}</code> },
      { head: t`Amount`, isNumber: true, cell: ({ cents }) => money(cents, payment.currency) },
      { head: t`State`, cell: ({ state }) => returnStates[state] },
    ]}
  />
)

const Notices = ({ detail: { notices } }: { detail: Detail }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Disputes and failed attempts`}
    rows={notices}
    keyOf={({ objectId, at }) => `${objectId} ${at}`}
    columns={[
      { head: t`When`, cell: ({ at }) => formatUtcTime(at) },
      { head: t`What`, cell: (notice) => <NoticeText notice={notice} /> },
    ]}
  />
)
