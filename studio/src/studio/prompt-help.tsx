/** Prompt help: the button beside the prompt, below which the operator's language model proposes another text. */
import { t } from '@lingui/core/macro'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { site } from '../site.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button } from '../ui/button.tsx'
import { promptError } from './form-values.ts'
import styles from './generate-form.module.css'

/** Loaded on demand: no first load compares texts. */
const PromptProposal = lazy(() =>
  import('./prompt-proposal.tsx').then((module) => ({ default: module.PromptProposal })),
)

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  /** The id of the model that the prompt is for. */
  model: string
  onChange: (prompt: string) => void
}

export function PromptHelp(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isMaker = isAtLeast(useTeam(), 'maker')
  const isAskable = promptError(props.value, 'required') === null
  if (!site.hasWriter || !isMaker) return null
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        className={styles.help}
        aria-expanded={isOpen}
        disabled={!isAskable}
        onClick={() => setOpen(!isOpen)}
      >
        {t`Improve the prompt`}
      </Button>
      <Suspense>
        {isOpen ? <PromptProposal {...props} {...{ button, isAskable }} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
