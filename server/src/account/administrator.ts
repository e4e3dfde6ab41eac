/**
 * Makes sure at start-up that the administrator of the settings exists, has the role, and can sign in with that password.
 */
import type { App } from '../app.ts'
import type { Auth } from './auth.ts'

export async function ensureAdministrator(app: App, auth: Auth): Promise<void> {
  if (!app.config.admin) return
  const { email, password } = app.config.admin
  const context = await auth.context()
  const found = await context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
  if (!found) {
    // Two nodes may start at once: the unique address lets one of them make the user, the other finds it made.
    await auth.api.signUpEmail({ body: { email, password, name: 'Administrator' } }).catch(async (error: unknown) => {
      if (!(await context.internalAdapter.findUserByEmail(email.toLowerCase()))) throw error
    })
  } else {
    const current = found.accounts.find((account) => account.providerId === 'credential')
    const isCurrent = current?.password && (await context.password.verify({ hash: current.password, password }))
    if (!isCurrent) await context.internalAdapter.updatePassword(found.user.id, await context.password.hash(password))
  }
  await app.sql`
    update public."user" set role = 'admin' where email = ${email.toLowerCase()} and role is distinct from 'admin'
  `
}

/** The address a user signed up with. */
export async function emailOf({ sql }: Pick<App, 'sql'>, userId: string): Promise<string> {
  const [row] = await sql<{ email: string }[]>`select email from public."user" where id = ${userId}`
  return row?.email ?? ''
}

/** Whether there is such a user; an administrator's grant asks. */
export async function userExists({ sql }: Pick<App, 'sql'>, userId: string): Promise<boolean> {
  const [row] = await sql`select from public."user" where id = ${userId.toLowerCase()}`
  return row !== undefined
}
