/** The list of models to choose from, or several of them to compare. Loaded once it is opened. */
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import '../ui/field.css'
import { usePreview } from '../video/poster.tsx'
import type { Model } from './form-fields.ts'
import type { Draft } from './form-values.ts'
import styles from './model-field.module.css'
import { ModelRow } from './model-row.tsx'

const SEARCH_FROM = 9
export const COMPARED_MAX = 4

export type ListProps = {
  id: string
  models: Model[]
  draft: Draft
  chosen: Model
  /** Ids of the models that make the film too. */
  rivals: string[]
  isComparing: boolean
  onComparing: (isComparing: boolean) => void
  onChoose: (id: string) => void
  /** Absent where one film is made at a time. */
  onCompare?: ((ids: string[]) => void) | undefined
  onClose: () => void
}

export function ModelList({
  id,
  models,
  draft,
  chosen,
  rivals,
  isComparing,
  onComparing,
  onChoose,
  onCompare,
  onClose,
}: ListProps) {
  const [search, setSearch] = useState('')
  const found = models.filter(({ name, provider }) =>
    `${name} ${provider}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const all = [chosen.id, ...rivals]
  const toggle = (id: string) => {
    const next = all.includes(id) ? all.filter((each) => each !== id) : [...all, id]
    const [first, ...others] = next
    // A new list has the boxes rendered again: one that is not rendered would stay as it was clicked.
    if (first === undefined || next.length > COMPARED_MAX) return onCompare?.([...rivals])
    if (first !== chosen.id) onChoose(first)
    onCompare?.(others)
  }
  const stopComparing = () => {
    onComparing(false)
    onCompare?.([])
  }
  return (
    <div className={styles.panel} id={id}>
      <div className={styles.tools}>
        {models.length >= SEARCH_FROM ? (
          <input
            type="search"
            className={`input ${styles.search}`}
            aria-label={t`Search models`}
            placeholder={t`Search models`}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {models.length > 1 && onCompare ? (
          <Button
            kind="quiet"
            aria-pressed={isComparing}
            onClick={() => (isComparing ? stopComparing() : onComparing(true))}
          >
            {isComparing ? t`Stop comparing` : t`Compare models`}
          </Button>
        ) : null}
      </div>
      <fieldset>
        <legend className="hidden-text">{isComparing ? t`Models to compare` : t`Model`}</legend>
        <div className={styles.list}>
          {found.map((model) => (
            <ModelChoice
              key={model.id}
              model={model}
              draft={draft}
              isChosen={isComparing ? all.includes(model.id) : model.id === chosen.id}
              isOneOfMany={isComparing}
              onChoose={() => (isComparing ? toggle(model.id) : onChoose(model.id))}
              onPointed={isComparing ? null : onClose}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

type ChoiceProps = {
  model: Model
  draft: Draft
  isChosen: boolean
  isOneOfMany: boolean
  onChoose: () => void
  /** Chosen by a pointer: arrow keys choose each model on the way. */
  onPointed: (() => void) | null
}

function ModelChoice({ model, draft, isChosen, isOneOfMany, onChoose, onPointed }: ChoiceProps) {
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  return (
    <label className={styles.model} {...pointerHandlers}>
      <input
        type={isOneOfMany ? 'checkbox' : 'radio'}
        name="model"
        className={styles.radio}
        value={model.id}
        checked={isChosen}
        onChange={onChoose}
        onClick={({ detail }) => {
          if (!onPointed || detail === 0) return
          // Closing removes the field, before the browser would send its change.
          onChoose()
          onPointed()
        }}
        {...focusHandlers}
      />
      <ModelRow model={model} draft={draft} isPreviewing={isPreviewing} isOffered={!isChosen} />
    </label>
  )
}
