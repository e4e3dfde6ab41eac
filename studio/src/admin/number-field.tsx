/** A number input of the administrators' forms. */
import { Field } from '../ui/field.tsx'

type Props = { label: string; max: number; value: string; required?: boolean; onChange: (value: string) => void }

/** A whole number from 1 to `max`. */
export const NumberField = ({ label, max, value, required = true, onChange }: Props) => (
  <Field
    label={label}
    type="number"
    min={1}
    max={max}
    step={1}
    required={required}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
)
