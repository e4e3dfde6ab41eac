/** The menu of more-button.tsx: theme, shortcuts, API reference, sign out; on a narrow screen also the overflow pages. */
import { Menu } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { dataOf, endSession, kinora } from '../api.ts'
import { flushDeletions } from '../library/deletion.ts'
import type { NavItem } from './navigation.ts'
import { type Theme, useTheme } from './theme.ts'

const themes = (): { value: Theme; name: string }[] => [
  { value: 'system', name: t`As the system` },
  { value: 'dark', name: t`Dark` },
  { value: 'light', name: t`Light` },
]

export function MoreMenu({ items, onHelp }: { items: NavItem[]; onHelp: () => void }) {
  const [theme, setTheme] = useTheme()
  const signOut = useSignOut()
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className="rail-link more-trigger">{t`More`}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="more-positioner" sideOffset={8} align="start">
          <Menu.Popup className="more">
            {items.map(({ to, name }) => (
              <Menu.Item key={to} className="more-item more-overflow" render={<Link to={to} />}>
                {name}
              </Menu.Item>
            ))}
            <Menu.Separator className="more-separator more-overflow" />
            <Menu.RadioGroup value={theme} onValueChange={setTheme} aria-label={t`Theme`}>
              {themes().map(({ value, name }) => (
                <Menu.RadioItem key={value} value={value} className="more-item">
                  {name}
                  <Menu.RadioItemIndicator className="more-check">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="more-separator" />
            <Menu.Item className="more-item" onClick={onHelp}>
              {t`Keyboard`}
            </Menu.Item>
            <Menu.Item className="more-item" render={<a href="/docs">{t`API reference`}</a>} />
            <Menu.Separator className="more-separator" />
            <Menu.Item className="more-item" onClick={() => signOut.mutate()}>
              {t`Sign out`}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
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
