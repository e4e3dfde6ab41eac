/** What the pages of a user and of a team have in common for administrators: head, balance, credits, films, payments and history of the owner. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { TransactionTable } from '../credits/transaction-table.tsx'
import { Button } from '../ui/button.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatNumber } from '../ui/format.ts'
import { PagedList, TableSkeleton } from '../ui/infinite-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { OwedForm, TakeForm } from './correction-form.tsx'
import { EndedTable } from './ended-videos.tsx'
import { GrantForm } from './grant-form.tsx'
import { AdminPage } from './kit.tsx'
import { OwnerState } from './owner-columns.tsx'
import styles from './owner-page.module.css'
import { type Owner, userHistoryQuery } from './queries.ts'
import { ReverseExpiry, reversiblePackage } from './reverse-expiry.tsx'
import { UserPayments } from './user-payments.tsx'
import { endedVideosQuery } from './video-queries.ts'

type Props = {
  /** The title while the owner is not known. */
  title: string
  owner: Owner | undefined
  name: string | undefined
  isLocked: boolean
  error: KinoraError | null
  retry: () => void
  loadingLabel: string
  identity: ReactNode
  /** What precedes the forms of credits, for an owner that is not deleted. */
  access: ReactNode
  /** What follows the history. */
  end?: ReactNode
}

/** A deleted owner has no forms. */
export function OwnerPage({ title, owner, name, isLocked, error, retry, loadingLabel, identity, access, end }: Props) {
  const id = owner?.id
  return (
    <AdminPage
      title={name ?? title}
      heading={<h1 className={styles.name}>{name ?? title}</h1>}
      aside={owner ? <OwnerState deletedAt={owner.deletedAt} isLocked={isLocked} /> : null}
    >
      {error && !owner ? <ErrorState error={error} {...(error.code === 'NOT_FOUND' ? {} : { retry })} /> : null}
      {owner ? (
        <>
          <div className={styles.twoColumns}>
            {identity}
            <OwnerBalance owner={owner} />
          </div>
          {owner.deletedAt ? null : (
            <>
              {access}
              <GrantForm key={id} user={owner} />
              <TakeForm key={`take ${id}`} user={owner} />
              <OwedForm key={`owed ${id}`} user={owner} />
            </>
          )}
          <OwnerFilms id={owner.id} />
          <UserPayments id={owner.id} />
          <OwnerHistory owner={owner} />
          {end}
        </>
      ) : null}
      {owner || error ? null : (
        <LoadingState label={loadingLabel}>
          <div className={styles.twoColumns}>
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="248px" />
          </div>
        </LoadingState>
      )}
    </AdminPage>
  )
}

const OWED_HINT = t`Credits of refunded or disputed payments that are used or frozen, so they could not be taken back`

/** What the owner has, and the ways to the films in progress and to the audit log. */
const OwnerBalance = ({ owner: { id, credits, inProgress } }: { owner: Owner }) => (
  <section className="panel" aria-label={t`What is there`}>
    <dl className="facts">
      <Fact name={t`Available`}>{formatNumber(credits.available)}</Fact>
      <Fact name={t`Frozen`}>{formatNumber(credits.frozen)}</Fact>
      <Fact name={t`Used`}>{formatNumber(credits.used)}</Fact>
      <Fact name={t`Expired`}>{formatNumber(credits.expired)}</Fact>
      <Fact name={t`Claimed back`}>{formatNumber(credits.clawedBack)}</Fact>
      <Fact name={t`Total`}>{formatNumber(credits.total)}</Fact>
      <Fact name={t`Owed`}>
        {credits.owed > 0 ? <Mark kind="failed" title={OWED_HINT} label={formatNumber(credits.owed)} /> : '0'}
      </Fact>
      <Fact name={t`Films in progress`}>{formatNumber(inProgress)}</Fact>
    </dl>
    <div className="row">
      <Link to="/admin/videos" search={{ userId: id }} className="button">
        {inProgress > 0 ? t`Why they take so long` : t`Films in progress`}
      </Link>
      <Link to="/admin/audit" search={{ userId: id }} className="button">
        {t`What administrators did`}
      </Link>
    </div>
  </section>
)

const FILMS_SHOWN = 5

/** The latest films that have ended, with a link to all of them. */
function OwnerFilms({ id }: { id: string }) {
  const { data, error, refetch } = useInfiniteQuery(endedVideosQuery({ userId: id }, FILMS_SHOWN))
  const videos = data?.pages[0]?.videos
  return (
    <div className="stack">
      <div className="page-head">
        <h2>{t`Films`}</h2>
        <Link to="/admin/videos" search={{ userId: id, state: 'ended' }} className="button">
          {t`Films that ended`}
        </Link>
      </div>
      {error && !videos ? <ErrorState error={error} retry={refetch} /> : null}
      {videos || error ? null : <TableSkeleton label={t`Loading the films`} />}
      {videos?.length === 0 ? <EmptyState>{t`No film has ended yet.`}</EmptyState> : null}
      {videos?.length ? <EndedTable videos={videos} isOfOneUser /> : null}
    </div>
  )
}

/** The credit transactions, newest first, loaded page by page. An expiry can be reversed from its row. */
function OwnerHistory({ owner }: { owner: Owner }) {
  const history = useInfiniteQuery(userHistoryQuery(owner.id))
  const [reversing, setReversing] = useState<string | null>(null)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">{t`History`}</h2>
      <PagedList
        list={history}
        rowsOf={(page) => page.transactions}
        total={history.data?.pages[0]?.total}
        loading={t`Loading the history`}
        empty={t`Every credit that comes or goes will be listed here.`}
      >
        {(transactions) => (
          <TransactionTable
            transactions={transactions}
            makers={history.data?.pages.flatMap(({ makers }) => makers) ?? []}
            isOwn={false}
            action={(transaction) => {
              const packageId = reversiblePackage(transaction)
              return packageId && !owner.deletedAt ? (
                <Button onClick={() => setReversing(packageId)}>{t`Reverse`}</Button>
              ) : null
            }}
          />
        )}
      </PagedList>
      {reversing ? <ReverseExpiry user={owner} packageId={reversing} onClose={() => setReversing(null)} /> : null}
    </section>
  )
}
