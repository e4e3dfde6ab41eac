/** A labelled input with its hint and what is wrong with it, tied together for screen readers. */
import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import './field.css'

type Props = ComponentProps<typeof Base.Control> & {
  label: ReactNode
  hint?: ReactNode
  /** What the server said about it. */
  error?: string | undefined
}

export function Field({ label, hint, error: problem, name, ...control }: Props) {
  return (
    <Base.Root className="field" name={name} invalid={problem ? true : undefined}>
      <Base.Label className="field-label">{label}</Base.Label>
      <Base.Control className="input" {...control} />
      {hint ? <Base.Description className="field-hint">{hint}</Base.Description> : null}
      {problem ? (
        <Base.Error className="field-error" match>
          {problem}
        </Base.Error>
      ) : (
        <Base.Error className="field-error" />
      )}
    </Base.Root>
  )
}
