/** What can be pressed. `primary` is the one thing to do next on a page; there is at most one. */
import type { ComponentProps } from 'react'
import './button.css'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'
type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** Pressed already and at work: it stays where it is, says so, and cannot be pressed again. */
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

/** The same look for a link: `<Link className={buttonClass('primary')}>`. */
export const buttonClass = (kind: ButtonKind = 'plain'): string => `button ${kind}`
