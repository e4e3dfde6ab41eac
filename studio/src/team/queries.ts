/** The queries of the chosen team and its members, and what the roles are called. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { periodNames } from '../keys/key-limits.ts'
import type { Role } from '../team.ts'
import { formatCredits, formatNumber } from '../ui/format.ts'

export type Member = Schemas['TeamMember']

export const teamQuery = queryOptions({
  queryKey: ['team', 'detail'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team')),
})

export const membersQuery = queryOptions({
  queryKey: ['team', 'members'],
  queryFn: () => dataOf(kinora.GET('/api/v1/team/members')),
})

export const roleNames = (): Record<Role, string> => ({
  viewer: t`Viewer`,
  maker: t`Maker`,
  admin: t`Admin`,
  owner: t`Owner`,
})

export const roleTexts = (): Record<Role, string> => ({
  viewer: t`Sees films and credits.`,
  maker: t`Makes films too, and changes own ones.`,
  admin: t`Changes the films of all, and manages members, API keys and webhooks.`,
  owner: t`Buys credits, deletes the team and makes other owners.`,
})

export const budgetText = (budget: Member['budget']): string =>
  budget
    ? t`${formatNumber(budget.used)} of ${formatCredits(budget.credits)} ${periodNames[budget.period]}`
    : t`No limit`
