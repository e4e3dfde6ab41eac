/** Short words at the foot of the page, with one thing to press at most; a toast that offers an undo waits for it. */
import { Toast } from '@base-ui/react/toast'
import { Button } from './button.tsx'
import './toasts.css'

const toasts = Toast.createToastManager()

type ToastWish = {
  text: string
  /** For example { label: 'Undo', press }. */
  action?: { label: string; press: () => void }
  /** Called once when the toast is gone, whether by time or by hand; not after its action was pressed. */
  onGone?: () => void
  timeoutMs?: number
}

/** @returns what closes it */
export function toast({ text, action, onGone, timeoutMs = 6000 }: ToastWish): () => void {
  let acted = false
  const id = toasts.add({
    description: text,
    timeout: timeoutMs,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              acted = true
              action.press()
              toasts.close(id)
            },
          },
        }
      : {}),
    onRemove: () => {
      if (!acted) onGone?.()
    },
  })
  return () => toasts.close(id)
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  return Toast.useToastManager().toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast">
      <Toast.Description className="toast-text" />
      <Toast.Action render={<Button kind="quiet" />} />
      <Toast.Close render={<Button kind="quiet" aria-label="Dismiss" />}>×</Toast.Close>
    </Toast.Root>
  ))
}
