/** Mails page: the outbox, newest first, filtered by state. Without a mail server it shows links for users. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatDateTime, formatNumber, formatRelativeTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { SentDialog } from '../ui/sent-dialog.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, LinkButton, tableClass } from './kit.tsx'
import styles from './mails-page.module.css'
import { OwnerOfId } from './owner-link.tsx'
import { ReasonDialog } from './reason-form.tsx'

type Mail = Schemas['ListedMail']

const mailsQuery = (filter: { status?: Mail['status']; userId?: string }) =>
  pagedQuery(
    ['admin', 'mails', filter],
    (page, signal) => {
      return kinora.GET('/api/v1/admin/mails', { params: { query: { ...page, ...filter } }, signal })
    },
    { keepsPrevious: true },
  )

/** Its read may be an entry of the audit log, so it is not repeated while the dialog is open. */
const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'mail', id],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/mails/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

const mailLabels: Record<Mail['status'], StateLabel> = {
  pending: { label: t`Waiting`, kind: 'plain' },
  sent: { label: t`Sent`, kind: 'done' },
  failed: { label: t`Failed`, kind: 'failed' },
  expired: { label: t`Out of date`, kind: 'plain' },
}

const isStatus = (text: string | undefined): text is Mail['status'] => text !== undefined && text in mailLabels

export function MailsPage() {
  const search = useSearch({ from: '/signed-in/admin/mails' })
  const navigate = useNavigate({ from: '/admin/mails' })
  const status = isStatus(search.status) ? search.status : undefined
  const { userId } = search
  const list = usePages(mailsQuery({ ...(status && { status }), ...(userId && { userId }) }))
  const [shown, setShown] = useState<string | null>(null)
  const isSetUp = list.data?.pages[0]?.isMailSetUp ?? true
  return (
    <AdminPage
      title={t`Mails`}
      aside={
        <StatusFilter
          labels={mailLabels}
          status={status}
          onChange={(next) =>
            navigate({ search: { ...(userId && { userId }), ...(next && { status: next }) }, replace: true })
          }
        />
      }
    >
      {userId ? (
        <p className="row">
          <OwnerOfId id={userId} />
          <Link to="/admin/mails" className="button quiet">{t`Mails to everyone`}</Link>
        </p>
      ) : null}
      {isSetUp ? null : (
        <p className="quiet">
          {t`No mail server is set up (SMTP_URL), so these mails are not sent. Open one to give its link to the user yourself.`}
        </p>
      )}
      <PagedList
        list={list}
        rowsOf={(page) => page.mails}
        loading={t`Loading the mails`}
        empty={status ? t`No mail is like this.` : t`What this service mails will be listed here.`}
      >
        {(mails) => <MailTable mails={mails} onShow={setShown} />}
      </PagedList>
      {shown ? <MailDialog id={shown} onClose={() => setShown(null)} /> : null}
    </AdminPage>
  )
}

const MailTable = ({ mails, onShow }: { mails: Mail[]; onShow: (id: string) => void }) => (
  <DataTable
    className={tableClass()}
    label={t`Mails, newest first`}
    rows={mails}
    columns={[
      {
        head: t`Subject`,
        cell: ({ id, subject }) => (
          <LinkButton onClick={() => onShow(id)} lang="en">
            {subject}
          </LinkButton>
        ),
      },
      {
        head: t`To`,
        cell: ({ to }) => (
          <span className={adminStyles.person} title={to}>
            {to || t`Owners of the team`}
          </span>
        ),
      },
      { head: t`State`, cell: ({ status }) => <Mark {...mailLabels[status]} /> },
      { head: t`Response`, className: styles.response, lang: 'en', cell: ({ response }) => response ?? '–' },
      {
        head: t`When`,
        title: ({ createdAt }) => formatDateTime(createdAt),
        cell: ({ createdAt }) => formatRelativeTime(createdAt),
      },
    ]}
  />
)

function MailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(mailQuery(id))
  const { data } = query
  const [isResending, setResending] = useState(false)
  if (isResending)
    return (
      <ReasonDialog
        title={t`Send the mail again?`}
        submitLabel={t`Send again`}
        send={(reason) =>
          dataOf(kinora.POST('/api/v1/admin/mails/{id}/retry', { params: { path: { id } }, body: { reason } }))
        }
        refresh={() => refreshQueries(['admin', 'mails'])}
        onClose={onClose}
      >
        {data?.status === 'failed' ? null : <p>{t`It goes as another mail to the address that its user has now.`}</p>}
      </ReasonDialog>
    )
  return (
    <SentDialog
      title={data?.subject ?? t`Mail`}
      query={query}
      copied={{ text: data?.text ?? '', label: t`Copy the text` }}
      retry={{ isPending: false, error: null, mutate: () => setResending(true) }}
      retryButton={data?.canRetry ? 'enabled' : 'none'}
      onClose={onClose}
    >
      {data ? (
        <>
          <dl className="facts">
            <Fact name={t`To`}>{data.to || t`Owners of the team`}</Fact>
            <Fact name={t`State`}>{mailLabels[data.status].label}</Fact>
            <Fact name={t`Attempts`}>{formatNumber(data.attempts)}</Fact>
            {data.response ? <Fact name={t`Response`}>{data.response}</Fact> : null}
            {data.nextAttemptAt && data.attempts > 0 ? (
              <Fact name={t`Sent next`}>{formatDateTime(data.nextAttemptAt)}</Fact>
            ) : null}
          </dl>
          <pre className={styles.text}>{data.text}</pre>
        </>
      ) : null}
    </SentDialog>
  )
}
