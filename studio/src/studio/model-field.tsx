/**
 * The model: the chosen one, and on demand the list of all with their sample, usual time and the price of this film.
 * Several can be chosen there, to compare what they make of one prompt.
 */
import { t } from '@lingui/core/macro'
import { useId, useRef, useState } from 'react'
import { useShortcut } from '../shell/use-shortcut.ts'
import { Button } from '../ui/button.tsx'
import { formatCredits } from '../ui/format.ts'
import '../ui/field.css'
import { ModelSample } from '../video/model-sample.tsx'
import { usePreview } from '../video/poster.tsx'
import type { Model } from './form-fields.ts'
import { type Draft, fit, totalPrice } from './form-values.ts'
import { missingText } from './input-words.ts'
import styles from './model-field.module.css'
import { useSample } from './sample.ts'

const SEARCH_FROM = 9
export const COMPARED_MAX = 4

type Props = {
  models: Model[]
  draft: Draft
  chosen: Model
  /** Ids of the models that make the film too. */
  rivals: string[]
  onChoose: (id: string) => void
  onCompare: (ids: string[]) => void
}

export function ModelField({ models, draft, chosen, rivals, onChoose, onCompare }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [isComparing, setComparing] = useState(rivals.length > 0)
  const [search, setSearch] = useState('')
  const listId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const found = models.filter(({ name, provider }) =>
    `${name} ${provider}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const all = [chosen.id, ...rivals]
  const toggle = (id: string) => {
    const next = all.includes(id) ? all.filter((each) => each !== id) : [...all, id]
    const [first, ...others] = next
    // A new list has the boxes rendered again: one that is not rendered would stay as it was clicked.
    if (first === undefined || next.length > COMPARED_MAX) return onCompare([...rivals])
    if (first !== chosen.id) onChoose(first)
    onCompare(others)
  }
  const close = () => {
    setOpen(false)
    // What had the focus is gone.
    button.current?.focus()
  }
  useShortcut(({ key }) => {
    if (key === 'Escape' && isOpen) close()
  })
  const stopComparing = () => {
    setComparing(false)
    onCompare([])
  }
  return (
    <div>
      <button
        ref={button}
        type="button"
        className={styles.chosen}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="hidden-text">{t`Model`}</span>
        <ModelRow model={chosen} draft={draft} rivals={models.filter(({ id }) => rivals.includes(id))} />
      </button>
      {isOpen ? (
        <div className={styles.panel} id={listId}>
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
            {models.length > 1 ? (
              <Button
                kind="quiet"
                aria-pressed={isComparing}
                onClick={() => (isComparing ? stopComparing() : setComparing(true))}
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
                  onPointed={isComparing ? null : close}
                />
              ))}
            </div>
          </fieldset>
        </div>
      ) : null}
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
      <ModelRow model={model} draft={draft} isPreviewing={isPreviewing} />
    </label>
  )
}

/** `rivals`: the models that make the film too; the price is of all. */
type RowProps = { model: Model; draft: Draft; isPreviewing?: boolean; rivals?: Model[] }

function ModelRow({ model, draft, isPreviewing = false, rivals = [] }: RowProps) {
  const sample = useSample(model)
  const values = fit(draft, model)
  const all = [model, ...rivals]
  const price = totalPrice(all, draft)
  return (
    <>
      {sample ? <ModelSample sample={sample} isPreviewing={isPreviewing} /> : null}
      <span className={styles.names}>
        <span className={styles.name}>{rivals.length > 0 ? t`${all.length} models` : model.name}</span>
        <span className={styles.fact}>
          {(rivals.length > 0
            ? all.map(({ name }) => name)
            : [model.provider, usualTime(model.usualSeconds), missingText(values)].filter(Boolean)
          ).join(' · ')}
        </span>
      </span>
      <span className={styles.price}>{price === null ? '' : formatCredits(price)}</span>
    </>
  )
}

/** 41 → "about 41 s", 130 → "about 2 min" */
export const usualTime = (seconds: number): string =>
  seconds < 90 ? t`about ${seconds} s` : t`about ${Math.round(seconds / 60)} min`
