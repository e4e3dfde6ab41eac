/** Labelled inputs with hint and error, linked for screen readers (aria-describedby), and a form's values. */
import { t } from '@lingui/core/macro'
import {
  type ChangeEvent,
  type ComponentProps,
  type InvalidEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import './field.css'
import { formatNumber } from './format.ts'

type Labels = {
  label: ReactNode
  hint?: ReactNode
  /**
   * An error that the form or the API found, in the place of the hint; the browser shows its own validation messages
   * itself.
   */
  error?: string | undefined
}

/** `problem`: why the value cannot be sent; a form that has the field is not sent while there is one. */
type Refusable = { problem?: string | null }

/** What links a control to its label, hint and error. */
type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'className' | 'aria-invalid' | 'aria-describedby'>

export function Field({ label, hint, error, problem = null, ...input }: ComponentProps<'input'> & Labels & Refusable) {
  const { ref, onInvalid } = useRefusal(problem)
  const { autoFocus } = input
  useLayoutEffect(() => {
    // Preact sets the attribute, which browsers heed at the load of a page alone.
    if (autoFocus) ref.current?.focus()
  }, [autoFocus, ref])
  return (
    <LabelledControl
      label={label}
      hint={hint}
      error={problem ?? error}
      control={(props) => <input ref={ref} onInvalid={onInvalid} {...props} {...input} />}
    />
  )
}

/** Makes an input invalid while there is a problem, which the page shows, in words of the studio, at the input. */
export function useRefusal(problem: string | null) {
  const ref = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => ref.current?.setCustomValidity(problem ?? ''), [problem])
  const onInvalid = (event: InvalidEvent<HTMLInputElement>) => {
    if (problem === null) return
    // In the place of the browser’s bubble, which would say the same once more.
    event.preventDefault()
    event.currentTarget.focus()
  }
  return { ref, onInvalid }
}

export type Limits = { min: number; max: number; isInteger?: boolean }

/** Whether a text is a number within the limits. */
export function isNumber(text: string, { min, max, isInteger = true }: Limits): boolean {
  const number = /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= min && number <= max && (!isInteger || Number.isInteger(number))
}

/** Null for a number within the limits, and for an empty text. */
export function numberProblem(text: string, limits: Limits): string | null {
  if (text.trim() === '' || isNumber(text, limits)) return null
  const [from, to] = [formatNumber(limits.min), formatNumber(limits.max)]
  return limits.isInteger ? t`Write a whole number from ${from} to ${to}.` : t`Write a number from ${from} to ${to}.`
}

type NumberProps = Omit<ComponentProps<'input'>, 'min' | 'max' | 'value'> & Labels & Partial<Limits>

/**
 * A number, as typed: a whole one from 1, unless it is said otherwise. It is a text to the browser, which changes a
 * focused number when the page is scrolled, and returns an empty text for what it cannot read as one.
 */
export const NumberField = ({
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
  isInteger = true,
  value,
  ...field
}: NumberProps & { value: string }) => (
  <Field
    inputMode={min < 0 ? 'text' : isInteger ? 'numeric' : 'decimal'}
    autoComplete="off"
    value={value}
    problem={numberProblem(value, { min, max, isInteger })}
    {...field}
  />
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

/** For a control that is no input. */
export function LabelledControl({
  label,
  hint,
  error,
  control,
}: Labels & { control: (props: ControlProps) => ReactNode }) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {control({
        id,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error || hint ? `${id}-hint` : undefined,
      })}
      {error || hint ? (
        <p className={error ? 'field-error' : 'field-hint'} id={`${id}-hint`}>
          {error || hint}
        </p>
      ) : null}
    </div>
  )
}
