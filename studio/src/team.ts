/** The teams of the user, and what the user may do in the one for which the page works. */
import type { Schemas } from '@kinora/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf, kinora, TEAMS_KEY } from './api.ts'
import { tabStorage } from './browser-storage.ts'
import { chosenTeam } from './chosen-team.ts'
import { useSignedIn } from './shell/signed-in.ts'

export type Role = Schemas['TeamRole']
export const roles: readonly Role[] = ['viewer', 'maker', 'admin', 'owner']

export const teamsQuery = queryOptions({
  queryKey: [TEAMS_KEY],
  queryFn: () => dataOf(kinora.GET('/api/v1/teams')),
  staleTime: 60_000,
})

/** The team for which the page works; null: none. `role` is null until it is known. */
export function useTeam(): { id: string; name: string; role: Role | null } | null {
  const chosen = chosenTeam()
  const { data } = useQuery({ ...teamsQuery, enabled: chosen !== null })
  return chosen && { ...chosen, ...data?.teams.find(({ id }) => id === chosen.id) }
}

/** Whether a member of the role may do what needs `needed`; a user may do everything with what is the user's own. */
export const isAtLeast = (team: { role: Role | null } | null, needed: Role): boolean =>
  team === null || (team.role !== null && roles.indexOf(team.role) >= roles.indexOf(needed))

/** Whether the user may change a film or a folder: in a team a maker the own ones, an admin those of all. */
export function useMayChange(): (film: { madeBy: string | null }) => boolean {
  const team = useTeam()
  const { user } = useSignedIn()
  return ({ madeBy }) => isAtLeast(team, 'admin') || (isAtLeast(team, 'maker') && madeBy === user.id)
}

/** Whether the last page of this tab was that of a team which the user is no member of. */
export const hasTeamEnded = (): boolean => tabStorage.read(ENDED_KEY) === true
export const markTeamEnd = (isEnd: boolean): void => tabStorage.write(ENDED_KEY, isEnd || null)
const ENDED_KEY = 'kinora.team-ended'
