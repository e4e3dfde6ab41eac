/**
 * The sheet of models: a card each, with its sample, what it takes and gives, its usual time and the price of this
 * film. One is chosen, or several to compare. A model that cannot make this film is there, grey, with the reason.
 */
import { plural, t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { useSignedIn } from '../shell/signed-in.ts'
import { Button } from '../ui/button.tsx'
import { isComposing } from '../ui/composition.ts'
import { Dialog } from '../ui/dialog.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/states.tsx'
import { DrawnNote } from '../video/drawn-note.tsx'
import { ModelSample } from '../video/model-sample.tsx'
import { usePreview } from '../video/poster.tsx'
import type { Model } from './form-fields.ts'
import { type Draft, type FormValues, fitAll, priceText, totalPrice } from './form-values.ts'
import { missingText } from './input-words.ts'
import { Filters, isFound, noFilter } from './model-filters.tsx'
import { usualTime } from './model-row.tsx'
import styles from './model-sheet.module.css'
import { exclusionOf, lengthsText, sizesText, traitLabels, traitsOf } from './model-traits.ts'
import { readFavourites, useRecentModels, writeFavourites } from './own-models.ts'
import { useSamples } from './sample.ts'
import waiting from './waiting-picture.module.css'

const COMPARED_MAX = 4

export type SheetProps = {
  models: Model[]
  draft: Draft
  chosen: Model
  /** Of the chosen model. */
  values: FormValues
  /** Ids of the models that make the film too. */
  rivals: string[]
  onChoose: (id: string) => void
  /** Absent where one film is made at a time. */
  onCompare?: ((ids: string[]) => void) | undefined
  onClose: () => void
}

export function ModelSheet(props: SheetProps) {
  const { models, draft, chosen, values, rivals, onChoose, onCompare, onClose } = props
  const { user } = useSignedIn()
  const [filter, setFilter] = useState(noFilter)
  const [isComparing, setComparing] = useState(rivals.length > 0)
  const [favourites, setFavourites] = useState(() => readFavourites(user.id))
  const recent = useRecentModels()
  const list = useRef<HTMLFieldSetElement>(null)
  // Not the search: the arrow keys go on from the chosen one, and a phone opens no keyboard.
  useEffect(() => list.current?.querySelector<HTMLElement>(':checked')?.focus(), [])
  const all = [chosen.id, ...rivals]
  const found = models.filter((model) => isFound(model, filter, favourites))
  const toggle = (id: string) => {
    const next = all.includes(id) ? all.filter((each) => each !== id) : [...all, id]
    const [first, ...others] = next
    if (first === undefined || next.length > COMPARED_MAX) return onCompare?.([...rivals])
    if (first !== chosen.id) onChoose(first)
    onCompare?.(others)
  }
  const star = (id: string) => {
    const next = favourites.includes(id) ? favourites.filter((each) => each !== id) : [...favourites, id]
    writeFavourites(user.id, next)
    setFavourites(next)
  }
  const compare = () => {
    setComparing(!isComparing)
    if (isComparing) onCompare?.([])
  }
  return (
    <Dialog open isWide onClose={onClose} title={isComparing ? t`Models to compare` : t`Choose a model`}>
      <div className={styles.sheet}>
        <Filters {...{ models, filter }} onChange={setFilter}>
          {models.length > 1 && onCompare ? (
            <Button kind="quiet" aria-pressed={isComparing} onClick={compare}>
              {isComparing ? t`Stop comparing` : t`Compare models`}
            </Button>
          ) : null}
          {isComparing ? <Button kind="primary" onClick={onClose}>{t`Take these`}</Button> : null}
        </Filters>
        <p className="hidden-text" role="status">
          {plural(found.length, { one: '# model', other: '# models' })}
        </p>
        <fieldset
          ref={list}
          className={styles.scroll}
          onKeyDown={(event) => {
            // An arrow chooses each on the way; Enter ends the choice.
            if (event.key !== 'Enter' || isComposing(event.nativeEvent) || !isChoice(event.target)) return
            // Else it would press the button that gets the focus back.
            event.preventDefault()
            onClose()
          }}
        >
          <legend className="hidden-text">{isComparing ? t`Models to compare` : t`Model`}</legend>
          <DrawnNote models={models} />
          {found.length === 0 ? (
            <EmptyState action={<Button onClick={() => setFilter(noFilter)}>{t`Show all models`}</Button>}>
              {t`No model has all of this.`}
            </EmptyState>
          ) : null}
          {sectionsOf(found, favourites, recent).map(({ title, models }) => (
            <section key={title} className={styles.section} aria-label={title}>
              <h3 className={styles.title}>{title}</h3>
              <div className={styles.cards}>
                {models.map((model) => (
                  <ModelCard
                    key={`${model.id} ${isComparing}`}
                    {...{ model, draft, values }}
                    isChosen={isComparing ? all.includes(model.id) : model.id === chosen.id}
                    isOneOfMany={isComparing}
                    isFavourite={favourites.includes(model.id)}
                    onFavourite={() => star(model.id)}
                    onChoose={() => (isComparing ? toggle(model.id) : onChoose(model.id))}
                    onPointed={isComparing ? null : onClose}
                  />
                ))}
              </div>
            </section>
          ))}
        </fieldset>
      </div>
    </Dialog>
  )
}

const isChoice = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.name === 'model'

/** Each model once: the favourites, those of the latest films, and the others in the order of the catalogue. */
function sectionsOf(models: Model[], favourites: string[], recent: string[]) {
  const starred = models.filter(({ id }) => favourites.includes(id))
  const used = recent.flatMap((id) => models.find((model) => model.id === id && !starred.includes(model)) ?? [])
  const others = models.filter((model) => !starred.includes(model) && !used.includes(model))
  return [
    { title: t`Favourites`, models: starred },
    { title: t`Recently used`, models: used },
    { title: starred.length + used.length > 0 ? t`All others` : t`All models`, models: others },
  ].filter((section) => section.models.length > 0)
}

type CardProps = {
  model: Model
  draft: Draft
  values: FormValues
  isChosen: boolean
  isOneOfMany: boolean
  isFavourite: boolean
  onFavourite: () => void
  onChoose: () => void
  /** Chosen by a pointer: arrow keys choose each model on the way. */
  onPointed: (() => void) | null
}

function ModelCard(props: CardProps) {
  const { model, draft, values, isChosen, isOneOfMany, isFavourite, onFavourite, onChoose, onPointed } = props
  const id = useId()
  const sample = useSamples()(model.id)
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const films = fitAll(draft, [model])
  const price = totalPrice([model], films)
  const excluded = isChosen ? null : exclusionOf(model, values)
  const needed = films[0] ? missingText(films[0]) : null
  return (
    <div className={styles.card} data-excluded={excluded !== null} {...pointerHandlers}>
      <label className={styles.choice}>
        <input
          type={isOneOfMany ? 'checkbox' : 'radio'}
          name="model"
          className={styles.radio}
          value={model.id}
          checked={isChosen}
          disabled={excluded !== null}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-facts`}
          onChange={onChoose}
          onClick={({ detail }) => {
            if (!onPointed || detail === 0) return
            // Closing removes the field, before the browser would send its change.
            onChoose()
            onPointed()
          }}
          {...focusHandlers}
        />
        <span className={styles.picture}>
          {sample ? (
            <ModelSample sample={sample} isPreviewing={isPreviewing} />
          ) : (
            <span className={waiting.unexposed} />
          )}
        </span>
        <span id={`${id}-name`} className={styles.names}>
          <span className={styles.name}>{model.name}</span> <span className="quiet small">{model.provider}</span>
        </span>
        <span id={`${id}-facts`} className={styles.facts}>
          {excluded ?? (
            <>
              <span>{factsLine(lengthsText(model), sizesText(model))}</span>
              <span>{factsLine(...traitsOf(model).map((trait) => traitLabels[trait]))}</span>
              {needed ? <span>{needed}</span> : null}
              <span className={styles.foot}>
                <span className={styles.price}>{price ? priceText(price) : ''}</span>
                <span>{usualTime(model.usualSeconds)}</span>
              </span>
            </>
          )}
        </span>
      </label>
      <Button
        kind="quiet"
        className={`favourite ${styles.star}`}
        aria-pressed={isFavourite}
        aria-label={t`Favourite: ${model.name}`}
        onClick={onFavourite}
      >
        <Icon name="favourite" size={16} />
      </Button>
    </div>
  )
}
