/** A labelled input with hint and error, linked for screen readers (aria-describedby). */
import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import './field.css'

type Props = ComponentProps<typeof Base.Control> & {
  label: ReactNode
  hint?: ReactNode
  /** An error that the form or the API found; the browser's own validation messages need no prop. */
  error?: string | undefined
}

export function Field({ label, hint, error, name, ...control }: Props) {
  return (
    <Base.Root className="field" name={name} invalid={error ? true : undefined}>
      <Base.Label className="field-label">{label}</Base.Label>
      <Base.Control className="input" {...control} />
      {hint ? <Base.Description className="field-hint">{hint}</Base.Description> : null}
      {error ? (
        <Base.Error className="field-error" match>
          {error}
        </Base.Error>
      ) : (
        <Base.Error className="field-error" />
      )}
    </Base.Root>
  )
}
