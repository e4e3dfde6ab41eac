/** A select whose options are values with their labels, in their order. */
import type { ComponentProps } from 'react'
import './field.css'

type Options<Value extends string> = Record<Value, string> | readonly (readonly [Value, string])[]

type Props<Value extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'onSelect' | 'className'> & {
  value: Value | undefined
  options: Options<Value>
  /** The option of no value, first: all, or none. */
  none?: string | undefined
  className?: string | undefined
  /** @param value undefined: the option of no value */
  onSelect: (value: Value | undefined) => void
}

export function Select<Value extends string>({ value, options, none, className, onSelect, ...select }: Props<Value>) {
  const entries = (Array.isArray(options) ? options : Object.entries(options)) as [Value, string][]
  return (
    <select
      {...select}
      className={className === 'input' ? className : ['input', className].filter(Boolean).join(' ')}
      value={value ?? ''}
      onChange={({ target }) => onSelect((target.value || undefined) as Value | undefined)}
    >
      {none === undefined ? null : <option value="">{none}</option>}
      {entries.map(([each, label]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </select>
  )
}
