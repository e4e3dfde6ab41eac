/** Forms and dialogs of one action: what it does, its fields, the error of the last attempt, and its buttons. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useSingleFlight } from '../single-flight.ts'
import { Button, type ButtonKind } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './states.tsx'
import { toast } from './toasts.tsx'

/** The mutation of a form. */
export type Action = { isPending: boolean; isSuccess?: boolean; error: KinoraError | null }

type FormProps = {
  action: Action
  onSubmit: () => void
  submitLabel: ReactNode
  kind?: ButtonKind
  isReady?: boolean
  /** Without it the form is a panel with one button; with it, it is the content of a dialog. */
  onCancel?: () => void
  cancelLabel?: ReactNode
  cancelKind?: ButtonKind
  /** The page goes with a success: the button stays busy until then. */
  isLast?: boolean
  /** The action has to end before Cancel does anything. */
  isHeld?: boolean
  /** The error that is shown above the buttons, when it is not shown at a field. */
  error?: KinoraError | null
  /** What follows the error: where to mend what it says. */
  detail?: ReactNode
  children?: ReactNode
  /** What follows the button of a panel. */
  result?: ReactNode
}

export function ActionForm(props: FormProps) {
  const { action, onSubmit, submitLabel, kind = 'primary', isReady = true, onCancel, cancelLabel = t`Cancel` } = props
  const { cancelKind = 'plain', isLast = false, isHeld = false, error = action.error, detail, children, result } = props
  const submit = (
    <Button
      type="submit"
      kind={kind}
      busy={action.isPending || (isLast && action.isSuccess === true)}
      disabled={!isReady}
    >
      {submitLabel}
    </Button>
  )
  return (
    <form
      className={onCancel ? 'stack' : 'panel'}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error ? <ErrorState error={error} /> : null}
      {detail}
      {onCancel ? (
        <div className="dialog-actions">
          <Button kind={cancelKind} disabled={isHeld && action.isPending} onClick={onCancel}>
            {cancelLabel}
          </Button>
          {submit}
        </div>
      ) : (
        submit
      )}
      {result}
    </form>
  )
}

type ActionOptions<Data, Variables> = {
  send: (variables: Variables) => Promise<Data>
  /** Reads again what the action has changed; a dialog stays until then. */
  refresh?: (data?: Data) => Promise<unknown>
  /** Reads it again after a failure too: it may have changed elsewhere; after a success once the dialog is closed. */
  refreshesAlways?: boolean
  /** The toast after it. */
  done?: string | ((data: Data) => string)
  onDone?: () => void
  /** Actions with the same key exclude each other; the default key is unique to the component instance. */
  mutationKey?: readonly unknown[]
}

/** An action of which one runs at a time. */
export const useAction = <Data, Variables = void>(options: ActionOptions<Data, Variables>) => {
  const { send, refresh, refreshesAlways, done, onDone, mutationKey } = options
  return useSingleFlight({
    ...(mutationKey ? { mutationKey } : {}),
    mutationFn: send,
    onSuccess: async (data: Data) => {
      if (!refreshesAlways) await refresh?.(data)
      if (done) toast({ text: typeof done === 'string' ? done : done(data) })
      onDone?.()
    },
    onSettled: () => (refreshesAlways ? refresh?.() : undefined),
  })
}

type DialogProps<Data> = Omit<ActionOptions<Data, void>, 'onDone'> &
  Omit<FormProps, 'action' | 'onSubmit' | 'onCancel'> & { title: string; onClose: () => void }

/** Asks before an action, sends it, and closes. */
export function ActionDialog<Data>(props: DialogProps<Data>) {
  const { title, send, refresh, refreshesAlways = false, done, mutationKey, onClose, ...form } = props
  const action = useAction({
    send,
    refreshesAlways,
    onDone: onClose,
    ...(refresh ? { refresh } : {}),
    ...(done ? { done } : {}),
    ...(mutationKey ? { mutationKey } : {}),
  })
  const close = () => (props.isHeld && action.isPending) || onClose()
  return (
    <Dialog open onClose={close} title={title}>
      <ActionForm action={action} onSubmit={() => action.mutate()} onCancel={close} {...form} />
    </Dialog>
  )
}
