/**
 * The team of a run: an owner of films and credits as a user is, with members who are removed, return, change roles and
 * get budgets while their films are made, and of whom one moves own credits into it. Invitations are not simulated: a
 * return is a row.
 */
import { setMemberBudget } from '../../server/src/account/team/team.ts'
import type { App } from '../../server/src/app.ts'
import { teamIdOf } from '../../server/src/id.ts'
import type { ApiRequest, ApiResponse, Call } from './api.ts'
import type { Database } from './database.ts'
import { type Scheduler, START_MS } from './scheduler.ts'
import { short } from './statement.ts'

export type Member = {
  userId: string
  /** A removal was acknowledged, and no return since. */
  isGone: boolean
  returns: number
  /** The most that the member was ever allowed to spend in a day; null: there was a time without a budget. */
  budgetMax: number | null
}
/** `acknowledged`: the ids of transfers that responses with 200 named. */
export type Transfer = { userId: string; key: string; credits: number; acknowledged: Set<string> }
export type Team = { id: string; ownerIds: string[]; members: Member[]; transfers: Transfer[] }

/** Who sends requests: a user, or a member for a team, whose id is `userId` then. */
export type Sender = { userId: string; actorId: string; member: Member | null }

const TRIES = 6

/** Opens a team with two owners and these members, of whom some have a budget. */
export async function openTeam(
  { sql }: Database,
  app: App,
  { scheduler, userIds: [firstId = '', secondId = '', ...memberIds] }: { scheduler: Scheduler; userIds: string[] },
): Promise<Team> {
  const { random } = scheduler
  const id = teamIdOf(random.uuid())
  const at = new Date(START_MS)
  await sql`insert into kinora.team (id, name, created_at) values (${id}, 'North', ${at})`
  const roles = [firstId, secondId, ...memberIds].map((userId, n) => ({ userId, role: n < 2 ? 'owner' : 'maker' }))
  for (const { userId, role } of roles) {
    await sql`insert into kinora.team_member (team_id, user_id, role, created_at) values (${id}, ${userId}, ${role}, ${at})`
  }
  const members: Member[] = memberIds.map((userId) => {
    const budgetMax = random.pick([null, 16, 40])
    return { userId, isGone: false, returns: 0, budgetMax }
  })
  for (const { userId, budgetMax } of members) {
    if (budgetMax === null) continue
    const budget = { credits: budgetMax, period: 'day' } as const
    await setMemberBudget(app, { teamId: id, userId, actorId: firstId, role: 'owner', budget })
  }
  return { id, ownerIds: [firstId, secondId], members, transfers: [] }
}

/** Sends a request of a user or a member. Adds to `problems` when a removed member gets more than a refusal. */
export function sendAs(
  { call, problems }: { call: Call; problems: string[] },
  { userId, actorId, member }: Sender,
  request: Omit<ApiRequest, 'userId' | 'teamId'>,
  acknowledged: (response: ApiResponse) => void,
): Promise<ApiResponse | null> {
  const returnsBefore = member?.isGone ? member.returns : null
  return call({ ...request, userId: actorId, ...(member && { teamId: userId }) }, (response) => {
    if (member && member.returns === returnsBefore && response.status < 400)
      problems.push(`${request.method} ${request.path} of the removed member ${short(actorId)} got ${response.status}`)
    acknowledged(response)
  })
}

/** Lets a member move own credits into the team at times, until a response is no failure of the service. */
export function moveCredits(
  scheduler: Scheduler,
  world: { call: Call; problems: string[] },
  team: Team,
  userId: string,
): { pending: () => number } {
  const { random } = scheduler
  const member = team.members.find((each) => each.userId === userId) ?? null
  let pending = 1

  const move = async (transfer: Transfer): Promise<void> => {
    for (let n = 1; n <= TRIES; n++) {
      const response = await sendAs(
        world,
        { userId: team.id, actorId: userId, member },
        {
          method: 'POST',
          path: '/api/v1/team/credits',
          headers: { 'content-type': 'application/json', 'idempotency-key': transfer.key },
          body: JSON.stringify({ credits: transfer.credits }),
        },
        ({ status, data }) => {
          if (status === 200) transfer.acknowledged.add(String(data.id))
        },
      )
      scheduler.trace(
        `user ${short(userId)}`,
        `moves ${transfer.credits} credits → ${response?.status ?? 'no response'}`,
      )
      if (response && response.status < 500) return
      await scheduler.sleep(random.between(100, 2_000 * 2 ** n))
    }
  }
  const live = async () => {
    for (let n = random.int(1, 4); n > 0; n--) {
      await scheduler.sleep(random.between(0, 30_000))
      const transfer = {
        userId,
        key: `move ${n}`,
        credits: random.pick([1, 7, 33, 150]),
        acknowledged: new Set<string>(),
      }
      team.transfers.push(transfer)
      await move(transfer)
    }
  }
  live().finally(() => {
    pending--
  })
  return { pending: () => pending }
}

/** Lets the owners change members for a time. */
export function manage(scheduler: Scheduler, call: Call, database: Database, team: Team): { pending: () => number } {
  const { random } = scheduler
  let pending = 1

  const change = async (actorId: string, memberId: string, body: object | null): Promise<boolean> => {
    let isAcknowledged = false
    for (let n = 1; n <= TRIES; n++) {
      const response = await call(
        {
          method: body ? 'PATCH' : 'DELETE',
          path: `/api/v1/team/members/${memberId}`,
          headers: body ? { 'content-type': 'application/json' } : {},
          body: body ? JSON.stringify(body) : '',
          userId: actorId,
          teamId: team.id,
        },
        ({ status }) => {
          isAcknowledged ||= status === 200
        },
      )
      const text = `${JSON.stringify(body ?? 'remove')} member ${short(memberId)} → ${response?.status ?? 'no response'}`
      scheduler.trace(`owner ${short(actorId)}`, text)
      if (isAcknowledged || (response && response.status < 500)) break
      await scheduler.sleep(random.between(100, 2_000 * 2 ** n))
    }
    return isAcknowledged
  }

  /** An event, so that the statement ends before the next one. */
  const takeBack = (member: Member) =>
    new Promise<void>((resolve) => {
      scheduler.after(0, null, async () => {
        scheduler.trace('team', `member ${short(member.userId)} is back`)
        member.isGone = false
        member.returns++
        await database.sql`
          insert into kinora.team_member (team_id, user_id, role, created_at)
          values (${team.id}, ${member.userId}, 'maker', ${new Date(scheduler.nowMs())})
          on conflict do nothing
        `
        resolve()
      })
    })

  const changeOnce = async (member: Member): Promise<void> => {
    const actorId = random.pick(team.ownerIds)
    switch (random.pick(['remove', 'remove', 'role', 'budget', 'leave'])) {
      case 'remove':
        member.isGone = await change(actorId, member.userId, null)
        break
      case 'role':
        await change(actorId, member.userId, { role: random.pick(['viewer', 'maker', 'admin']) })
        break
      case 'budget': {
        const credits = random.pick([0, 16, 60])
        if (member.budgetMax !== null) member.budgetMax = Math.max(member.budgetMax, credits)
        await change(actorId, member.userId, { budget: { credits, period: 'day' } })
        break
      }
      case 'leave':
        await Promise.all(team.ownerIds.map((ownerId) => change(ownerId, ownerId, null)))
    }
  }

  const live = async () => {
    for (let changes = random.int(1, 6); changes > 0; changes--) {
      await scheduler.sleep(random.between(0, random.pick([2_000, 60_000])))
      const member = random.pick(team.members)
      await (member.isGone ? takeBack(member) : changeOnce(member))
    }
  }
  live().finally(() => {
    pending--
  })
  return { pending: () => pending }
}
