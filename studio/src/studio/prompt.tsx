/** The prompt, which grows with its text; its count appears when the end comes near. */
import { Field } from '@base-ui/react/field'
import type { RefObject } from 'react'
import { number } from '../look/words.ts'
import css from './desk.module.css'
import { PROMPT_CHARACTERS_MAX } from './wish.ts'

const COUNT_FROM = PROMPT_CHARACTERS_MAX - 500

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  problem: string | null
  onChange: (text: string) => void
}

export function Prompt({ field, value, problem, onChange }: Props) {
  const length = [...value.trim()].length
  return (
    <Field.Root className="field" name="prompt" invalid={problem !== null}>
      <Field.Label className="field-label">Prompt</Field.Label>
      <Field.Control
        className={`input ${css.prompt}`}
        value={value}
        onValueChange={onChange}
        placeholder="What the film shows, in your own words"
        render={<textarea ref={field} rows={4} />}
      />
      {problem ? (
        <Field.Error className="field-problem" match>
          {problem}
        </Field.Error>
      ) : null}
      {length > COUNT_FROM && !problem ? (
        <Field.Description className="field-hint">
          {number(length)} of {number(PROMPT_CHARACTERS_MAX)} characters
        </Field.Description>
      ) : null}
    </Field.Root>
  )
}
