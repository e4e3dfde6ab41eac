/**
 * The prompt, a textarea that grows with its text; a character count appears near the limit. Arrow up in an empty field, or at the
 * beginning of a recalled prompt, brings the one before.
 */
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { LabelledControl } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { readPrompts } from './draft.ts'
import { EXAMPLE_PROMPT, PROMPT_CHARACTERS_MAX } from './form-values.ts'
import styles from './generate-form.module.css'
import { useOpenPlaceholder } from './prompt-templates.tsx'

const COUNT_SHOWN_ABOVE = PROMPT_CHARACTERS_MAX - 500

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  userId: string
  value: string
  error: string | null
  onChange: (text: string) => void
}

export function PromptField({ field, userId, value, error, onChange }: Props) {
  const onKeyDown = usePromptHistory(userId, value, onChange)
  const length = [...value.trim()].length
  const placeholder = useOpenPlaceholder(value)
  const count = t`${formatNumber(length)} of ${formatNumber(PROMPT_CHARACTERS_MAX)} characters`
  return (
    <LabelledControl
      label={t`Prompt`}
      error={error ?? undefined}
      hint={length > COUNT_SHOWN_ABOVE && !error ? count : placeholder && t`Write your own words for ${placeholder}.`}
      control={(props) => (
        <textarea
          {...props}
          ref={field}
          name="prompt"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder={t`What the film shows, in your own words`}
          // A new account's form has an example, which the first key replaces.
          onFocus={({ currentTarget }) => value === EXAMPLE_PROMPT && currentTarget.select()}
          onKeyDown={onKeyDown}
          rows={4}
          dir="auto"
          className={`input ${styles.prompt}`}
        />
      )}
    />
  )
}

/** Only where the key has nothing else to do: in an empty field, or in an unchanged prompt of the history. */
function usePromptHistory(userId: string, value: string, onChange: (text: string) => void) {
  const [at, setAt] = useState(-1)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const prompts = readPrompts(userId)
    const current = value === '' ? -1 : prompts[at] === value ? at : null
    if (step === 0 || current === null || event.shiftKey || event.nativeEvent.isComposing) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const isAtEdge = step > 0 ? selectionEnd === 0 : selectionStart === value.length
    const next = current + step
    if (!isAtEdge || next < -1 || next >= prompts.length) return
    event.preventDefault()
    setAt(next)
    onChange(prompts[next] ?? '')
    const field = event.currentTarget
    // The caret moves after React has written the value.
    requestAnimationFrame(() =>
      field.setSelectionRange(...(step > 0 ? ([0, 0] as const) : ([field.value.length, field.value.length] as const))),
    )
  }
}
