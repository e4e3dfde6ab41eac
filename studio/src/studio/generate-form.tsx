/** The generate form. Stores every change as a draft. */
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useShortcut } from '../shell/use-shortcut.ts'
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
import styles from './generate-form.module.css'
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
  initialDraft: Draft
  /** Called once, after the initial values are stored as the draft. */
  onInitialized: () => void
}

export function GenerateForm({ userId, models, initialDraft, onInitialized }: Props) {
  const [draft, setDraft] = useState(initialDraft)
  useEffect(() => saveDraft(userId, draft), [userId, draft])
  const initialized = useEffectEvent(onInitialized)
  useEffect(() => initialized(), [])
  // Merge into the latest state: a late change, such as the link of an uploaded image, must not undo edits made meanwhile.
  const change = (part: Draft) => setDraft((latest) => ({ ...latest, ...fitToModel(latest, models)?.values, ...part }))
  const fitted = fitToModel(draft, models)
  if (!fitted)
    return <EmptyState>{t`There is no model at the moment. Films can be made again when one is back.`}</EmptyState>
  return <FormFields {...fitted} models={models} imageSize={draft.startImageSize ?? null} onChange={change} />
}

type FieldsProps = {
  values: FormValues
  model: Model
  models: Model[]
  imageSize: ImageSize | null
  onChange: (part: Draft) => void
}

function FormFields({ values, model, models, imageSize, onChange }: FieldsProps) {
  const promptField = useRef<HTMLTextAreaElement>(null)
  const [wasSubmitted, setSubmitted] = useState(false)
  const price = usePrice(values)
  const { generate, isPending, error, submitted, reset } = useGenerate(scrollToCard)
  const change = (part: Draft) => {
    // The error belongs to the values before this change.
    if (error) reset()
    onChange(part)
  }
  const image = useStartImage(values.startImageUrl, (startImageUrl, startImageSize) =>
    change({ startImageUrl, startImageSize }),
  )
  // Ignore an error of a previous image.
  const submitImageError = submitted?.startImageUrl === values.startImageUrl ? startImageError(error) : null
  const imageError = submitImageError ?? (price.isRequested ? startImageError(price.error) : null)
  const removeImage = useEffectEvent((reason: string) =>
    // The upload of another image goes on.
    image.isPending ? change({ startImageUrl: null, startImageSize: null }) : image.remove(reason),
  )
  useEffect(() => {
    if (imageError !== null) removeImage(imageError)
  }, [imageError])
  const invalidPrompt = promptError(values.prompt)
  const submit = () => {
    setSubmitted(true)
    if (invalidPrompt) promptField.current?.focus()
    else if (price.isCurrent && price.quote?.affordable && !isPending && !image.isPending) generate(values)
  }
  useShortcut((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    submit()
  })
  return (
    <>
      <div className={styles.fields}>
        <div className={styles.promptGroup}>
          <PromptField
            field={promptField}
            value={values.prompt}
            error={wasSubmitted || values.prompt.length > 0 ? invalidPrompt : null}
            onChange={(prompt) => change({ prompt })}
          />
          {model.modes.includes('image-to-video') ? (
            <StartImageField image={image} url={values.startImageUrl} size={imageSize} />
          ) : null}
        </div>
        <ModelPicker models={models} chosenId={model.id} onChoose={(id) => change({ model: id })} />
        <VideoOptions values={values} model={model} onChange={change} />
      </div>
      <GenerateButton
        values={values}
        model={model}
        price={price}
        busy={isPending || image.isPending}
        error={error}
        onSubmit={submit}
      />
    </>
  )
}
