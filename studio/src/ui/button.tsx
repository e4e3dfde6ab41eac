/** Buttons, and the same style for links. A page has at most one `primary` button: the next thing to do. */
import type { ComponentProps } from 'react'
import './button.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'
type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** The button's action is pending: a click, and Enter in a field of the form, do nothing. */
  busy?: boolean
}

/** A busy button sets `aria-disabled`: `disabled` would move the focus of a keyboard user to the body of the page. */
export function Button({ kind = 'plain', busy = false, className, disabled, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={['button', kind, className].filter(Boolean).join(' ')}
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true } : {})}
      disabled={disabled && !busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  )
}

/** The style of a button for a link: `<Link className={buttonClass('primary')}>`. */
export const buttonClass = (kind: ButtonKind = 'plain'): string => `button ${kind}`
