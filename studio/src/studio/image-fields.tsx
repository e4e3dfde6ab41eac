/** The images of the model's modes, and the film to continue: each empty, uploading, or with a crop. */
import { t } from '@lingui/core/macro'
import { type CSSProperties, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { aspectRatio } from '../video/aspect-ratio.ts'
import { fieldAt, imageCountOf, imageFieldsOf, type Model, modesOf, valuesLeft } from './form-fields.ts'
import { type Draft, type DraftImage, type FormValues, nearestAspectRatio } from './form-values.ts'
import styles from './image-fields.module.css'
import { IMAGE_TYPES, isOfThisOrigin, useImageUpload } from './image-upload.ts'

/** The field of a film, and not of an image. */
const EXTEND_FROM = 'extendFrom'
/** A film's larger copy is made at the film. */
const OTHER_FIELDS = [EXTEND_FROM, 'upscaleFrom']

/** Words for the image fields that the API has; a new one is shown by its name. */
function wordsOf(name: string): { label: string; choose: string; use: string } {
  switch (name) {
    case 'startImageUrl':
      return { label: t`Start image`, choose: t`Choose a start image`, use: t`The film begins with this image.` }
    case 'endImageUrl':
      return { label: t`End image`, choose: t`Choose an end image`, use: t`The film ends with this image.` }
    case 'referenceImageUrls':
      return { label: t`Reference image`, choose: t`Add a reference image`, use: t`The film shows what is in it.` }
    default:
      return { label: name, choose: name, use: '' }
  }
}

/** A message for the images that a request still lacks; null when it lacks none. */
export function missingImagesText({ missing }: FormValues): string | null {
  const [name] = missing
  if (name === undefined) return null
  switch (name) {
    case 'startImageUrl':
      return t`This film needs a start image.`
    case 'endImageUrl':
      return t`This film needs an end image.`
    case 'referenceImageUrls':
      return t`This film needs more reference images.`
    default:
      return t`Something is missing: ${name}`
  }
}

type Props = {
  model: Model
  values: FormValues
  images: NonNullable<Draft['images']>
  /** What the API says of one of them. */
  error: { field: string; message: string } | null
  onChange: (part: Pick<Draft, 'images' | 'fields'>) => void
}

export function ImageFields({ model, values, images, error, onChange }: Props) {
  const names = imageFieldsOf(model).filter((name) => !OTHER_FIELDS.includes(name))
  const present = Object.keys(images).filter((name) => (images[name] ?? []).length > 0)
  /** Whether a mode takes an image here together with those that are there. */
  const isCombinable = (name: string) =>
    modesOf(model).some((mode) =>
      [name, ...present.filter((each) => names.includes(each))].every((each) => mode.images.includes(each)),
    )
  const slots = names.flatMap((name) => {
    const list = images[name] ?? []
    const count = imageCountOf(model, name, modeWith(model, name))
    const isOpen = list.length < (count?.to ?? 1) && isCombinable(name)
    return [...list.map((_, at) => ({ name, at })), ...(isOpen ? [{ name, at: list.length }] : [])]
  })
  const firstOpen = slots.find(({ name, at }) => images[name]?.[at] === undefined) ?? slots[0]
  const change = (name: string, at: number, image: DraftImage | null) => {
    const list = [...(images[name] ?? [])]
    if (image) list[at] = image
    else list.splice(at, 1)
    const ratio = image && name !== 'endImageUrl' ? ratioFor(model, values, image) : undefined
    onChange({ images: { [name]: list }, ...(ratio && { fields: { aspectRatio: ratio } }) })
  }
  const extended = values.mode.images.includes(EXTEND_FROM) && images[EXTEND_FROM]?.[0]
  if (slots.length === 0 && !extended) return null
  return (
    <div className={styles.slots}>
      {extended ? (
        <p className={styles.slot}>
          <span className={styles.hint}>{t`Continues one of your films.`}</span>
          <Button kind="quiet" onClick={() => onChange({ images: { [EXTEND_FROM]: [] } })}>
            {t`Remove`}
          </Button>
        </p>
      ) : null}
      {slots.map(({ name, at }) => (
        <ImageSlot
          key={`${name} ${at}`}
          name={name}
          image={images[name]?.[at] ?? null}
          ratio={String(values.request.aspectRatio ?? '')}
          isUsed={values.mode.images.includes(name)}
          isDropTarget={firstOpen?.name === name && firstOpen.at === at}
          error={error?.field === name ? error.message : null}
          onChange={(image) => change(name, at, image)}
        />
      ))}
      {present.length === 0 ? <p className={styles.dropHint}>{t`or drop it on this page, or paste it`}</p> : null}
    </div>
  )
}

const modeWith = (model: Model, name: string) =>
  modesOf(model).find(({ images }) => images.includes(name)) ?? { name: '', images: [] }

/** The aspect ratio of which an image fills most; undefined where the film follows the image. */
function ratioFor(model: Model, { request }: FormValues, image: DraftImage): string | undefined {
  const field = fieldAt(model.schema, ['aspectRatio'], request)
  const left = field ? valuesLeft(field) : null
  return left?.kind === 'list' ? nearestAspectRatio(left.list, image) : undefined
}

type SlotProps = {
  name: string
  image: DraftImage | null
  /** Of the film. */
  ratio: string
  /** Whether the mode of the request takes it. */
  isUsed: boolean
  /** Whether a file that is dropped on the page comes here. */
  isDropTarget: boolean
  error: string | null
  onChange: (image: DraftImage | null) => void
}

function ImageSlot({ name, image, ratio, isUsed, isDropTarget, error, onChange }: SlotProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const upload = useImageUpload(image?.url ?? null, onChange)
  const isDraggingOver = useFileDrop(isDropTarget ? upload.upload : null)
  const refuse = useEffectEvent((reason: string) =>
    // The upload of another image goes on.
    upload.isPending ? onChange(null) : upload.remove(reason),
  )
  useEffect(() => {
    if (error !== null) refuse(error)
  }, [error])
  const words = wordsOf(name)
  const hasImage = upload.isPending || image !== null
  const crop = image ? cropOf(image, ratio) : null
  const text = !isUsed
    ? t`Not used together with the others.`
    : upload.previewUrl
      ? [words.use, crop ? t`Cut to ${ratio}.` : null].filter(Boolean).join(' ')
      : textWithoutPreview(image)
  return (
    <fieldset className={hasImage ? styles.filled : styles.empty} data-over={isDraggingOver}>
      <legend className="hidden-text">{words.label}</legend>
      {hasImage ? (
        <div className={styles.slot}>
          {upload.previewUrl ? (
            <span className={styles.preview} style={previewStyle(image)}>
              <img
                key={upload.previewUrl}
                src={upload.previewUrl}
                // Reserve the space before the image loads.
                width={image?.width}
                height={image?.height}
                alt=""
                onError={upload.onPreviewError}
              />
              {crop ? <span className={styles.crop} style={crop} /> : null}
            </span>
          ) : null}
          <p className={styles.hint} role="status">
            {upload.isPending ? t`Uploading. This can take minutes.` : text}
          </p>
          <Button kind="quiet" onClick={() => (upload.isPending ? upload.stop() : upload.remove(null))}>
            {upload.isPending ? t`Stop` : t`Remove`}
          </Button>
        </div>
      ) : (
        <Button onClick={() => fileInput.current?.click()}>
          {isDraggingOver ? t`Let it go to use it` : words.choose}
        </Button>
      )}
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-label={words.label}
        accept={IMAGE_TYPES.join(',')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // Reset the input, or choosing the same file again would fire no change event.
          event.currentTarget.value = ''
          if (file) upload.upload(file)
        }}
      />
      {upload.error ? (
        <p className={`field-error ${styles.error}`} role="alert">
          {upload.error}
        </p>
      ) : null}
    </fieldset>
  )
}

const previewStyle = (image: DraftImage | null): CSSProperties | undefined =>
  image?.width && image.height ? { aspectRatio: `${image.width} / ${image.height}` } : undefined

/** What of an image the film shows, in parts of its width and height; null: all of it, or an unknown size. */
function cropOf({ width, height }: DraftImage, ratio: string): CSSProperties | null {
  if (!width || !height || !ratio.includes(':')) return null
  const share = aspectRatio(ratio) / (width / height)
  if (Math.abs(share - 1) < 0.02) return null
  return { width: `${100 * Math.min(1, share)}%`, height: `${100 * Math.min(1, 1 / share)}%` }
}

function textWithoutPreview(image: DraftImage | null): string {
  const url = image && URL.parse(image.url)
  if (!image || !url) return ''
  return isOfThisOrigin(image.url) ? t`This image cannot be shown.` : t`An image from ${url.host}.`
}
