/** The pages one can go to, in the order of the rail; `key` follows a g. */
export type NavItem = {
  to: '/' | '/library' | '/credits' | '/plans' | '/keys' | '/account' | '/admin'
  name: string
  key: string
}

const everybody: NavItem[] = [
  { to: '/', name: 'Studio', key: 's' },
  { to: '/library', name: 'Library', key: 'l' },
  { to: '/credits', name: 'Credits', key: 'c' },
  { to: '/plans', name: 'Plans', key: 'p' },
  { to: '/keys', name: 'API keys', key: 'k' },
  { to: '/account', name: 'Account', key: 'a' },
]

export const navItems = (isAdmin: boolean): NavItem[] =>
  isAdmin ? [...everybody, { to: '/admin', name: 'Administration', key: 'd' }] : everybody
