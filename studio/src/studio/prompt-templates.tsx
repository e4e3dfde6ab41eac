/**
 * The operator's prompt templates, as chips below the prompt. One that replaces the user's own words can be undone.
 * What is in braces is a placeholder: the first one is selected, so that typing replaces it.
 */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { dataOf, kinora } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import { toast } from '../ui/toasts.tsx'
import styles from './generate-form.module.css'

const PLACEHOLDER = /\{[^{}]+\}/

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/templates')),
  staleTime: 5 * 60_000,
})

type Template = Schemas['PromptTemplate']
const textIn = ({ en, zh }: Template['title']): string => (locale === 'zh-Hans' && zh) || en

const useTemplates = (): Template[] => useQuery(templatesQuery).data?.templates ?? []

/** The first placeholder of a template that the prompt still has; null: none. */
export function useOpenPlaceholder(prompt: string): string | null {
  const prompts = useTemplates().map((template) => textIn(template.prompt))
  const [found] = PLACEHOLDER.exec(prompt) ?? []
  return found !== undefined && prompts.some((text) => text.includes(found)) ? found : null
}

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  onChange: (prompt: string) => void
}

export function PromptTemplates({ field, value, onChange }: Props) {
  const templates = useTemplates()
  if (templates.length === 0) return null
  const prompts = templates.map((template) => textIn(template.prompt))
  const choose = (prompt: string) => {
    flushSync(() => onChange(prompt))
    if (value.trim() !== '' && !prompts.includes(value))
      toast({ text: t`Your prompt is replaced.`, action: { label: t`Undo`, onClick: () => onChange(value) } })
    selectPlaceholder(field.current)
  }
  return (
    <ul className={styles.templates} aria-label={t`Templates`}>
      {templates.map(({ title, prompt }) => (
        <li key={title.en}>
          <button
            type="button"
            className={styles.template}
            title={textIn(prompt)}
            onClick={() => choose(textIn(prompt))}
          >
            {textIn(title)}
          </button>
        </li>
      ))}
    </ul>
  )
}

function selectPlaceholder(field: HTMLTextAreaElement | null): void {
  field?.focus()
  const found = field && PLACEHOLDER.exec(field.value)
  if (found) field.setSelectionRange(found.index, found.index + found[0].length)
}
