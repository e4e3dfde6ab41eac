/**
 * Keeps the name and the role of the chosen team, and leads back to the user's own studio when the user is not its
 * member, or not any more, or when an administrator has locked it. Renders nothing.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chooseTeam, chosenTeam, storeTeam } from '../chosen-team.ts'
import { hasTeamEnded, markTeamEnd, teamsQuery } from '../team.ts'
import { toast } from '../ui/toasts.tsx'

export function TeamEnd() {
  const isChosen = chosenTeam() !== null
  const { data } = useQuery({ ...teamsQuery, enabled: isChosen })
  const team = data?.teams.find(({ id }) => id === chosenTeam()?.id)
  const isOver = isChosen && data !== undefined && (team === undefined || team.locked)
  useEffect(() => {
    if (team && !isOver) void storeTeam(team)
    if (!isOver) return
    markTeamEnd(true)
    void chooseTeam(null)
  }, [team, isOver])
  useEffect(() => {
    if (isChosen || !hasTeamEnded()) return
    markTeamEnd(false)
    toast({ text: t`You are not a member of this team any more, or it is locked. This is your own studio.` })
  }, [isChosen])
  return null
}
