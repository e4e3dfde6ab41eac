/** A labelled input with hint and error, linked for screen readers (aria-describedby). */
import { type ComponentProps, type ReactNode, useId } from 'react'
import './field.css'

type Labels = {
  label: ReactNode
  hint?: ReactNode
  /** An error that the form or the API found; the browser shows its own validation messages itself. */
  error?: string | undefined
}

/** What links a control to its label, hint and error. */
type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'className' | 'aria-invalid' | 'aria-describedby'>

export const Field = ({ label, hint, error, ...input }: ComponentProps<'input'> & Labels) => (
  <LabelledControl
    label={label}
    hint={hint}
    error={error}
    control={(props) => <input ref={input.autoFocus ? focus : undefined} {...props} {...input} />}
  />
)

/** Preact sets the attribute, which browsers heed at the load of a page alone. */
const focus = (input: HTMLInputElement | null) => input?.focus()

/** For a control that is no input. */
export function LabelledControl({
  label,
  hint,
  error,
  control,
}: Labels & { control: (props: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {control({
        id,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  )
}
