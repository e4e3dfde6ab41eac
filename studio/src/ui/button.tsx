/** Buttons, and the same style for links. A page has at most one `primary` button: the next thing to do. */
import type { ComponentProps } from 'react'
import './button.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'
type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** The button's action is pending: a click, and Enter in a field of the form, do nothing. */
  busy?: boolean
}

/**
 * A busy or disabled button sets `aria-disabled`, and its click does nothing. With `disabled` the browser would move
 * the focus of a keyboard user to the body of the page, when the action begins or when a saved form has no changes any
 * more.
 */
export function Button({ kind = 'plain', busy = false, className, disabled = false, onClick, ...rest }: Props) {
  const isInert = busy || disabled
  return (
    <button
      type="button"
      {...rest}
      className={['button', kind, className].filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      {...(isInert ? { 'aria-disabled': true, 'data-inert': true } : {})}
      onClick={isInert ? (event) => event.preventDefault() : onClick}
    />
  )
}

/** The style of a button for a link: `<Link className={buttonClass('primary')}>`. */
export const buttonClass = (kind: ButtonKind = 'plain'): string => `button ${kind}`
