/** The frame of the pages for operators: from each of them to all others, and nothing else. */
import { Link, Outlet } from '@tanstack/react-router'
import look from './admin.module.css'

const pages = [
  { to: '/admin/users', name: 'Users' },
  { to: '/admin/videos', name: 'Videos' },
  { to: '/admin/payments', name: 'Payments' },
  { to: '/admin/ledger', name: 'Ledger' },
  { to: '/admin/providers', name: 'Providers' },
] as const

export function Admin() {
  return (
    <div className={look.frame}>
      <nav className={look.links} aria-label="Administration">
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </div>
  )
}
