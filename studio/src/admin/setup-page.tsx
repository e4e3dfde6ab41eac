/** Checklist page of a new service: what it needs, item by item, each with its test and what to do. */
import type { DataOf } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { formatNumber, formatRelativeTime } from '../ui/format.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { ErrorState, QueryState } from '../ui/states.tsx'
import { AdminPage } from './kit.tsx'
import styles from './models-page.module.css'
import { setupQuery } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'

type Setup = DataOf<'get', '/api/v1/admin/setup'>
type Item = Setup['items'][number]
type Test = Setup['tests'][number]

const items: Record<Item, { name: string; text: string }> = {
  address: {
    name: t`Address`,
    text: t`PUBLIC_URL leads here from outside, and providers reach the callbacks. The test asks the address itself.`,
  },
  mail: {
    name: t`Mail`,
    text: t`Passwords are reset and addresses verified by mail, which SMTP_URL sends. The test sends one to you.`,
  },
  storage: { name: t`Storage`, text: t`Where films are kept. The test stores a file, reads it and removes it.` },
  provider: {
    name: t`AI provider`,
    text: t`Who makes the films. The test asks each account whether it takes the key, by a call that costs nothing.`,
  },
  processor: {
    name: t`Payment processor`,
    text: t`Who takes the money for credits. The test reads one entry of the account.`,
  },
  certificate: {
    name: t`Certificates`,
    text: t`That of the address, and that by which films say that AI has made them. The test reads until when they are valid.`,
  },
  backup: {
    name: t`Backup`,
    text: t`A copy of books and films elsewhere, every night. The test looks for the newest.`,
  },
  factor: {
    name: t`Second factor`,
    text: t`An administrator can move credits and read what users wrote. The test asks who signs in by a password alone.`,
  },
}
const states: Record<Test['state'], StateLabel> = {
  good: { label: t({ message: 'Works', context: 'an item of the checklist' }), kind: 'done' },
  advice: { label: t`Something is left to do`, kind: 'running' },
  fault: { label: t`Does not work`, kind: 'failed' },
}
const untested: StateLabel = { label: t`Not tested yet`, kind: 'none' }
const refresh = () => refreshQueries(setupQuery.queryKey)

export function SetupPage() {
  const query = useQuery(setupQuery)
  const [isClosing, setClosing] = useState(false)
  return (
    <AdminPage
      title={t`Checklist`}
      aside={
        query.data?.isOpen ? <Button onClick={() => setClosing(true)}>{t`Show it first no more`}</Button> : undefined
      }
    >
      <p className="quiet">{t`What a service needs before users come. Settings are of the environment: after a change the service starts anew.`}</p>
      <QueryState query={query} loading={t`Loading the checklist`} skeletonHeight="480px">
        {({ items: listed, tests }) => (
          <>
            <p role="status">
              {t`${formatNumber(tests.filter(({ state }) => state === 'good').length)} of ${formatNumber(listed.length)} work.`}
            </p>
            {listed.map((item) => (
              <ItemPanel key={item} item={item} last={tests.find((each) => each.item === item) ?? null} />
            ))}
          </>
        )}
      </QueryState>
      {isClosing ? (
        <ReasonDialog
          title={t`Show the checklist first no more?`}
          submitLabel={t`Show it first no more`}
          send={(reason) => dataOf(kinora.POST('/api/v1/admin/setup/close', { body: { reason } }))}
          refresh={refresh}
          onClose={() => setClosing(false)}
        >
          <p className="quiet">{t`It stays under Checklist, for you and every other administrator.`}</p>
        </ReasonDialog>
      ) : null}
    </AdminPage>
  )
}

function ItemPanel({ item, last }: { item: Item; last: Test | null }) {
  const test = useAction({
    send: () => dataOf(kinora.POST('/api/v1/admin/setup/{item}/test', { params: { path: { item } } })),
    refresh,
  })
  const { name, text } = items[item]
  return (
    <section className="panel" aria-labelledby={`setup-${item}`}>
      <div className="page-head">
        <h2 id={`setup-${item}`}>{name}</h2>
        <Button busy={test.isPending} aria-label={t`Test: ${name}`} onClick={() => test.mutate()}>
          {t`Test`}
        </Button>
      </div>
      <p className="quiet">{text}</p>
      <p role="status">
        <Mark {...(last ? states[last.state] : untested)} />{' '}
        {last ? (
          <span className="quiet">{t`${last.actorEmail ?? t`A deleted account`}, ${formatRelativeTime(last.testedAt)}`}</span>
        ) : null}
      </p>
      {test.error ? <ErrorState error={test.error} /> : null}
      {test.data ? <Findings findings={test.data.findings} /> : null}
    </section>
  )
}

type FindingRow = DataOf<'post', '/api/v1/admin/setup/{item}/test'>['findings'][number]

/** As `kinora doctor` prints them. */
const Findings = ({ findings }: { findings: FindingRow[] }) =>
  findings.length === 0 ? (
    <p>{t`There is nothing to test in these settings.`}</p>
  ) : (
    <ul className={styles.problems} lang="en">
      {findings.map(({ what, state, remedy }) => (
        <li key={`${what} ${state}`}>
          {what}: {state}
          {remedy ? <span className="secondary">{remedy}</span> : null}
        </li>
      ))}
    </ul>
  )
