/** Fixture: teams, and requests for them. */

import type { Role } from '../../src/account/team/role.ts'
import type { App } from '../../src/app.ts'
import { generateBody, type Kinora, type Person } from './harness.ts'

/** Adds a member without an invitation. */
export async function addMember(app: App, teamId: string, person: Person, role: Role = 'maker'): Promise<Person> {
  await app.sql`
    insert into kinora.team_member (team_id, user_id, role, created_at)
    values (${teamId}, ${person.userId}, ${role}, ${app.now()})
  `
  return person
}

export function openTeams(kinora: Pick<Kinora, 'call' | 'person' | 'grant' | 'workUntil'>) {
  const call = <T = Record<string, unknown>>(
    person: Person,
    teamId: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => kinora.call<T>(method, path, { as: person, body, headers: { ...headers, 'x-team': teamId } })
  return {
    /** Sends a request of a member for the team. */
    call,
    generate: (person: Person, teamId: string, change: object = {}) =>
      call<{ uuid: string }>(person, teamId, 'POST', '/api/v1/video/generate', { ...generateBody, ...change }),
    /** Runs due steps until the video is final. */
    finish: (person: Person, teamId: string, uuid: string) =>
      kinora.workUntil(async () => {
        const { data } = await call<{ status: string }>(person, teamId, 'GET', `/api/v1/video/task?uuid=${uuid}`)
        return ['COMPLETED', 'FAILED'].includes(data.status)
      }),
    newTeam: async ({ credits }: { credits: number }) => {
      const owner = await kinora.person()
      const { data } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: owner, body: { name: 'North' } })
      if (credits > 0) await kinora.grant({ ...owner, userId: data.id }, credits)
      return { id: data.id, owner }
    },
  }
}
