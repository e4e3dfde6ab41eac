/** The wish as one works on it. Every change is kept as a draft at once. */
import { useEffect, useRef, useState } from 'react'
import { isOverlayOpen } from '../shell/overlay.ts'
import { EmptyState } from '../ui/states.tsx'
import { saveDraft } from './draft.ts'
import {
  type Draft,
  type FormValues,
  fitToModel,
  type ImageSize,
  type Model,
  promptError,
  startImageError,
} from './form-values.ts'
import { useGenerate } from './generate.ts'
import { GenerateButton } from './generate-button.tsx'
import css from './generate-form.module.css'
import { ModelPicker } from './model-picker.tsx'
import { usePrice } from './price.ts'
import { PromptField } from './prompt-field.tsx'
import { scrollToCard } from './scroll-to-card.ts'
import { useStartImage } from './start-image.ts'
import { StartImageField } from './start-image-field.tsx'
import { VideoOptions } from './video-options.tsx'

type Props = {
  userId: string
  models: Model[]
  first: Draft
  /** Told once the first wish is kept as the draft. */
  onTaken: () => void
}

export function GenerateForm({ userId, models, first, onTaken }: Props) {
  const [wanted, setWanted] = useState(first)
  useEffect(() => saveDraft(userId, wanted), [userId, wanted])
  const taken = useRef(onTaken)
  useEffect(() => taken.current(), [])
  // What comes late, such as the address of an image, must not undo what was written in the meantime.
  const change = (part: Draft) => setWanted((before) => ({ ...before, ...fitToModel(before, models)?.wish, ...part }))
  const fit = fitToModel(wanted, models)
  if (!fit) return <EmptyState>There is no model at the moment. Films can be made again when one is back.</EmptyState>
  return <Work {...fit} models={models} imageSize={wanted.startImageSize ?? null} change={change} />
}

type WorkProps = {
  wish: FormValues
  model: Model
  models: Model[]
  imageSize: ImageSize | null
  change: (part: Draft) => void
}

function Work({ wish, model, models, imageSize, change: keep }: WorkProps) {
  const prompt = useRef<HTMLTextAreaElement>(null)
  const [checked, setChecked] = useState(false)
  const price = usePrice(wish)
  const { generate, isPending, error, pressed, forget } = useGenerate(scrollToCard)
  const change = (part: Draft) => {
    // What was refused was another wish.
    if (error) forget()
    keep(part)
  }
  const image = useStartImage(wish.startImageUrl, (startImageUrl, startImageSize) =>
    change({ startImageUrl, startImageSize }),
  )
  // Of an earlier image nothing is said any more.
  const ofPress = pressed?.startImageUrl === wish.startImageUrl ? startImageError(error) : null
  const ofImage = ofPress ?? (price.isAsked ? startImageError(price.error) : null)
  useWhenSaid(ofImage, image.drop)
  const problem = promptError(wish.prompt)
  const press = () => {
    setChecked(true)
    if (problem) prompt.current?.focus()
    else if (price.isCurrent && price.quote?.affordable && !isPending && !image.isPending) generate(wish)
  }
  useGenerateKey(press)
  return (
    <div className="columns">
      <div className={css.work}>
        <div className={css.beginning}>
          <PromptField
            field={prompt}
            value={wish.prompt}
            problem={checked || wish.prompt.length > 0 ? problem : null}
            onChange={(text) => change({ prompt: text })}
          />
          {model.modes.includes('image-to-video') ? (
            <StartImageField image={image} url={wish.startImageUrl} size={imageSize} />
          ) : null}
        </div>
        <ModelPicker models={models} chosen={model.id} onChoose={(id) => change({ model: id })} />
        <VideoOptions wish={wish} model={model} onChange={change} />
      </div>
      <GenerateButton
        wish={wish}
        model={model}
        price={price}
        busy={isPending || image.isPending}
        error={error}
        onPress={press}
      />
    </div>
  )
}

/** Acts once on what is said, and again when it is said anew. */
function useWhenSaid(said: string | null, act: (said: string) => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (said !== null) latest.current(said)
  }, [said])
}

/** Ctrl or Cmd with Enter, wherever on the page one is. */
function useGenerateKey(press: () => void): void {
  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || isOverlayOpen()) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
