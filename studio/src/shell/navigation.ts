/** The items of the main navigation, in their order. `key` is the second key of the `g` shortcut. */
import { t } from '@lingui/core/macro'

export type NavItem = {
  to: '/' | '/library' | '/credits' | '/plans' | '/keys' | '/webhooks' | '/account' | '/admin'
  name: string
  key: string
}

const userItems = (): NavItem[] => [
  { to: '/', name: t`Studio`, key: 's' },
  { to: '/library', name: t`Library`, key: 'l' },
  { to: '/credits', name: t`Credits`, key: 'c' },
  { to: '/plans', name: t`Plans`, key: 'p' },
  { to: '/keys', name: t`API keys`, key: 'k' },
  { to: '/webhooks', name: t`Webhooks`, key: 'w' },
  { to: '/account', name: t`Account`, key: 'a' },
]

export const navItems = (isAdmin: boolean): NavItem[] =>
  isAdmin ? [...userItems(), { to: '/admin', name: t`Administration`, key: 'd' }] : userItems()
