/** Users of a chaos run, with a session and credits, and a team of some of them. */
import { randomBytes } from 'node:crypto'
import * as teams from '../../server/src/account/team/team.ts'
import type { App } from '../../server/src/app.ts'
import { adjust } from '../../server/src/credit/ledger.ts'
import { newId } from '../../server/src/id.ts'
import type { Team, User } from './load.ts'

const CREDITS = 100_000
/** The budget of a member for a day: less than a member asks for in two minutes. */
const MEMBER_BUDGET = 300

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

/** A team with credits, an owner, and makers with a budget. */
export async function createTeam(app: App, owner: User, members: User[]): Promise<Team> {
  const { id } = await teams.createTeam(app, owner.userId, 'Chaos Team')
  const grant = { adminId: owner.userId, userId: id, credits: CREDITS, expiryDays: 30, remark: null }
  await adjust(app, { ...grant, idempotencyKey: null })
  for (const { userId } of members) {
    await app.sql`
      insert into kinora.team_member (team_id, user_id, role, created_at) values (${id}, ${userId}, 'maker', ${app.now()})
    `
    const budget = { credits: MEMBER_BUDGET, period: 'day' } as const
    await teams.setMemberBudget(app, { teamId: id, userId, actorId: owner.userId, role: 'owner', budget })
  }
  return { id, owner, members }
}
