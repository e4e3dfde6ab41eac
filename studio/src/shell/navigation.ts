/** The items of the main navigation, in their order. `key` is the second key of the `g` shortcut. */
export type NavItem = {
  to: '/' | '/library' | '/credits' | '/plans' | '/keys' | '/webhooks' | '/account' | '/admin'
  name: string
  key: string
}

const userItems: NavItem[] = [
  { to: '/', name: 'Studio', key: 's' },
  { to: '/library', name: 'Library', key: 'l' },
  { to: '/credits', name: 'Credits', key: 'c' },
  { to: '/plans', name: 'Plans', key: 'p' },
  { to: '/keys', name: 'API keys', key: 'k' },
  { to: '/webhooks', name: 'Webhooks', key: 'w' },
  { to: '/account', name: 'Account', key: 'a' },
]

export const navItems = (isAdmin: boolean): NavItem[] =>
  isAdmin ? [...userItems, { to: '/admin', name: 'Administration', key: 'd' }] : userItems
