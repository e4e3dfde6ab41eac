/** Users of a chaos run, with a session and credits. */
import { randomBytes } from 'node:crypto'
import type { App } from '../../server/src/app.ts'
import { adjust } from '../../server/src/credit/ledger.ts'
import { newId } from '../../server/src/id.ts'
import type { User } from './load.ts'

const CREDITS = 100_000

export async function createUsers(app: App, count: number): Promise<User[]> {
  const users: User[] = []
  for (let n = 0; n < count; n++) {
    const now = app.now()
    const userId = newId(now)
    const token = randomBytes(24).toString('base64url')
    await app.sql`
      insert into public."user" ("id", "name", "email", "emailVerified", "role")
      values (${userId}, 'Chaos User', ${`${userId}@example.com`}, false, 'user')
    `
    await app.sql`
      insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
      values (${newId(now)}, ${token}, ${userId}, ${new Date(now.getTime() + 86_400_000)}, ${now})
    `
    await adjust(app, { adminId: userId, userId, credits: CREDITS, expiryDays: 30, remark: null, idempotencyKey: null })
    users.push({ userId, token })
  }
  return users
}
