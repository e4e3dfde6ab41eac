/** Codes page: redemption codes, newest first, with a form that makes one; an open one can be ended. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { EndDialog } from './end-dialog.tsx'
import { NumberField } from './number-field.tsx'
import { keysetPagination } from './queries.ts'

type Code = Schemas['AdminCode']

const codesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'codes'],
  ...keysetPagination,
  queryFn: ({ pageParam, signal }) => {
    const query = { pageSize: 25, ...(pageParam ? { cursor: pageParam } : {}) }
    return dataOf(kinora.GET('/api/v1/admin/codes', { params: { query }, signal }))
  },
})

const stateLabels: Record<Code['state'], { label: string; kind: 'done' | 'none' }> = {
  open: { label: t({ message: 'Open', context: 'can be used' }), kind: 'done' },
  used_up: { label: t`Used up`, kind: 'none' },
  ended: { label: t({ message: 'Ended', context: 'a code' }), kind: 'none' },
  expired: { label: t`Out of date`, kind: 'none' },
}

export function CodesPage() {
  const list = useInfiniteQuery(codesQuery)
  const [ending, setEnding] = useState<Code | null>(null)
  const codes = list.data?.pages.flatMap((page) => page.codes)
  return (
    <div className="page">
      <PageTitle of={[t`Codes`, t`Administration`]} />
      <h1>{t`Codes`}</h1>
      <div className="columns list-last">
        <div className="stack">
          {list.error && !codes ? <ErrorState error={list.error} retry={list.refetch} /> : null}
          {list.isPending ? <TableSkeleton label={t`Loading the codes`} /> : null}
          {codes?.length === 0 ? (
            <EmptyState>{t`Users redeem a code under Plans and get its credits, once for each e-mail address. Your codes will be listed here.`}</EmptyState>
          ) : null}
          {codes?.length ? <CodeTable codes={codes} onEnd={setEnding} /> : null}
          {list.hasNextPage ? <ShowMore list={list} /> : null}
        </div>
        <CreateCodeForm />
      </div>
      {ending ? (
        <EndDialog
          title={t`End ${ending.code}?`}
          text={t`No user can redeem it any more. The ${formatNumber(ending.uses)} who have keep their credits.`}
          submitLabel={t`End the code`}
          end={() => dataOf(kinora.DELETE('/api/v1/admin/codes/{id}', { params: { path: { id: ending.id } } }))}
          queryKey={['admin', 'codes']}
          onClose={() => setEnding(null)}
        />
      ) : null}
    </div>
  )
}

const CodeTable = ({ codes, onEnd }: { codes: Code[]; onEnd: (code: Code) => void }) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`Codes, newest first`}>
      <thead>
        <tr>
          <th scope="col">{t`Code, and note`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col" className="number">
            {t`Uses`}
          </th>
          <th scope="col" className="number">
            {t`Credits`}
          </th>
          <th scope="col">{t`Until`}</th>
          <th scope="col">
            <span className="hidden-text">{t({ message: 'End', context: 'a code' })}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {codes.map((each) => (
          <tr key={each.id}>
            <th scope="row">
              <code>{each.code}</code>
              <span className={adminStyles.secondary}>{each.note}</span>
              {each.newCustomers ? <span className={adminStyles.secondary}>{t`new customers only`}</span> : null}
              {each.networkMax === null ? null : (
                <span className={adminStyles.secondary}>{t`${formatNumber(each.networkMax)} of one network`}</span>
              )}
            </th>
            <td>
              <span className="mark" data-kind={stateLabels[each.state].kind}>
                {stateLabels[each.state].label}
              </span>
            </td>
            <td className="number">{t`${formatNumber(each.uses)} of ${formatNumber(each.usesMax)}`}</td>
            <td className="number">{formatNumber(each.credits)}</td>
            <td title={formatUtcTime(each.expiresAt)}>{formatUtcDate(each.expiresAt)}</td>
            <td className="number">
              {each.state === 'open' ? (
                <Button kind="quiet" onClick={() => onEnd(each)} aria-label={t`End ${each.code}`}>
                  {t({ message: 'End', context: 'a code' })}
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </div>
)

const initial = {
  ...{ code: '', credits: '', creditDays: '365', usesMax: '1', networkMax: '', newCustomers: false },
  ...{ days: '30', note: '' },
}

function CreateCodeForm() {
  const [values, setValues] = useState(initial)
  const set = (name: keyof typeof initial) => (value: string | boolean) =>
    setValues((before) => ({ ...before, [name]: value }))
  const create = useSingleFlight({
    mutationFn: ({ code, note, newCustomers, ...numbers }: typeof initial) =>
      dataOf(
        kinora.POST('/api/v1/admin/codes', {
          body: {
            credits: Number(numbers.credits),
            creditDays: Number(numbers.creditDays),
            usesMax: Number(numbers.usesMax),
            networkMax: numbers.networkMax ? Number(numbers.networkMax) : null,
            newCustomers,
            days: Number(numbers.days),
            ...(code.trim() ? { code } : {}),
            ...(note.trim() ? { note } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      setValues(initial)
      await refreshQueries(['admin', 'codes'])
    },
  })
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(values)
      }}
    >
      <h2>{t`New code`}</h2>
      <NumberField label={t`Credits of each user`} max={10_000_000} value={values.credits} onChange={set('credits')} />
      <NumberField label={t`Valid for, in days`} max={3650} value={values.creditDays} onChange={set('creditDays')} />
      <NumberField label={t`How many users`} max={1_000_000} value={values.usesMax} onChange={set('usesMax')} />
      <NumberField
        label={t`How many of one network, if not all`}
        max={1_000_000}
        required={false}
        value={values.networkMax}
        onChange={set('networkMax')}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={values.newCustomers}
          onChange={({ target }) => set('newCustomers')(target.checked)}
        />
        {t`Only those who have bought nothing yet`}
      </label>
      <NumberField label={t`Ends after, in days`} max={3650} value={values.days} onChange={set('days')} />
      <Field
        label={t`Text, if not a random one`}
        hint={t`8 letters and digits at least. Short words are guessed.`}
        maxLength={60}
        autoComplete="off"
        value={values.code}
        onChange={({ target }) => set('code')(target.value)}
      />
      <Field
        label={t`Note for administrators`}
        maxLength={500}
        value={values.note}
        onChange={({ target }) => set('note')(target.value)}
      />
      {create.error ? <ErrorState error={create.error} /> : null}
      <Button type="submit" kind="primary" busy={create.isPending} disabled={!values.credits}>
        {t`Make code`}
      </Button>
      {create.data ? (
        <div role="status" className="stack">
          <p>
            <Trans>
              <code>{create.data.code}</code> can be redeemed.
            </Trans>
          </p>
          <div>
            <CopyButton text={create.data.code} label={t`Copy the code`} />
          </div>
        </div>
      ) : null}
    </form>
  )
}
