/** Labelled inputs with hint and error, linked for screen readers (aria-describedby), and a form's values. */
import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from 'react'
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

/** A whole number from 1 to `max`. */
export const NumberField = (field: ComponentProps<'input'> & Labels & { max: number }) => (
  <Field type="number" min={1} step={1} {...field} />
)

/** A checkbox, or a radio button, before its label. */
export const Check = ({ label, ...input }: ComponentProps<'input'> & { label: ReactNode }) => (
  <label className="check">
    <input type="checkbox" {...input} />
    {label}
  </label>
)

type NamesOf<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values]

/**
 * The values of a form's inputs, as typed.
 * @returns `text` and `check` bind an input to the value of a name: `<Field label="Note" {...text('note')} />`
 */
export function useFields<Values extends Record<string, string | boolean>>(initial: Values) {
  const [values, setValues] = useState(initial)
  const set = (name: keyof Values, value: string | boolean) => setValues((before) => ({ ...before, [name]: value }))
  return {
    values,
    /** @param names of the values that become the initial ones again; all, when left out */
    reset: (names = Object.keys(initial)) =>
      setValues((before) => ({ ...before, ...Object.fromEntries(names.map((name) => [name, initial[name]])) })),
    text: (name: NamesOf<Values, string>) => ({
      value: values[name] as string,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set(name, target.value),
    }),
    check: (name: NamesOf<Values, boolean>) => ({
      checked: values[name] as boolean,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set(name, target.checked),
    }),
  }
}

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
