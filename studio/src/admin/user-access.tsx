/** Administrators on a user's access: lock, role, verified address, impersonation. Each is in the audit log. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { broadcastSession, dataOf, kinora } from '../api.ts'
import { latestError } from '../single-flight.ts'
import { site } from '../site.ts'
import { ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, useFields } from '../ui/field.tsx'
import { ErrorState } from '../ui/states.tsx'
import { refetchOwner, type UserDetail } from './queries.ts'
import { ReasonDialog, ReasonField } from './reason-form.tsx'
import { SignInDialog, type SignInTask } from './sign-in-dialog.tsx'

type Task = 'lock' | 'role' | 'impersonate' | SignInTask

export function UserAccess({ user }: { user: UserDetail }) {
  const { id } = user
  const [task, setTask] = useState<Task | null>(null)
  const unlock = useAction({
    send: () => dataOf(kinora.POST('/api/auth/admin/unban-user', { body: { userId: id } })),
    refresh: () => refetchOwner(id),
    done: t`The account is unlocked.`,
  })
  const verify = useAction({
    send: () => dataOf(kinora.POST('/api/v1/admin/users/{id}/verification', { params: { path: { id } } })),
    refresh: () => refetchOwner(id),
    done: site.isMailSetUp
      ? t`A message with a new link is on its way.`
      : t`This service sends no mails: the link is on the page Mails.`,
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
      <h3>{t`Ways to sign in`}</h3>
      <div className="row">
        <Button onClick={() => setTask('address')}>{t`Change the address…`}</Button>
        <Button onClick={() => setTask('password')}>{t`Password…`}</Button>
        {user.sessions > 0 ? <Button onClick={() => setTask('sessions')}>{t`End the sessions…`}</Button> : null}
        {user.twoFactorEnabled || user.passkeys > 0 ? (
          <Button onClick={() => setTask('second-factor')}>{t`Remove the second factor…`}</Button>
        ) : null}
      </div>
      {task ? <TaskDialog user={user} task={task} onClose={() => setTask(null)} /> : null}
    </section>
  )
}

type DialogProps = { user: UserDetail; task: Task; onClose: () => void }

function TaskDialog({ user, task, onClose }: DialogProps) {
  const { id, role } = user
  const refresh = () => refetchOwner(id)
  if (task !== 'impersonate' && task !== 'lock' && task !== 'role')
    return <SignInDialog user={user} task={task} onClose={onClose} />
  if (task === 'impersonate')
    return (
      <Dialog open onClose={onClose} title={t`Act as ${user.name || user.email}?`}>
        <ImpersonateForm id={id} onClose={onClose} />
      </Dialog>
    )
  if (task === 'lock')
    return (
      <ReasonDialog
        title={t`Lock ${user.name || user.email}?`}
        submitLabel={t`Lock`}
        kind="danger"
        send={(banReason) => dataOf(kinora.POST('/api/auth/admin/ban-user', { body: { userId: id, banReason } }))}
        refresh={refresh}
        done={t`The account is locked.`}
        onClose={onClose}
      />
    )
  const next = role === 'admin' ? 'user' : 'admin'
  return (
    <ReasonDialog
      title={
        role === 'admin'
          ? t`Make ${user.name || user.email} a user?`
          : t`Make ${user.name || user.email} an administrator?`
      }
      submitLabel={t`Change the role`}
      send={(reason) => dataOf(kinora.POST('/api/auth/admin/set-role', { body: { userId: id, role: next, reason } }))}
      refresh={refresh}
      done={t`The role is changed.`}
      onClose={onClose}
    >
      <p>
        {next === 'admin'
          ? t`An administrator reads all users, films and payments, changes credits and locks accounts.`
          : t`The account keeps its credits and films, and administrators' pages close within a second.`}
      </p>
    </ReasonDialog>
  )
}

function ImpersonateForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [changes, setChanges] = useState(false)
  const { values, text } = useFields({ reason: '' })
  const reason = values.reason.trim()
  const impersonate = useAction({
    send: () =>
      dataOf(kinora.POST('/api/auth/admin/impersonate-user', { body: { userId: id, ...(changes && { reason }) } })),
    onDone: () => {
      broadcastSession(id)
      // Every query in memory is the administrator's.
      location.assign('/')
    },
  })
  return (
    <ActionForm
      action={impersonate}
      onSubmit={() => impersonate.mutate()}
      submitLabel={t`Act as this user`}
      isReady={!changes || reason !== ''}
      onCancel={onClose}
    >
      <p>
        {t`For an hour you see the studio as the user does. The user sees this among the sessions, and can end it; the audit keeps when it began and ended. You come back with the button at the top.`}
      </p>
      <fieldset className="stack">
        <legend className="quiet small">{t`What you may do`}</legend>
        <Check type="radio" name="use" label={t`Read only`} checked={!changes} onChange={() => setChanges(false)} />
        <Check
          type="radio"
          name="use"
          label={t`Change something, with a reason`}
          checked={changes}
          onChange={() => setChanges(true)}
        />
      </fieldset>
      {changes ? (
        <>
          <p className="quiet">
            {t`You also generate, for the user’s credits, cancel, upload, arrange, share and publish films, and the audit keeps each; you cannot make keys, endpoints or invitations, change how the user signs in, export or delete.`}
          </p>
          <ReasonField {...text('reason')} hint={t`Kept in the audit, and shown to the user.`} />
        </>
      ) : null}
    </ActionForm>
  )
}
