/** Invitations page: invitations to sign up, newest first, with a form that makes one; its link is shown once. An open one can be revoked. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { signInOptionsQuery } from '../sign-in/options.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
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

type Invitation = Schemas['AdminInvitation']

const invitationsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'invitations'],
  ...keysetPagination,
  queryFn: ({ pageParam, signal }) => {
    const query = { pageSize: 25, ...(pageParam ? { cursor: pageParam } : {}) }
    return dataOf(kinora.GET('/api/v1/admin/invitations', { params: { query }, signal }))
  },
})

const stateLabels: Record<Invitation['state'], { label: string; kind: 'done' | 'none' }> = {
  open: { label: t({ message: 'Open', context: 'can be used' }), kind: 'done' },
  used: { label: t({ message: 'Used', context: 'an invitation' }), kind: 'none' },
  revoked: { label: t`Revoked`, kind: 'none' },
  expired: { label: t`Out of date`, kind: 'none' },
}

export function InvitationsPage() {
  const list = useInfiniteQuery(invitationsQuery)
  const { data: options } = useQuery(signInOptionsQuery)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const invitations = list.data?.pages.flatMap((page) => page.invitations)
  return (
    <div className="page">
      <PageTitle of={[t`Invitations`, t`Administration`]} />
      <h1>{t`Invitations`}</h1>
      <div className="columns list-last">
        <div className="stack">
          {list.error && !invitations ? <ErrorState error={list.error} retry={list.refetch} /> : null}
          {list.isPending ? <TableSkeleton label={t`Loading the invitations`} /> : null}
          {invitations?.length === 0 ? (
            <EmptyState>{t`An invitation is a link with which one account is made. Those that you make will be listed here.`}</EmptyState>
          ) : null}
          {invitations?.length ? <InvitationTable invitations={invitations} onRevoke={setRevoking} /> : null}
          {list.hasNextPage ? <ShowMore list={list} /> : null}
          {/* Last, because it may come last, and moves nothing there. */}
          {invitations && options && options.signUp !== 'invite' ? (
            <p className="quiet">
              {options.signUp === 'open'
                ? t`Everyone may sign up here, so an invitation only brings its gift.`
                : t`Sign-up is closed here, so an invitation cannot be used.`}
            </p>
          ) : null}
        </div>
        <InviteForm />
      </div>
      {revoking ? (
        <EndDialog
          title={t`Revoke the invitation?`}
          text={
            revoking.email
              ? t`The link for ${revoking.email} makes no account any more.`
              : t`Its link makes no account any more.`
          }
          submitLabel={t`Revoke`}
          end={() => dataOf(kinora.DELETE('/api/v1/admin/invitations/{id}', { params: { path: { id: revoking.id } } }))}
          queryKey={['admin', 'invitations']}
          onClose={() => setRevoking(null)}
        />
      ) : null}
    </div>
  )
}

const InvitationTable = ({
  invitations,
  onRevoke,
}: {
  invitations: Invitation[]
  onRevoke: (invitation: Invitation) => void
}) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`Invitations, newest first`}>
      <thead>
        <tr>
          <th scope="col">{t`For`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col" className="number">
            {t`Gift`}
          </th>
          <th scope="col">{t`Made, and until`}</th>
          <th scope="col">
            <span className="hidden-text">{t`Revoke`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((each) => (
          <tr key={each.id}>
            <th scope="row">
              <span className={adminStyles.person} title={each.email ?? undefined}>
                {each.email ?? t`Any address`}
              </span>
            </th>
            <td>
              <span className="mark" data-kind={stateLabels[each.state].kind}>
                {stateLabels[each.state].label}
              </span>
              {each.usedBy ? (
                <Link to="/admin/users/$id" params={{ id: each.usedBy }} className={adminStyles.secondary}>
                  {t`The user`}
                </Link>
              ) : null}
            </td>
            <td className="number">
              {formatNumber(each.credits)}
              {each.replacesGift ? <span className={adminStyles.secondary}>{t`no welcome gift`}</span> : null}
            </td>
            <td title={formatUtcTime(each.createdAt)}>
              {formatUtcDate(each.createdAt)}
              <span className={adminStyles.secondary} title={formatUtcTime(each.expiresAt)}>
                {formatUtcDate(each.expiresAt)}
              </span>
            </td>
            <td className="number">
              {each.state === 'open' ? (
                <Button
                  kind="quiet"
                  onClick={() => onRevoke(each)}
                  aria-label={each.email ? t`Revoke the invitation of ${each.email}` : undefined}
                >
                  {t`Revoke`}
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </div>
)

const initial = { email: '', credits: '', days: '7', replacesGift: false }

function InviteForm() {
  const [values, setValues] = useState(initial)
  const change = (changed: Partial<typeof initial>) => setValues((before) => ({ ...before, ...changed }))
  const create = useSingleFlight({
    mutationFn: ({ email, credits, days, replacesGift }: typeof initial) =>
      dataOf(
        kinora.POST('/api/v1/admin/invitations', {
          body: {
            credits: Number(credits),
            replacesGift,
            days: Number(days),
            ...(email.trim() ? { email: email.trim() } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      setValues(initial)
      await refreshQueries(['admin', 'invitations'])
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
      <h2>{t`New invitation`}</h2>
      <Field
        label={t`E-mail address that may use it`}
        hint={t`Empty: any. No mail is sent.`}
        type="email"
        maxLength={254}
        autoComplete="off"
        value={values.email}
        onChange={({ target }) => change({ email: target.value })}
      />
      <NumberField
        label={t`Gift, in credits`}
        max={10_000_000}
        required={false}
        value={values.credits}
        onChange={(credits) => change({ credits })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={values.replacesGift}
          onChange={({ target }) => change({ replacesGift: target.checked })}
        />
        {t`Instead of the welcome gift`}
      </label>
      <NumberField label={t`Ends after, in days`} max={365} value={values.days} onChange={(days) => change({ days })} />
      {create.error ? <ErrorState error={create.error} /> : null}
      <Button type="submit" kind="primary" busy={create.isPending}>
        {t`Make invitation`}
      </Button>
      {create.data ? <LinkDialog link={create.data.link} onClose={create.reset} /> : null}
    </form>
  )
}

const LinkDialog = ({ link, onClose }: { link: string; onClose: () => void }) => (
  <Dialog open title={t`The link of the invitation`} onClose={onClose}>
    <p>{t`Copy it now and give it to the person. It makes one account, and is not shown again.`}</p>
    <p className={adminStyles.link}>
      <code>{link}</code>
    </p>
    <div className="dialog-actions">
      <CopyButton text={link} kind="primary" label={t`Copy the link`} />
      <Button onClick={onClose}>{t`Done`}</Button>
    </div>
  </Dialog>
)
