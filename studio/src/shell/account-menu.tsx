/**
 * The menu under the avatar: which account and team one is in, its page, theme, shortcuts, API reference and sign-out;
 * on a narrow screen also the pages that are no tabs. A popover with links and buttons, which Tab reaches one by one,
 * and no ARIA menu: it contains radio buttons.
 */
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { dataOf, endSession, kinora } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { flushDeletions } from '../library/deletion.ts'
import { site } from '../site.ts'
import { Icon } from '../ui/icon.tsx'
import { accountItem, type NavItem } from './navigation.ts'
import { useSignedIn } from './signed-in.ts'
import './account-menu.css'

/** Loaded on demand: no page of a first load has it. */
const TeamSwitcher = lazy(() =>
  import('../team/team-switcher.tsx').then((module) => ({ default: module.TeamSwitcher })),
)

const themes = (): { value: Theme; name: string }[] => [
  { value: 'system', name: t({ message: 'System', context: 'theme' }) },
  { value: 'dark', name: t`Dark` },
  { value: 'light', name: t`Light` },
]

/** @param props `items`: the pages that are no tabs */
export function AccountMenu({ items, onHelp }: { items: NavItem[]; onHelp: () => void }) {
  const { user } = useSignedIn()
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const signOut = useSignOut()
  const [isOpened, setOpened] = useState(false)
  const account = accountItem()
  const isOpenPage = ({ to }: NavItem) => path.startsWith(to)
  const close = () => popover.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className="avatar"
        popoverTarget={id}
        aria-label={t`Your account, ${user.email}`}
        data-current={isOpenPage(account) || undefined}
        data-current-narrow={items.some(isOpenPage) || undefined}
      >
        <span aria-hidden="true">{[...(user.name || user.email)][0]?.toUpperCase()}</span>
      </button>
      <div popover="auto" id={id} ref={popover} className="account-menu" onToggle={() => setOpened(true)}>
        <p className="account-menu-user">
          <strong>{user.name}</strong>
          <span className="quiet small">{user.email}</span>
        </p>
        <ul>
          {items.map((item) => (
            <li key={item.to} className="account-menu-narrow">
              <MenuLink item={item} onClick={close} />
            </li>
          ))}
          <li>
            <MenuLink item={account} onClick={close} />
          </li>
        </ul>
        {isOpened ? (
          <Suspense>
            <TeamSwitcher onNew={close} />
          </Suspense>
        ) : null}
        <ThemeChoice />
        <ul>
          <li>
            <button
              type="button"
              className="account-menu-item"
              onClick={() => {
                close()
                onHelp()
              }}
            >
              <Icon name="keyboard" />
              {t`Keyboard`}
            </button>
          </li>
          <li>
            <a className="account-menu-item" href="/docs">
              <Icon name="reference" />
              {t`API reference`}
            </a>
          </li>
          <li>
            <button type="button" className="account-menu-item" onClick={() => signOut.mutate()}>
              <Icon name="signOut" />
              {t`Sign out`}
            </button>
          </li>
        </ul>
        {site.version ? <p className="account-menu-version quiet small">{t`Version ${site.version}`}</p> : null}
      </div>
    </>
  )
}

const MenuLink = ({ item: { to, name, icon }, onClick }: { item: NavItem; onClick: () => void }) => (
  <Link to={to} className="account-menu-item" onClick={onClick}>
    <Icon name={icon} />
    {name}
  </Link>
)

function ThemeChoice() {
  const [theme, setTheme] = useTheme()
  return (
    <div role="radiogroup" aria-label={t`Theme`} className="account-menu-themes">
      {themes().map(({ value, name }) => (
        <label key={value} className="account-menu-theme">
          <input type="radio" name="theme" checked={theme === value} onChange={() => setTheme(value)} />
          {name}
        </label>
      ))}
    </div>
  )
}

function useSignOut() {
  const router = useRouter()
  return useMutation({
    mutationFn: async () => {
      await flushDeletions()
      await endSession(() => dataOf(kinora.POST('/api/auth/sign-out')))
    },
    onSuccess: () => router.navigate({ to: '/sign-in' }),
  })
}

type Theme = 'system' | 'dark' | 'light'
const STORAGE_KEY = 'kinora.theme'

function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(appliedTheme)
  const choose = (next: Theme) => {
    browserStorage.write(STORAGE_KEY, next === 'system' ? null : next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    setTheme(next)
  }
  return [theme, choose]
}

function appliedTheme(): Theme {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}
