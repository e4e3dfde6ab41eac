/** What vendors publish beside the catalogue, on the Models page: drafts to take, and those in force to remove. */
import type { DataOf, Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { ActionDialog, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { NumberField, useFields } from '../ui/field.tsx'
import { formatList, formatRelativeTime } from '../ui/format.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { Select } from '../ui/select.tsx'
import { ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import styles from './models-page.module.css'
import { findingsQuery } from './queries.ts'
import { ReasonDialog } from './reason-form.tsx'

type Finding = Schemas['CatalogueFinding']
type Price = { usdPerSecond?: number; creditsPerSecond?: number }

const kinds: Record<Finding['kind'], StateLabel> = {
  new: { label: t({ message: 'New', context: 'a model at a vendor' }), kind: 'done' },
  gone: { label: t({ message: 'Gone', context: 'a model at a vendor' }), kind: 'failed' },
  repriced: { label: t`Another price`, kind: 'running' },
  values: { label: t`Other values`, kind: 'running' },
}
const refresh = () => Promise.all([refreshQueries(['admin']), refreshQueries(['models'])])
const take = ({ account, kind, name, model, digest }: Finding, price: Price = {}) =>
  dataOf(
    kinora.POST('/api/v1/admin/catalogue/take', {
      body: { account, kind, name, model, digest: digest ?? '', ...price },
    }),
  )
const keyOf = ({ account, kind, name, model }: Finding): string => JSON.stringify([account, kind, name, model])

export function CatalogueFindings() {
  const { data, error, refetch } = useQuery(findingsQuery)
  const [priced, setPriced] = useState<Finding | null>(null)
  const [removed, setRemoved] = useState<Taken | null>(null)
  if (error) return <ErrorState error={error} retry={refetch} />
  const failing = data?.accounts.filter(({ problem }) => problem !== null) ?? []
  const silent = data?.accounts.filter(({ publishes }) => !publishes).map(({ account }) => account) ?? []
  const taken = data?.taken.flatMap(takenModel) ?? []
  if (!data || data.findings.length + taken.length + failing.length === 0) return null
  return (
    <section className="panel" aria-labelledby="catalogue-findings">
      <h2 id="catalogue-findings">{t`What vendors publish`}</h2>
      <p className="quiet">{t`Compared every night. Nothing is offered before you take it, and a file of CATALOGUE_DIR wins over what you take.`}</p>
      {failing.map(({ account, problem }) => (
        <p key={account} lang="en">
          {account}: {problem}
        </p>
      ))}
      {silent.length > 0 ? <p className="quiet small">{t`These publish no list: ${formatList(silent)}.`}</p> : null}
      {data.findings.length > 0 ? <FindingTable findings={data.findings} onPrice={setPriced} /> : null}
      {taken.length > 0 ? <TakenList taken={taken} onRemove={setRemoved} /> : null}
      {priced ? <PriceDialog finding={priced} onClose={() => setPriced(null)} /> : null}
      {removed === null ? null : (
        <ReasonDialog
          title={t`Remove the draft of ${removed.model}?`}
          submitLabel={t`Remove`}
          kind="danger"
          send={(reason) =>
            dataOf(
              kinora.POST('/api/v1/admin/catalogue/restore', {
                body: { file: removed.file, version: removed.version, reason },
              }),
            )
          }
          refresh={refresh}
          onClose={() => setRemoved(null)}
        >
          <p className="quiet">{t`The draft before it, or the file of the release, counts again. Without one the model is offered no more; films in progress go on.`}</p>
        </ReasonDialog>
      )}
    </section>
  )
}

type Rows = { onPrice: (finding: Finding) => void }

const FindingTable = ({ findings, onPrice }: { findings: Finding[] } & Rows) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`What differs from the catalogue`}>
      <thead>
        <tr>
          <th scope="col">{t`Model`}</th>
          <th scope="col">{t`What differs`}</th>
          <th scope="col">
            <span className="hidden-text">{t`Take the draft`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <FindingRow key={keyOf(finding)} finding={finding} onPrice={onPrice} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function FindingRow({ finding, onPrice }: { finding: Finding } & Rows) {
  const { account, kind, model, text, draft, problems, needsPrice, foundAt } = finding
  const action = useAction({ send: () => take(finding), refresh, done: t`${model} is taken.` })
  const isReady = draft !== null && problems.length === 0
  return (
    <tr>
      <th scope="row" lang="en">
        {model}
        <span className="secondary">{account}</span>
      </th>
      <td className={styles.finding}>
        <Mark {...kinds[kind]} /> <span lang="en">{text}</span>
        <span className="secondary">{formatRelativeTime(foundAt)}</span>
        {problems.map((problem) => (
          <span key={problem} className="secondary" lang="en">
            {problem}
          </span>
        ))}
        {draft === null ? null : (
          <details className="secondary">
            <summary>{t`Draft`}</summary>
            <pre lang="en">{draft}</pre>
          </details>
        )}
        {action.error ? <ErrorState error={action.error} /> : null}
      </td>
      <td>
        {isReady ? (
          <Button
            busy={action.isPending}
            aria-label={t`Take ${model}, ${account}`}
            onClick={() => (needsPrice ? onPrice(finding) : action.mutate())}
          >
            {t`Take`}
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

function PriceDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { values, text } = useFields({ amount: '' })
  const [unit, setUnit] = useState<keyof Price>('creditsPerSecond')
  const amount = Number(values.amount)
  return (
    <ActionDialog
      title={t`Offer ${finding.model}?`}
      submitLabel={t`Take`}
      isReady={values.amount !== '' && amount > 0}
      send={() => take(finding, { [unit]: amount })}
      refresh={refresh}
      done={t`${finding.model} is taken.`}
      onClose={onClose}
    >
      <p className="quiet">{t`No list has its price. Credits are what users pay; of a cost the usual markup makes the price.`}</p>
      <NumberField
        label={t`A second of film`}
        min={0}
        max={unit === 'usdPerSecond' ? 100 : 10_000}
        isInteger={false}
        required
        {...text('amount')}
      />
      <Select
        aria-label={t`Unit`}
        value={unit}
        options={[
          ['creditsPerSecond', t`credits, as its price`],
          ['usdPerSecond', t`US dollars, as its cost`],
        ]}
        onSelect={(next) => setUnit(next === 'usdPerSecond' ? next : 'creditsPerSecond')}
      />
    </ActionDialog>
  )
}

type Taken = DataOf<'get', '/api/v1/admin/catalogue'>['taken'][number] & { model: string }

/** Products and templates are on Configuration. */
const takenModel = (taken: Omit<Taken, 'model'>): Taken[] => {
  const [, model] = /^models\/(.+)\.json$/.exec(taken.file) ?? []
  return model === undefined ? [] : [{ ...taken, model }]
}

const TakenList = ({ taken, onRemove }: { taken: Taken[]; onRemove: (taken: Taken) => void }) => (
  <>
    <h3>{t`Taken drafts`}</h3>
    <ul className={styles.taken}>
      {taken.map((each) => {
        const { model, reason, actorEmail, createdAt, isOverridden } = each
        return (
          <li key={model}>
            <span>
              <span lang="en">{model}</span>
              <span className="secondary">
                <span lang="en">{reason}</span> · {actorEmail ?? t`A deleted account`}, {formatRelativeTime(createdAt)}
                {isOverridden ? ` · ${t`A file of CATALOGUE_DIR wins over it.`}` : ''}
              </span>
            </span>
            <Button aria-label={t`Remove the draft of ${model}`} onClick={() => onRemove(each)}>
              {t`Remove`}
            </Button>
          </li>
        )
      })}
    </ul>
  </>
)
