/** What an administrator does to a user's access: lock and unlock, the role, verify the address, and act as the user. Each is in the audit log. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { broadcastSession, dataOf, kinora } from '../api.ts'
import { latestError, useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { refetchOwner, type UserDetail } from './queries.ts'
import { ReasonField } from './reason-field.tsx'
import { ReasonForm } from './reason-form.tsx'

type Task = 'lock' | 'role' | 'impersonate'

export function UserAccess({ user }: { user: UserDetail }) {
  const { id } = user
  const [task, setTask] = useState<Task | null>(null)
  const unlock = useSingleFlight({
    mutationFn: async () => {
      await dataOf(kinora.POST('/api/auth/admin/unban-user', { body: { userId: id } }))
      await refetchOwner(id)
    },
    onSuccess: () => toast({ text: t`The account is unlocked.` }),
  })
  const verify = useSingleFlight({
    mutationFn: async () => {
      await dataOf(kinora.POST('/api/v1/admin/users/{id}/verification', { params: { path: { id } } }))
      await refetchOwner(id)
    },
    onSuccess: () =>
      toast({
        text: site.isMailSetUp
          ? t`A message with a new link is on its way.`
          : t`This service sends no mails: the link is on the page Mails.`,
      }),
  })
  const error = latestError(unlock, verify)
  return (
    <section className="panel" aria-labelledby="user-access">
      <h2 id="user-access">{t`Access`}</h2>
      <p className="quiet">{t`Locking ends all sessions and stops keys within a second. Films in progress finish.`}</p>
      {error ? <ErrorState error={error} /> : null}
      <div className="row">
        {user.banned ? (
          <Button busy={unlock.isPending} onClick={() => unlock.mutate()}>
            {t`Unlock`}
          </Button>
        ) : (
          <Button onClick={() => setTask('lock')}>{t`Lock…`}</Button>
        )}
        {user.role !== 'admin' && !user.banned ? (
          <Button onClick={() => setTask('impersonate')}>{t`Act as this user…`}</Button>
        ) : null}
        {user.banned ? null : (
          <Button onClick={() => setTask('role')}>
            {user.role === 'admin' ? t`Make a user…` : t`Make an administrator…`}
          </Button>
        )}
        {user.emailVerified ? null : (
          <Button busy={verify.isPending} onClick={() => verify.mutate()}>
            {t`Send the verification again`}
          </Button>
        )}
      </div>
      <Dialog open={task === 'lock'} onClose={() => setTask(null)} title={t`Lock ${user.name || user.email}?`}>
        <LockForm id={id} onClose={() => setTask(null)} />
      </Dialog>
      <Dialog
        open={task === 'role'}
        onClose={() => setTask(null)}
        title={
          user.role === 'admin'
            ? t`Make ${user.name || user.email} a user?`
            : t`Make ${user.name || user.email} an administrator?`
        }
      >
        <RoleForm user={user} onClose={() => setTask(null)} />
      </Dialog>
      <Dialog open={task === 'impersonate'} onClose={() => setTask(null)} title={t`Act as ${user.name || user.email}?`}>
        <ImpersonateForm id={id} onClose={() => setTask(null)} />
      </Dialog>
    </section>
  )
}

function LockForm({ id, onClose }: { id: string; onClose: () => void }) {
  const lock = useSingleFlight({
    mutationFn: async (banReason: string) => {
      await dataOf(kinora.POST('/api/auth/admin/ban-user', { body: { userId: id, banReason } }))
      await refetchOwner(id)
    },
    onSuccess: () => {
      toast({ text: t`The account is locked.` })
      onClose()
    },
  })
  return <ReasonForm change={lock} submitLabel={t`Lock`} kind="danger" onCancel={onClose} />
}

function RoleForm({ user: { id, role }, onClose }: { user: UserDetail; onClose: () => void }) {
  const next = role === 'admin' ? 'user' : 'admin'
  const change = useSingleFlight({
    mutationFn: async (reason: string) => {
      await dataOf(kinora.POST('/api/auth/admin/set-role', { body: { userId: id, role: next, reason } }))
      await refetchOwner(id)
    },
    onSuccess: () => {
      toast({ text: t`The role is changed.` })
      onClose()
    },
  })
  return (
    <ReasonForm change={change} submitLabel={t`Change the role`} onCancel={onClose}>
      <p>
        {next === 'admin'
          ? t`An administrator reads all users, films and payments, changes credits and locks accounts.`
          : t`The account keeps its credits and films, and administrators' pages close within a second.`}
      </p>
    </ReasonForm>
  )
}

function ImpersonateForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [changes, setChanges] = useState(false)
  const [text, setText] = useState('')
  const reason = text.trim()
  const impersonate = useSingleFlight({
    mutationFn: () =>
      dataOf(kinora.POST('/api/auth/admin/impersonate-user', { body: { userId: id, ...(changes && { reason }) } })),
    onSuccess: () => {
      broadcastSession(id)
      // Every query in memory is the administrator's.
      location.assign('/')
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        impersonate.mutate()
      }}
    >
      <p>
        {t`For an hour you see the studio as the user does. The user sees this among the sessions, and can end it; the audit keeps when it began and ended. You come back with the button at the top.`}
      </p>
      <fieldset className="stack">
        <legend className="quiet small">{t`What you may do`}</legend>
        <label className="check">
          <input type="radio" name="use" checked={!changes} onChange={() => setChanges(false)} />
          {t`Read only`}
        </label>
        <label className="check">
          <input type="radio" name="use" checked={changes} onChange={() => setChanges(true)} />
          {t`Change something, with a reason`}
        </label>
      </fieldset>
      {changes ? (
        <>
          <p className="quiet">
            {t`You also generate, for the user’s credits, cancel, upload, arrange, share and publish films, and the audit keeps each; you cannot make keys, endpoints or invitations, change how the user signs in, export or delete.`}
          </p>
          <ReasonField value={text} onChange={setText} hint={t`Kept in the audit, and shown to the user.`} />
        </>
      ) : null}
      {impersonate.error ? <ErrorState error={impersonate.error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" kind="primary" busy={impersonate.isPending} disabled={changes && !reason}>
          {t`Act as this user`}
        </Button>
      </div>
    </form>
  )
}
