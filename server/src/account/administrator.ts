/** The configured administrator: created or updated at start-up, so that it can sign in with the configured password. */
import type { App } from '../app.ts'
import type { Auth } from './auth.ts'

export async function ensureAdministrator(app: App, auth: Auth): Promise<void> {
  if (!app.config.admin) return
  const { email, password } = app.config.admin
  const context = await auth.context()
  const found = await context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
  if (!found) {
    // Nodes may start concurrently: the unique e-mail address lets one create the user, the others find it.
    await auth.api.signUpEmail({ body: { email, password, name: 'Administrator' } }).catch(async (error: unknown) => {
      if (!(await context.internalAdapter.findUserByEmail(email.toLowerCase()))) throw error
    })
  } else {
    const current = found.accounts.find((account) => account.providerId === 'credential')
    const isCurrent = current?.password && (await context.password.verify({ hash: current.password, password }))
    if (!isCurrent) await context.internalAdapter.updatePassword(found.user.id, await context.password.hash(password))
  }
  await app.sql`
    with promoted as (
      update public."user" u
      set role = 'admin'
      from public."user" old
      where u.email = ${email.toLowerCase()} and u.role is distinct from 'admin' and old.id = u.id
      returning u.id, old.role
    )
    select kinora.audit_add(
      p_actor_id => kinora.service_actor(), p_action => 'user.set-role', p_user_id => id::uuid, p_subject => null,
      p_before => jsonb_build_object('role', role), p_after => jsonb_build_object('role', 'admin'), p_request_id => null,
      p_reason => 'ADMIN_EMAIL', p_now => ${app.now()}
    )
    from promoted
  `
}
