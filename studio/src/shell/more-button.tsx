/**
 * The button at the end of the navigation, which opens a menu. The menu is loaded when the user reaches for it: its 29 kB would be
 * a sixth of the script of a first load.
 */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import type { NavItem } from './navigation.ts'
import './more-menu.css'

const load = () => import('./more-menu.tsx')
const MoreMenu = lazy(() => load().then((module) => ({ default: module.MoreMenu })))

export function MoreButton({ items, onHelp }: { items: NavItem[]; onHelp: () => void }) {
  const [wasOpened, setOpened] = useState(false)
  const button = (
    <button
      type="button"
      className="rail-link more-trigger"
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setOpened(true)}
    >
      {t`More`}
    </button>
  )
  if (!wasOpened) return button
  return (
    <Suspense fallback={button}>
      <MoreMenu items={items} onHelp={onHelp} />
    </Suspense>
  )
}
