/** The configured administrator: created or updated at start-up, to sign in with the configured password. */

import type { Auth } from '../account/auth.ts'
import { passwordProblem } from '../account/password-policy.ts'
import type { App } from '../app.ts'
import { ConfigError } from '../config/config.ts'
import { promote } from './user-commands.ts'

/** @throws ConfigError when a new ADMIN_PASSWORD is too short or too common */
export async function ensureAdministrator(app: App, auth: Auth): Promise<void> {
  if (!app.config.admin) return
  const { email, password } = app.config.admin
  const context = await auth.context()
  const found = await context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
  const current = found?.accounts.find((account) => account.providerId === 'credential')
  const isCurrent = current?.password ? await context.password.verify({ hash: current.password, password }) : false
  const problem = isCurrent ? null : passwordProblem(password, email)
  if (problem) throw new ConfigError([`ADMIN_PASSWORD is refused: ${problem}`])
  if (!found) {
    // Nodes may start concurrently: the unique e-mail address lets one create the user, the others find it.
    await auth.api.signUpEmail({ body: { email, password, name: 'Administrator' } }).catch(async (error: unknown) => {
      if (!(await context.internalAdapter.findUserByEmail(email.toLowerCase()))) throw error
    })
  } else if (!isCurrent) {
    await context.internalAdapter.updatePassword(found.user.id, await context.password.hash(password))
  }
  await promote(app.sql, email.toLowerCase(), 'ADMIN_EMAIL', app.now())
}
