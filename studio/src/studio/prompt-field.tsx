/** The prompt, which grows with its text; its count appears when the end comes near. */
import type { RefObject } from 'react'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { PROMPT_CHARACTERS_MAX } from './form-values.ts'
import css from './generate-form.module.css'

const COUNT_FROM = PROMPT_CHARACTERS_MAX - 500

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  problem: string | null
  onChange: (text: string) => void
}

export function PromptField({ field, value, problem, onChange }: Props) {
  const length = [...value.trim()].length
  const count = `${formatNumber(length)} of ${formatNumber(PROMPT_CHARACTERS_MAX)} characters`
  return (
    <Field
      label="Prompt"
      name="prompt"
      value={value}
      onValueChange={onChange}
      placeholder="What the film shows, in your own words"
      error={problem ?? undefined}
      hint={length > COUNT_FROM && !problem ? count : undefined}
      render={<textarea ref={field} rows={4} className={css.prompt} />}
    />
  )
}
