/** Keeps an administrator who can sign in: the last one is neither demoted nor locked. Deletion: account.sql. */

import { APIError } from 'better-auth/api'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'

/** better-auth's endpoint that changes a user, with the request's body, which is validated. */
type Endpoint = { path?: string; body?: unknown } | null

/**
 * Makes the change of set-role and ban-user before better-auth does, which would make it without a lock.
 * @throws APIError CONFLICT for the last administrator
 */
export async function keepAdministrator({ sql, now }: App, endpoint: Endpoint): Promise<void> {
  const { userId, role = null } = (endpoint?.body ?? {}) as { userId?: string; role?: string | null }
  const isWithdrawn = endpoint?.path === '/admin/ban-user' || (endpoint?.path === '/admin/set-role' && role !== 'admin')
  if (!isWithdrawn || !userId) return
  const outcome = await call(sql, 'administrator_withdraw', { userId, role, now: now() })
  if (outcome === 'last_administrator') throw new APIError('CONFLICT', { code: 'LAST_ADMINISTRATOR' })
}

/** Settles what a user has given in all teams, after an administrator has unlocked the account. */
export async function settleAll({ sql, now }: Pick<App, 'sql' | 'now'>, userId: string): Promise<void> {
  await call(sql, 'authority_settle_all', { userId, now: now() })
}
