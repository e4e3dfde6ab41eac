/** The frame of the pages for operators: from each of them to all others, and nothing else. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
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
    <div className="page">
      <nav className={look.links} aria-label="Administration" ref={useCurrentInSight()}>
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

/** On a phone the row is wider than the page: the link of this page is brought into it. */
function useCurrentInSight() {
  const row = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    const current = path && row.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!row.current || !current) return
    row.current.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - row.current.clientWidth / 2
  }, [path])
  return row
}
