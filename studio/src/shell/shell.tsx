/** The layout of a signed-in user: navigation (at the bottom of narrow screens), credit balance, and the page. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatch, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { balanceQuery, broadcastSession, dataOf, kinora, sessionQuery } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { locale } from '../i18n/locale.ts'
import { useDeferredDeletions } from '../library/deletion.ts'
import { topUpQuery } from '../plans/top-up-query.ts'
import { useSingleFlight } from '../single-flight.ts'
import { site } from '../site.ts'
import { hasTeamEnded, isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Announcements } from './announcements.tsx'
import { Brand } from './brand.tsx'
import { useEventStream } from './event-stream.ts'
import { Footer } from './footer.tsx'
import { accountItem, type NavGroup, type NavItem, navGroups } from './navigation.ts'
import { SignedInUser, useSignedIn } from './signed-in.ts'
import { useShortcut } from './use-shortcut.ts'
import './shell.css'

const TeamEnd = lazy(() => import('../team/team-end.tsx').then((module) => ({ default: module.TeamEnd })))
const TopUpBanner = lazy(() => import('../plans/top-up-banner.tsx').then((module) => ({ default: module.TopUpBanner })))
/** Loaded on demand: no page of a first load has a dialog. */
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

/**
 * Renders nothing once the session is cleared, even while the sign-in page is still loading; on the page that visitors
 * see too, their layout.
 */
export function Shell() {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const isOpen = useMatch({ from: '/signed-in/explore', shouldThrow: false }) !== undefined
  useUserLanguage(data)
  if (data)
    return (
      <SignedInUser value={data.user}>
        <SignedInShell />
      </SignedInUser>
    )
  return isOpen ? <VisitorLayout /> : null
}

/** The name of the service, the way to an account, and the page. */
function VisitorLayout() {
  const next = useLocation({ select: ({ href }) => href })
  return (
    <div className="visitor">
      <header className="top">
        <Link to="/welcome" className="brand">
          <Brand />
        </Link>
        <nav className="row" aria-label={t`Account`}>
          <Link to="/sign-in" search={{ next }}>{t`Sign in`}</Link>
        </nav>
      </header>
      <main id="main">
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}

function SignedInShell() {
  const { user } = useSignedIn()
  const team = useTeam()
  const groups = navGroups(user.role === 'admin', team)
  const shortcutItems = [...groups.flatMap(({ items }) => items), accountItem()]
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openHelp = () => setHelpOpen(true)
  useKeyboardShortcuts(shortcutItems, openHelp)
  const isConnected = useEventStream(user.id)
  useDeferredDeletions()
  useSignedInMark()
  const main = useFocusOnNavigation()
  const topUp = useQuery({ ...topUpQuery, enabled: isAtLeast(team, 'owner') })
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t`Skip to the page`}
      </a>
      <header className="top">
        <Link to="/" className="brand" aria-label={t`${site.name}, to the studio`}>
          <Brand />
        </Link>
        <div className="top-end">
          {team ? (
            <Link to="/team" className="top-team">
              {team.name}
            </Link>
          ) : null}
          <Balance />
          <AccountMenu items={groups.flatMap(({ isTab, items }) => (isTab ? [] : items))} onHelp={openHelp} />
        </div>
      </header>
      <nav className="rail" aria-label={t`Pages`}>
        {groups.map((group) => (
          <NavGroupLinks key={group.name} group={group} />
        ))}
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        <ImpersonationBanner />
        {topUp.data?.last?.state === 'action' && topUp.data.last.url ? (
          <Suspense>
            <TopUpBanner url={topUp.data.last.url} />
          </Suspense>
        ) : null}
        {isConnected ? null : (
          <p className="offline" role="status">
            {t`The service does not answer. Your films go on being made; this page goes on when it is back.`}
          </p>
        )}
        <Outlet />
      </main>
      <Footer />
      <Announcements />
      {team || hasTeamEnded() ? (
        <Suspense>
          <TeamEnd />
        </Suspense>
      ) : null}
      {isHelpOpen ? (
        <Suspense>
          <ShortcutsDialog onClose={() => setHelpOpen(false)} items={shortcutItems} />
        </Suspense>
      ) : null}
    </div>
  )
}

function NavGroupLinks({ group: { name, isTab, items } }: { group: NavGroup }) {
  const id = useId()
  return (
    <div className={isTab ? 'rail-group' : 'rail-group rail-group-wide'}>
      <p className="rail-heading" id={id}>
        {name}
      </p>
      <ul aria-labelledby={id}>
        {items.map((item) => (
          <li key={item.to}>
            <Link to={item.to} className="rail-link" activeOptions={{ exact: item.to === '/' }}>
              <Icon name={item.icon} />
              {item.name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Tells early.js of the next page load that the shell will be shown. */
function useSignedInMark(): void {
  useEffect(() => {
    browserStorage.write('kinora.signed-in', true)
    return () => browserStorage.write('kinora.signed-in', null)
  }, [])
}

function Balance() {
  const { data } = useQuery(balanceQuery)
  return (
    <Link to="/credits" className="balance">
      <span className="balance-number">{data ? formatNumber(data.available) : '–'}</span>
      <span className="quiet">{t`credits`}</span>
    </Link>
  )
}

/** Moves the focus to <main> after a navigation, for screen readers; not after the first load. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const previousPath = useRef(path)
  useEffect(() => {
    if (previousPath.current !== undefined && previousPath.current !== path)
      main.current?.focus({ preventScroll: true })
    previousPath.current = path
  }, [path])
  return main
}

type Session = { user: { language: string | null }; session: { impersonatedBy: string | null } }

/** A failure changes nothing that the user sees, and the next page load tries again. */
function useUserLanguage(current: Session | null | undefined): void {
  // An administrator's language is not the user's.
  const stored = current && !current.session.impersonatedBy ? (current.user.language ?? 'en') : locale
  useEffect(() => {
    if (stored !== locale) void kinora.POST('/api/auth/update-user', { body: { language: locale } })
  }, [stored])
}

/** While an administrator acts as a user: whose studio it is, what is recorded, and the way back. */
function ImpersonationBanner() {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const stop = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/auth/admin/stop-impersonating')),
    onSuccess: ({ user }) => {
      broadcastSession(user?.id ?? null)
      location.assign(user && data ? `/admin/users/${data.user.id}` : '/sign-in')
    },
  })
  if (!data?.session.impersonatedBy) return null
  const { email } = data.user
  const { impersonationReason: reason } = data.session
  return (
    <div className="offline row" role="status">
      <span>
        {reason
          ? t`You are an administrator acting as ${email}. Each change is recorded with your name and your reason: ${reason}`
          : t`You are an administrator acting as ${email}, read only.`}
      </span>
      <Button busy={stop.isPending} onClick={() => stop.mutate()}>
        {t`Stop`}
      </Button>
    </div>
  )
}

/** How long the second key of a chord may take. */
const CHORD_MS = 1500

function useKeyboardShortcuts(items: NavItem[], onHelp: () => void): void {
  const navigate = useNavigate()
  /** When a pending `g` expires. A ref and not state: a navigation between the two keys renders the shell again. */
  const chordEndsAtMs = useRef(0)
  useShortcut((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(event.target)) return
    const isChord = event.timeStamp < chordEndsAtMs.current
    chordEndsAtMs.current = 0
    const item = isChord ? items.find(({ key }) => key === event.key) : undefined
    if (item) navigate({ to: item.to })
    else if (event.key === 'g') chordEndsAtMs.current = event.timeStamp + CHORD_MS
    else if (event.key === '?') onHelp()
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
    else return
    event.preventDefault()
  })
}

const isTextInput = (target: EventTarget | null): boolean => {
  // These take no letters: a shortcut works after a click on one.
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range)$/.test(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(textarea|select)$/i.test(target.tagName))
}
