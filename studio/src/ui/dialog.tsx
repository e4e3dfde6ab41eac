/**
 * A modal dialog: the browser's own, which traps the focus and returns it to the element that opened it. Its cross,
 * Escape and a press beside it close it. The first field has the focus, else the first button.
 */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button.tsx'
import './dialog.css'
import { Icon } from './icon.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from './states.tsx'

/** `isWide`: a sheet as large as the window allows, whose content scrolls by itself. */
type Props = { open: boolean; onClose: () => void; title: string; isWide?: boolean; children: ReactNode }

export const Dialog = ({ open, ...props }: Props) => (open ? <OpenDialog {...props} /> : null)

function OpenDialog({ onClose, title, isWide = false, children }: Omit<Props, 'open'>) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // An element that is removed open would lose the focus.
    return () => element?.close()
  }, [])
  // In the body, because a dialog of a form has a form of its own.
  return createPortal(
    <dialog
      ref={dialog}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      // The event comes later than the closing: one of a dialog that is removed already is not the user’s.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (isBeside(event)) onClose()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
      {/* Last, so that what the dialog is about has the focus. */}
      <Button kind="quiet" className="dialog-close" aria-label={t`Close`} onClick={onClose}>
        <Icon name="close" />
      </Button>
    </dialog>,
    document.body,
  )
}

/** Stands for what a dialog still reads. Then the focus moves from the cross to the first field, else button. */
export function DialogSkeleton({ height }: { height: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const dialog = place.current?.closest('dialog')
    const focusFirst = () => {
      if (document.activeElement !== dialog?.querySelector('.dialog-close')) return
      dialog?.querySelector<HTMLElement>('input, select, textarea, button, a')?.focus()
    }
    // What was read is there once this rendering is over.
    return () => queueMicrotask(focusFirst)
  }, [])
  return (
    <LoadingState>
      <div ref={place}>
        <SkeletonBlock height={height} />
      </div>
    </LoadingState>
  )
}

type ContentProps<Data> = {
  query: { data: Data | undefined; error: KinoraError | null; refetch: () => unknown }
  skeletonHeight: string
  children: (data: Data) => ReactNode
}

/** What a dialog reads when it opens. */
export function DialogContent<Data>({ query: { data, error, refetch }, skeletonHeight, children }: ContentProps<Data>) {
  if (data !== undefined) return children(data)
  return error ? <ErrorState error={error} retry={() => refetch()} /> : <DialogSkeleton height={skeletonHeight} />
}

/** The backdrop belongs to the dialog's element: only the coordinates differ. */
function isBeside({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}
