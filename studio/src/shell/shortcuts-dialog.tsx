/** The list of the keyboard shortcuts. */
import { t } from '@lingui/core/macro'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import type { NavItem } from './navigation.ts'

export function ShortcutsDialog({ onClose, items }: { onClose: () => void; items: NavItem[] }) {
  return (
    <Dialog open onClose={onClose} title={t`Keyboard`}>
      <dl className="facts">
        {items.map(({ to, name, key }) => (
          <Fact key={to} name={name}>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </Fact>
        ))}
        <Fact name={t`Search this page`}>
          <kbd>/</kbd>
        </Fact>
        <Fact name={t`Film before, film after`}>
          <kbd>←</kbd> <kbd>→</kbd>
        </Fact>
        <Fact name={t`Shot earlier, later`}>
          <kbd>Alt</kbd> <kbd>←</kbd> <kbd>→</kbd>
        </Fact>
        <Fact name={t`In and out of a cut`}>
          <kbd>i</kbd> <kbd>o</kbd>
        </Fact>
        <Fact name={t`Generate`}>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </Fact>
        <Fact name={t`This list`}>
          <kbd>?</kbd>
        </Fact>
      </dl>
    </Dialog>
  )
}
