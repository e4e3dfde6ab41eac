/** Toasts: short messages at the bottom of the page, each with at most one action. */
import { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'
import { Button } from './button.tsx'
import './toasts.css'

const toasts = Toast.createToastManager()

type ToastOptions = {
  text: string
  action?: { label: string; onClick: () => void }
  /** Called once when the toast times out or is closed; not called after its action. */
  onClose?: () => void
  timeoutMs?: number
}

/** @returns a function that closes the toast */
export function toast({ text, action, onClose, timeoutMs = 6000 }: ToastOptions): () => void {
  let wasActionTaken = false
  const id = toasts.add({
    description: text,
    timeout: timeoutMs,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              wasActionTaken = true
              action.onClick()
              toasts.close(id)
            },
          },
        }
      : {}),
    onRemove: () => {
      if (!wasActionTaken) onClose?.()
    },
  })
  return () => toasts.close(id)
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label={t`Notifications`}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  return Toast.useToastManager().toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast" ref={passFocusOn}>
      <Toast.Description className="toast-text" />
      <Toast.Action render={<Button kind="quiet" />} />
      <Toast.Close render={<Button kind="quiet" aria-label={t({ message: 'Dismiss', context: 'close a message' })} />}>
        ×
      </Toast.Close>
    </Toast.Root>
  ))
}

/** When the toast is removed with the focus in it, the focus moves to the page; the browser would leave it on <body>. */
const passFocusOn = (toastElement: HTMLElement | null) => () => {
  if (toastElement?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true })
}
