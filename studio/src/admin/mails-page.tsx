/** Mails page: the outbox, newest first, filtered by state. Without a mail server it shows the links that users wait for. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Fact } from '../ui/fact.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import '../ui/field.css'
import { formatDateTime, formatNumber, formatRelativeTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { SentDialog } from '../ui/sent-dialog.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { type Mail, mailLabels, mailQuery, mailsQuery } from './mail-queries.ts'
import styles from './mails-page.module.css'

const isStatus = (text: string | undefined): text is Mail['status'] => text !== undefined && text in mailLabels

export function MailsPage() {
  const search = useSearch({ from: '/signed-in/admin/mails' })
  const navigate = useNavigate({ from: '/admin/mails' })
  const status = isStatus(search.status) ? search.status : undefined
  const list = useInfiniteQuery(mailsQuery(status))
  const [shown, setShown] = useState<string | null>(null)
  const mails = list.data?.pages.flatMap((page) => page.mails)
  const isSetUp = list.data?.pages[0]?.isMailSetUp ?? true
  return (
    <div className="page">
      <PageTitle of={[t`Mails`, t`Administration`]} />
      <div className="page-head">
        <h1>{t`Mails`}</h1>
        <StatusFilter
          labels={mailLabels}
          status={status}
          onChange={(next) => navigate({ search: next ? { status: next } : {}, replace: true })}
        />
      </div>
      {isSetUp ? null : (
        <p className="quiet">
          {t`No mail server is set up (SMTP_URL), so these mails are not sent. Open one to give its link to the user yourself.`}
        </p>
      )}
      {list.error && !mails ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the mails`} /> : null}
      {mails?.length === 0 ? (
        <EmptyState>{status ? t`No mail is like this.` : t`What this service mails will be listed here.`}</EmptyState>
      ) : null}
      {mails?.length ? <MailTable mails={mails} onShow={setShown} /> : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
      {shown ? <MailDialog id={shown} onClose={() => setShown(null)} /> : null}
    </div>
  )
}

const MailTable = ({ mails, onShow }: { mails: Mail[]; onShow: (id: string) => void }) => (
  <div className={adminStyles.table}>
    <TableFrame label={t`Mails, newest first`}>
      <thead>
        <tr>
          <th scope="col">{t`Subject`}</th>
          <th scope="col">{t`To`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Response`}</th>
          <th scope="col">{t`When`}</th>
        </tr>
      </thead>
      <tbody>
        {mails.map(({ id, subject, to, status, response, createdAt }) => (
          <tr key={id}>
            <td>
              <button type="button" className={adminStyles.linkButton} onClick={() => onShow(id)} lang="en">
                {subject}
              </button>
            </td>
            <td>
              <span className={adminStyles.person} title={to}>
                {to || t`Owners of the team`}
              </span>
            </td>
            <td>
              <span className="mark" data-kind={mailLabels[status].kind}>
                {mailLabels[status].label}
              </span>
            </td>
            <td className={styles.response} lang="en">
              {response ?? '–'}
            </td>
            <td title={formatDateTime(createdAt)}>{formatRelativeTime(createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function MailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(mailQuery(id))
  const { data } = query
  const retry = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/admin/mails/{id}/retry', { params: { path: { id } } })),
    onSuccess: async () => {
      await refreshQueries(['admin', 'mails'])
      onClose()
    },
  })
  return (
    <SentDialog
      title={data?.subject ?? t`Mail`}
      query={query}
      copied={{ text: data?.text ?? '', label: t`Copy the text` }}
      retry={retry}
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
