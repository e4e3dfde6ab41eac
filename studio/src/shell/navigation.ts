/** The pages of the navigation in their groups. `key` is the second key of the `g` shortcut. */
import { t } from '@lingui/core/macro'
import { site } from '../site.ts'
import { isAtLeast, type Role } from '../team.ts'
import type { IconName } from '../ui/icon.tsx'

export type NavItem = {
  to:
    | '/'
    | '/projects'
    | '/library'
    | '/explore'
    | '/credits'
    | '/plans'
    | '/team'
    | '/keys'
    | '/webhooks'
    | '/account'
    | '/admin'
  name: string
  key: string
  icon: IconName
}
/** `isTab`: its pages are tabs at the bottom of a narrow screen; those of the other groups are in the account menu. */
export type NavGroup = { name: string; isTab: boolean; items: NavItem[] }

/** @param team null: the user works for no team. */
export const navGroups = (isAdmin: boolean, team: { role: Role | null } | null): NavGroup[] => [
  {
    name: t`Make`,
    isTab: true,
    items: [
      { to: '/', name: t`Studio`, key: 's', icon: 'studio' },
      { to: '/projects', name: t`Projects`, key: 'j', icon: 'projects' },
      { to: '/library', name: t`Library`, key: 'l', icon: 'library' },
      ...(site.hasExplore ? [{ to: '/explore', name: t`Explore`, key: 'e', icon: 'explore' } as const] : []),
    ],
  },
  {
    name: t`Money`,
    isTab: true,
    items: [
      { to: '/credits', name: t`Credits`, key: 'c', icon: 'credits' },
      { to: '/plans', name: t`Plans`, key: 'p', icon: 'plans' },
      ...(team ? [{ to: '/team', name: t`Team`, key: 't', icon: 'team' } as const] : []),
    ],
  },
  ...(isAtLeast(team, 'admin')
    ? [
        {
          name: t`Programs`,
          isTab: false,
          items: [
            { to: '/keys' as const, name: t`API keys`, key: 'k', icon: 'keys' as const },
            { to: '/webhooks' as const, name: t`Webhooks`, key: 'w', icon: 'webhooks' as const },
          ],
        },
      ]
    : []),
  ...(isAdmin
    ? [
        {
          name: t`Service`,
          isTab: false,
          items: [{ to: '/admin' as const, name: t`Administration`, key: 'd', icon: 'admin' as const }],
        },
      ]
    : []),
]

/** In the account menu at every width. */
export const accountItem = (): NavItem => ({ to: '/account', name: t`Account`, key: 'a', icon: 'account' })
