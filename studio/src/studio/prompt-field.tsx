/** The prompt, a textarea that grows with its text; a character count appears near the limit. */
import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { PROMPT_CHARACTERS_MAX } from './form-values.ts'
import styles from './generate-form.module.css'

const COUNT_SHOWN_ABOVE = PROMPT_CHARACTERS_MAX - 500

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  error: string | null
  onChange: (text: string) => void
}

export function PromptField({ field, value, error, onChange }: Props) {
  const length = [...value.trim()].length
  const count = t`${formatNumber(length)} of ${formatNumber(PROMPT_CHARACTERS_MAX)} characters`
  return (
    <Field
      label={t`Prompt`}
      name="prompt"
      value={value}
      onValueChange={onChange}
      placeholder={t`What the film shows, in your own words`}
      error={error ?? undefined}
      hint={length > COUNT_SHOWN_ABOVE && !error ? count : undefined}
      render={<textarea ref={field} rows={4} dir="auto" className={styles.prompt} />}
    />
  )
}
