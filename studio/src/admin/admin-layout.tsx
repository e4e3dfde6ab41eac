/** Layout of the administration pages: their navigation bar above the page of the child route. */
import { t } from '@lingui/core/macro'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { site } from '../site.ts'
import adminStyles from './admin.module.css'
import { DeskSearch } from './desk-search.tsx'

const pages = [
  { to: '/admin/overview', name: t`Overview` },
  { to: '/admin/users', name: t`Users` },
  { to: '/admin/teams', name: t`Teams` },
  { to: '/admin/invitations', name: t`Invitations` },
  { to: '/admin/videos', name: t`Films` },
  ...(site.hasExplore ? [{ to: '/admin/explore', name: t`Explore` } as const] : []),
  { to: '/admin/takedowns', name: t`Takedowns` },
  { to: '/admin/payments', name: t`Payments` },
  { to: '/admin/codes', name: t`Codes` },
  { to: '/admin/ledger', name: t`Ledger` },
  { to: '/admin/models', name: t`Models` },
  { to: '/admin/configuration', name: t`Configuration` },
  { to: '/admin/providers', name: t`Providers` },
  { to: '/admin/costs', name: t`Costs` },
  { to: '/admin/books', name: t`Books` },
  { to: '/admin/mails', name: t`Mails` },
  { to: '/admin/incidents', name: t`Incidents` },
  { to: '/admin/audit', name: t`Audit` },
  { to: '/admin/setup', name: t`Checklist` },
] as const

export function AdminLayout() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  return (
    <div className="page">
      <nav className={adminStyles.nav} aria-label={t`Administration`} ref={useScrollToCurrentLink()}>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
            {name}
          </Link>
        ))}
      </nav>
      {/* What was found belongs to the page that was left. */}
      <DeskSearch key={path} />
      <Outlet />
    </div>
  )
}

/** Scrolls the link of the current page into view: on a phone the navigation bar is wider than the page. */
function useScrollToCurrentLink() {
  const nav = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    const current = path && nav.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!nav.current || !current) return
    nav.current.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - nav.current.clientWidth / 2
  }, [path])
  return nav
}
