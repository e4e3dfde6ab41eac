/** The shots that the writer proposes: the user changes and removes what is not meant before any is added. */
import { plural, t } from '@lingui/core/macro'
import { useLayoutEffect, useRef, useState } from 'react'
import { PROMPT_CHARACTERS_MAX } from '../studio/form-values.ts'
import { type Action, ActionForm } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { LabelledControl } from '../ui/field.tsx'
import styles from './project.module.css'
import type { ShotDraft, ShotSettings } from './queries.ts'

export type ProposedShot = { key: number; prompt: string; settings: ShotSettings }

type Props = {
  proposed: ProposedShot[]
  action: Action
  onAdd: (shots: ShotDraft[]) => void
  onBack: () => void
}

export function ProposedShots({ proposed, action, onAdd, onBack }: Props) {
  const [shots, setShots] = useState(proposed)
  const list = useRef<HTMLOListElement>(null)
  const kept = shots.flatMap(({ prompt, settings }) =>
    prompt.trim() === '' ? [] : [{ settings: { ...settings, prompt: prompt.trim() } }],
  )
  // The button that proposed them is gone, and so is one that has removed a shot.
  useLayoutEffect(() => list.current?.focus({ preventScroll: true }), [])
  const remove = (key: number) => {
    setShots(shots.filter((each) => each.key !== key))
    list.current?.focus({ preventScroll: true })
  }
  return (
    <ActionForm
      action={action}
      submitLabel={plural(kept.length, { one: 'Add # shot', other: 'Add # shots' })}
      isReady={kept.length > 0}
      onSubmit={() => onAdd(kept)}
      onCancel={onBack}
      cancelLabel={t`Back to the script`}
    >
      <p className="quiet small" role="status">
        {shots.length > 0
          ? t`Change or remove what is not meant. Nothing is added or charged before you press the button.`
          : t`None of the proposed shots is left.`}
      </p>
      <ol ref={list} tabIndex={-1} className={styles.proposed} aria-label={t`Proposed shots`}>
        {shots.map(({ key, prompt, settings }, at) => (
          <li key={key} className={styles.proposedShot}>
            <LabelledControl
              label={settings.duration ? t`Shot ${at + 1} · ${settings.duration} s` : t`Shot ${at + 1}`}
              control={(props) => (
                <textarea
                  {...props}
                  className={`input ${styles.proposedPrompt}`}
                  rows={2}
                  dir="auto"
                  maxLength={PROMPT_CHARACTERS_MAX}
                  value={prompt}
                  onChange={({ target }) =>
                    setShots(shots.map((each) => (each.key === key ? { ...each, prompt: target.value } : each)))
                  }
                />
              )}
            />
            <Button
              kind="quiet"
              className={styles.remove}
              aria-label={t`Remove shot ${at + 1}`}
              onClick={() => remove(key)}
            >
              {t`Remove`}
            </Button>
          </li>
        ))}
      </ol>
    </ActionForm>
  )
}
