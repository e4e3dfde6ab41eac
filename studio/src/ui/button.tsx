/** Buttons, and the same style for links. A page has at most one `primary` button: the next thing to do. */
import type { ComponentProps } from 'react'
import './button.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'
type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** The button's action is pending: the button is disabled and sets aria-busy. */
  busy?: boolean
}

export function Button({ kind = 'plain', busy = false, className, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={['button', kind, className].filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
    />
  )
}

/** The style of a button for a link: `<Link className={buttonClass('primary')}>`. */
export const buttonClass = (kind: ButtonKind = 'plain'): string => `button ${kind}`
