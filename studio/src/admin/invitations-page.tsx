/** Invitations page: newest first, with a form that makes one; its link is shown once. Open ones can be revoked. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { signInOptionsQuery } from '../sign-in/options.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, NumberField, useFields } from '../ui/field.tsx'
import { formatNumber, formatUtcDate, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, tableClass } from './kit.tsx'

type Invitation = Schemas['AdminInvitation']

const invitationsQuery = pagedQuery(['admin', 'invitations'], (query, signal) =>
  kinora.GET('/api/v1/admin/invitations', { params: { query }, signal }),
)
const refresh = () => refreshQueries(invitationsQuery.queryKey)

const stateLabels: Record<Invitation['state'], StateLabel> = {
  open: { label: t({ message: 'Open', context: 'can be used' }), kind: 'done' },
  used: { label: t({ message: 'Used', context: 'an invitation' }), kind: 'none' },
  revoked: { label: t`Revoked`, kind: 'none' },
  expired: { label: t`Out of date`, kind: 'none' },
}

export function InvitationsPage() {
  const list = usePages(invitationsQuery)
  const { data: options } = useQuery(signInOptionsQuery)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  return (
    <AdminPage title={t`Invitations`}>
      <div className="columns list-last">
        <div className="stack">
          <PagedList
            list={list}
            rowsOf={(page) => page.invitations}
            loading={t`Loading the invitations`}
            empty={t`An invitation is a link with which one account is made. Those that you make will be listed here.`}
          >
            {(invitations) => <InvitationTable invitations={invitations} onRevoke={setRevoking} />}
          </PagedList>
          {/* Last, because it may come last, and moves nothing there. */}
          {list.data && options && options.signUp !== 'invite' ? (
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
        <ActionDialog
          title={t`Revoke the invitation?`}
          submitLabel={t`Revoke`}
          kind="danger"
          send={() =>
            dataOf(kinora.DELETE('/api/v1/admin/invitations/{id}', { params: { path: { id: revoking.id } } }))
          }
          refresh={refresh}
          onClose={() => setRevoking(null)}
        >
          <p>
            {revoking.email
              ? t`The link for ${revoking.email} makes no account any more.`
              : t`Its link makes no account any more.`}
          </p>
        </ActionDialog>
      ) : null}
    </AdminPage>
  )
}

type TableProps = { invitations: Invitation[]; onRevoke: (invitation: Invitation) => void }

const InvitationTable = ({ invitations, onRevoke }: TableProps) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Invitations, newest first`}
    rows={invitations}
    columns={[
      {
        head: t`For`,
        isRowHead: true,
        cell: ({ email }) => (
          <span className={adminStyles.person} title={email ?? undefined}>
            {email ?? t`Any address`}
          </span>
        ),
      },
      {
        head: t`State`,
        cell: ({ state }) => <Mark {...stateLabels[state]} />,
        below: ({ usedBy: id }) => id && <Link to="/admin/users/$id" params={{ id }}>{t`The user`}</Link>,
      },
      {
        head: t`Gift`,
        isNumber: true,
        cell: ({ credits }) => formatNumber(credits),
        below: ({ replacesGift }) => (replacesGift ? t`no welcome gift` : null),
      },
      {
        head: t`Made, and until`,
        title: ({ createdAt }) => formatUtcTime(createdAt),
        cell: ({ createdAt }) => formatUtcDate(createdAt),
        below: ({ expiresAt }) => <span title={formatUtcTime(expiresAt)}>{formatUtcDate(expiresAt)}</span>,
      },
      {
        head: t`Revoke`,
        isAction: true,
        cell: (each) =>
          each.state === 'open' ? (
            <Button
              kind="quiet"
              onClick={() => onRevoke(each)}
              aria-label={each.email ? t`Revoke the invitation of ${each.email}` : undefined}
            >
              {t`Revoke`}
            </Button>
          ) : null,
      },
    ]}
  />
)

function InviteForm() {
  const { values, text, check, reset } = useFields({ email: '', credits: '', days: '7', replacesGift: false })
  const create = useAction({
    send: () => {
      const { credits, days, replacesGift } = values
      const email = values.email.trim()
      const body = { credits: Number(credits), replacesGift, days: Number(days), ...(email ? { email } : {}) }
      return dataOf(kinora.POST('/api/v1/admin/invitations', { body }))
    },
    refresh: () => {
      reset()
      return refresh()
    },
  })
  return (
    <ActionForm action={create} onSubmit={() => create.mutate()} submitLabel={t`Make invitation`}>
      <h2>{t`New invitation`}</h2>
      <Field
        label={t`E-mail address that may use it`}
        hint={t`Empty: any. No mail is sent.`}
        type="email"
        maxLength={254}
        autoComplete="off"
        {...text('email')}
      />
      <NumberField label={t`Gift, in credits`} max={10_000_000} {...text('credits')} />
      <Check label={t`Instead of the welcome gift`} {...check('replacesGift')} />
      <NumberField label={t`Ends after, in days`} max={365} required {...text('days')} />
      <SecretDialog
        secret={create.data?.link}
        title={t`The link of the invitation`}
        copyLabel={t`Copy the link`}
        onClose={create.reset}
      >
        {t`Copy it now and give it to the person. It makes one account, and is not shown again.`}
      </SecretDialog>
    </ActionForm>
  )
}
