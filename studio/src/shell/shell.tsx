/**
 * The frame of everybody who is signed in: where one can go, what is left to spend, and the page itself. On a phone the
 * way around lies at the foot, under the thumb.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { balanceQuery, sessionQuery } from '../api.ts'
import { useDeferredDeletions } from '../library/deletion.ts'
import { formatNumber } from '../ui/format.ts'
import { Announcements } from './announcements.tsx'
import { useEventStream } from './event-stream.ts'
import { ShortcutsDialog, useKeyboardShortcuts } from './keyboard-shortcuts.tsx'
import { MoreMenu } from './more-menu.tsx'
import { navItems } from './navigation.ts'
import { useSignedIn } from './signed-in.ts'
import './shell.css'

/** Whoever is signed out is shown nothing of it, however long the sign-in page takes to come. */
export function Shell() {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  return data ? <Inside /> : null
}

function Inside() {
  const { user } = useSignedIn()
  const pages = navItems(user.role === 'admin')
  const [listOpen, setListOpen] = useState(false)
  useKeyboardShortcuts(pages, () => setListOpen(true))
  const connected = useEventStream(user.id)
  useDeferredDeletions()
  const main = useFocusOnArrival()
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link to="/" className="brand" aria-label="Kinora, to the studio">
          <span className="brand-mark" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          Kinora
        </Link>
        <Balance />
      </header>
      <nav className="rail" aria-label="Pages">
        {pages.map((page) => (
          <Link key={page.to} to={page.to} className="rail-link" activeOptions={{ exact: page.to === '/' }}>
            {page.name}
          </Link>
        ))}
        <MoreMenu pages={pages} onKeys={() => setListOpen(true)} />
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        {connected ? null : (
          <p className="offline" role="status">
            The service does not answer. Your films go on being made; this page goes on when it is back.
          </p>
        )}
        <Outlet />
      </main>
      <Announcements />
      <ShortcutsDialog open={listOpen} onClose={() => setListOpen(false)} pages={pages} />
    </div>
  )
}

function Balance() {
  const { data } = useQuery(balanceQuery)
  return (
    <Link to="/credits" className="balance">
      <span className="balance-number">{data ? formatNumber(data.available) : '–'}</span>
      <span className="quiet">credits</span>
    </Link>
  )
}

/** A screen reader starts at the top of a new page, not at the link that led there; the first page is left alone. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const last = useRef(path)
  useEffect(() => {
    if (last.current !== undefined && last.current !== path) main.current?.focus({ preventScroll: true })
    last.current = path
  }, [path])
  return main
}
