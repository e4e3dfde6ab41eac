/**
 * A modal dialog with focus trap. Escape and the backdrop close it, and the focus returns to the element that opened it. The
 * first field has the focus; with `autoFocus` it would have it before Base UI notes where the focus was.
 */
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import './dialog.css'

type Props = { open: boolean; onClose: () => void; title: string; children: ReactNode }

export function Dialog({ open, onClose, title, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="dialog">
          <Base.Title>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
