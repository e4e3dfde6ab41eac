/** Codes page: redemption codes, newest first, with a form that makes one; an open one can be ended. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, NumberField, useFields } from '../ui/field.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { AdminPage, tableClass } from './kit.tsx'

type Code = Schemas['AdminCode']

const codesQuery = pagedQuery(['admin', 'codes'], (query, signal) =>
  kinora.GET('/api/v1/admin/codes', { params: { query }, signal }),
)
const refresh = () => refreshQueries(codesQuery.queryKey)

const stateLabels: Record<Code['state'], StateLabel> = {
  open: { label: t({ message: 'Open', context: 'can be used' }), kind: 'done' },
  used_up: { label: t`Used up`, kind: 'none' },
  ended: { label: t({ message: 'Ended', context: 'a code' }), kind: 'none' },
  expired: { label: t`Out of date`, kind: 'none' },
}

export function CodesPage() {
  const list = usePages(codesQuery)
  const [ending, setEnding] = useState<Code | null>(null)
  return (
    <AdminPage title={t`Codes`}>
      <div className="columns list-last">
        <div className="stack">
          <PagedList
            list={list}
            rowsOf={(page) => page.codes}
            loading={t`Loading the codes`}
            empty={t`Users redeem a code under Plans and get its credits, once for each e-mail address. Your codes will be listed here.`}
          >
            {(codes) => <CodeTable codes={codes} onEnd={setEnding} />}
          </PagedList>
        </div>
        <CreateCodeForm />
      </div>
      {ending ? (
        <ActionDialog
          title={t`End ${ending.code}?`}
          submitLabel={t`End the code`}
          kind="danger"
          send={() => dataOf(kinora.DELETE('/api/v1/admin/codes/{id}', { params: { path: { id: ending.id } } }))}
          refresh={refresh}
          onClose={() => setEnding(null)}
        >
          <p>{t`No user can redeem it any more. The ${formatNumber(ending.uses)} who have keep their credits.`}</p>
        </ActionDialog>
      ) : null}
    </AdminPage>
  )
}

const CodeTable = ({ codes, onEnd }: { codes: Code[]; onEnd: (code: Code) => void }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Codes, newest first`}
    rows={codes}
    columns={[
      { head: t`Code, and note`, isRowHead: true, cell: (code) => <CodeAndNote code={code} /> },
      { head: t`State`, cell: ({ state }) => <Mark {...stateLabels[state]} /> },
      {
        head: t`Uses`,
        isNumber: true,
        cell: (each) => t`${formatNumber(each.uses)} of ${formatNumber(each.usesMax)}`,
      },
      { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
      {
        head: t`Until`,
        title: ({ expiresAt }) => formatUtcTime(expiresAt),
        cell: ({ expiresAt }) => formatUtcDate(expiresAt),
      },
      {
        head: t({ message: 'End', context: 'a code' }),
        isAction: true,
        cell: (each) =>
          each.state === 'open' ? (
            <Button kind="quiet" onClick={() => onEnd(each)} aria-label={t`End ${each.code}`}>
              {t({ message: 'End', context: 'a code' })}
            </Button>
          ) : null,
      },
    ]}
  />
)

const CodeAndNote = ({ code: each }: { code: Code }) => (
  <>
    <code>{each.code}</code>
    <span className="secondary">{each.note}</span>
    {each.newCustomers ? <span className="secondary">{t`new customers only`}</span> : null}
    {each.networkMax === null ? null : (
      <span className="secondary">{t`${formatNumber(each.networkMax)} of one network`}</span>
    )}
  </>
)

const initial = {
  ...{ code: '', credits: '', creditDays: '365', usesMax: '1', networkMax: '', newCustomers: false },
  ...{ days: '30', note: '' },
}

function CreateCodeForm() {
  const { values, text, check, reset } = useFields(initial)
  const create = useAction({
    send: () => dataOf(kinora.POST('/api/v1/admin/codes', { body: bodyOf(values) })),
    refresh: () => {
      reset()
      return refresh()
    },
  })
  return (
    <ActionForm
      action={create}
      onSubmit={() => create.mutate()}
      submitLabel={t`Make code`}
      isReady={values.credits !== ''}
      result={
        create.data ? (
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
        ) : null
      }
    >
      <h2>{t`New code`}</h2>
      <NumberField label={t`Credits of each user`} max={10_000_000} required {...text('credits')} />
      <NumberField label={t`Valid for, in days`} max={3650} required {...text('creditDays')} />
      <NumberField label={t`How many users`} max={1_000_000} required {...text('usesMax')} />
      <NumberField label={t`How many of one network, if not all`} max={1_000_000} {...text('networkMax')} />
      <Check label={t`Only those who have bought nothing yet`} {...check('newCustomers')} />
      <NumberField label={t`Ends after, in days`} max={3650} required {...text('days')} />
      <Field
        label={t`Text, if not a random one`}
        hint={t`8 letters and digits at least. Short words are guessed.`}
        maxLength={60}
        autoComplete="off"
        {...text('code')}
      />
      <Field label={t`Note for administrators`} maxLength={500} {...text('note')} />
    </ActionForm>
  )
}

const bodyOf = ({ code, note, newCustomers, ...numbers }: typeof initial) => ({
  credits: Number(numbers.credits),
  creditDays: Number(numbers.creditDays),
  usesMax: Number(numbers.usesMax),
  networkMax: numbers.networkMax ? Number(numbers.networkMax) : null,
  newCustomers,
  days: Number(numbers.days),
  ...(code.trim() ? { code } : {}),
  ...(note.trim() ? { note } : {}),
})
