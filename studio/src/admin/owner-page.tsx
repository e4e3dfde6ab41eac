/** Shared by administrators' pages of a user and of a team: head, balance, credits, films, payments, history. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { dataOf, kinora } from '../api.ts'
import { TransactionTable } from '../credits/transaction-table.tsx'
import type { CreditTransaction } from '../credits/transaction-types.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { useSingleFlight } from '../single-flight.ts'
import { ActionForm } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { NumberField, useFields } from '../ui/field.tsx'
import { formatCredits, formatNumber, formatUtcTime } from '../ui/format.ts'
import { PagedList, TableSkeletonRows } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Mark } from '../ui/mark.tsx'
import { EmptyState, QueryState, SkeletonBlock } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { OwedForm, TakeForm } from './correction-form.tsx'
import { EndedTable } from './ended-videos.tsx'
import { GrantForm } from './grant-form.tsx'
import { AdminPage } from './kit.tsx'
import { OwnerState } from './owner-columns.tsx'
import { OwnerDesk } from './owner-desk.tsx'
import styles from './owner-page.module.css'
import { mayHaveHappened, type Owner, ownerName, refetchOwner, userHistoryQuery } from './queries.ts'
import { ReasonField } from './reason-form.tsx'
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
  return (
    <AdminPage
      title={name ?? title}
      heading={<h1 className={styles.name}>{name ?? title}</h1>}
      aside={owner ? <OwnerState deletedAt={owner.deletedAt} isLocked={isLocked} /> : null}
    >
      <QueryState
        query={{ data: owner, error, refetch: retry }}
        loading={loadingLabel}
        skeleton={
          <div className={styles.twoColumns}>
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="248px" />
          </div>
        }
      >
        {(known) => (
          <>
            <div className={styles.twoColumns}>
              {identity}
              <OwnerBalance owner={known} />
            </div>
            {known.deletedAt ? null : (
              <>
                {access}
                <GrantForm key={known.id} user={known} />
                <TakeForm key={`take ${known.id}`} user={known} />
                <OwedForm key={`owed ${known.id}`} user={known} />
                <OwnerDesk key={`desk ${known.id}`} id={known.id} />
              </>
            )}
            <OwnerFilms id={known.id} />
            <UserPayments id={known.id} />
            <OwnerHistory owner={known} />
            {end}
          </>
        )}
      </QueryState>
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
      <Link to="/admin/mails" search={{ userId: id }} className="button">
        {t`Mails`}
      </Link>
    </div>
  </section>
)

const FILMS_SHOWN = 5

/** The latest films that have ended, with a link to all of them. */
function OwnerFilms({ id }: { id: string }) {
  const query = usePages(endedVideosQuery({ userId: id }, FILMS_SHOWN))
  return (
    <div className="stack">
      <div className="page-head">
        <h2>{t`Films`}</h2>
        <Link to="/admin/videos" search={{ userId: id, state: 'ended' }} className="button">
          {t`Films that ended`}
        </Link>
      </div>
      <QueryState query={query} loading={t`Loading the films`} skeleton={<TableSkeletonRows />}>
        {({ pages: [page] }) =>
          page?.videos.length ? (
            <EndedTable videos={page.videos} isOfOneUser />
          ) : (
            <EmptyState>{t`No film has ended yet.`}</EmptyState>
          )
        }
      </QueryState>
    </div>
  )
}

/** The credit transactions, newest first, loaded page by page. An expiry can be reversed from its row. */
function OwnerHistory({ owner }: { owner: Owner }) {
  const history = usePages(userHistoryQuery(owner.id))
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
              if (packageId && !owner.deletedAt)
                return <Button onClick={() => setReversing(packageId)}>{t`Reverse`}</Button>
              const { videoUuid: uuid } = transaction
              return uuid ? (
                <Link to="/admin/videos/$uuid" params={{ uuid }} className="button quiet">
                  {t`Why`}
                </Link>
              ) : null
            }}
          />
        )}
      </PagedList>
      {reversing ? <ReverseExpiry user={owner} packageId={reversing} onClose={() => setReversing(null)} /> : null}
    </section>
  )
}

type ReverseProps = { user: Owner; packageId: string; onClose: () => void }

/** The package whose credits the row wrote off, else null; the preview reports a reversal. */
const reversiblePackage = ({ transType, credits, packageId }: CreditTransaction): string | null =>
  transType === 'EXPIRED' && credits < 0 ? packageId : null

/**
 * Dialog that makes the expired credits of a package available again: reason, preview (a dry run), one request. The
 * days are needed only when the package itself has expired by now; without them the credits keep its expiry.
 */
function ReverseExpiry({ user, packageId, onClose }: ReverseProps) {
  const { values, text } = useFields({ reason: '', days: '' })
  const { keyOf, settle } = useIdempotencyKeys()
  const mutationKey = ['admin', 'reverse-expiry', user.id]
  const body = {
    userId: user.id,
    packageId,
    reason: values.reason.trim(),
    ...(values.days ? { expiryDays: Number(values.days) } : {}),
  }
  const preview = useSingleFlight({
    mutationKey,
    mutationFn: () => dataOf(kinora.POST('/api/v1/admin/credits/reverse-expiry', { body: { ...body, dryRun: true } })),
  })
  const reverse = useSingleFlight({
    mutationKey,
    mutationFn: async () => {
      const fingerprint = JSON.stringify(body)
      const header = { 'idempotency-key': keyOf(fingerprint) }
      const reversed = await dataOf(kinora.POST('/api/v1/admin/credits/reverse-expiry', { params: { header }, body }))
      settle(fingerprint)
      await refetchOwner(user.id)
      return reversed
    },
    onSuccess: ({ credits }) => {
      toast({ text: t`${formatCredits(credits)} made available again.` })
      onClose()
    },
  })
  const name = ownerName(user)
  const close = () => reverse.isPending || onClose()
  if (preview.data)
    return (
      <Dialog open onClose={close} title={t`This will be reversed`}>
        <ActionForm
          action={reverse}
          onSubmit={() => reverse.mutate()}
          submitLabel={t`Reverse the expiry`}
          onCancel={() => {
            preview.reset()
            reverse.reset()
          }}
          cancelLabel={t`Back`}
          isHeld
          detail={
            mayHaveHappened(reverse.error) ? (
              <p>{t`It may have been reversed all the same. Press again: the same reversal happens once.`}</p>
            ) : null
          }
        >
          <p className={styles.summary}>
            {t`${formatCredits(preview.data.credits)} of ${name} will be available again, until ${formatUtcTime(preview.data.expiryDate)}.`}
          </p>
          <p className="quiet">
            {t`What is owed for refunded or disputed payments of this package is taken from them first.`}
          </p>
          <dl className="facts">
            <Fact name={t`Package`}>
              <code>{packageId}</code>
            </Fact>
            <Fact name={t`Reason`}>{body.reason}</Fact>
          </dl>
        </ActionForm>
      </Dialog>
    )
  return (
    <Dialog open onClose={close} title={t`Reverse an expiry`}>
      <ActionForm
        action={preview}
        onSubmit={() => preview.mutate()}
        submitLabel={t`Preview`}
        isReady={body.reason !== ''}
        onCancel={close}
      >
        <ReasonField {...text('reason')} hint={t`Shown in the history, and in the audit.`} />
        <NumberField label={t`Valid for, in days`} max={3650} {...text('days')} />
        <p className="quiet small">{t`Left empty, they keep the expiry of their package.`}</p>
      </ActionForm>
    </Dialog>
  )
}
