/** One input of the form: empty, uploading, or with a preview of what it is. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { videoQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { Button } from '../ui/button.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { formatPercent } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { aspectRatio } from '../video/aspect-ratio.ts'
import { acceptOf, kindOfFile } from './asset-file.ts'
import type { Use } from './form-fields.ts'
import { type DraftInput, KEYFRAME, REFERENCE } from './form-values.ts'
import { asReadable, HEIC_ACCEPT } from './heic.ts'
import styles from './input-fields.module.css'
import { cannotShowText, fromHostText, wordsOf } from './input-words.ts'
import { isOfThisOrigin } from './own-link.ts'
import { useUpload } from './upload.ts'

/** Loaded on demand: few modes have keyframes. */
const KeyframeTime = lazy(() => import('./keyframe-time.tsx').then((module) => ({ default: module.KeyframeTime })))

/** Loaded on demand: no page of a first load has a dialog. */
const FilmPicker = lazy(() => import('./film-picker.tsx').then((module) => ({ default: module.FilmPicker })))

type Props = {
  use: Use
  input: DraftInput | null
  /** As the prompt names it; empty: it does not. */
  number: string
  /** The buttons that move it among those of its role. */
  moves: ReactNode
  mode: string
  /** Of the film. */
  ratio: string
  /** When the film has it, a keyframe, in seconds. */
  time: number
  /** Whether the mode of the request takes it. */
  isUsed: boolean
  /** The kinds of a dropped file that comes here. */
  dropKinds: string[]
  error: string | null
  onChange: (input: DraftInput | null) => void
}

export function InputSlot({ use, input, number, moves, mode, ratio, time, isUsed, dropKinds, error, onChange }: Props) {
  const fileInput = useRef<HTMLInputElement>(null)
  const [isPicking, setPicking] = useState(false)
  const [unreadable, setUnreadable] = useState<string | null>(null)
  const upload = useUpload(use.kinds, input, onChange)
  const send = (file: File) => {
    setUnreadable(null)
    asReadable(file).then(upload.upload, ({ message }: Error) => setUnreadable(message))
  }
  const isDraggingOver = useFileDrop(dropKinds.length > 0 ? send : null, (file) => dropKinds.includes(kindOfFile(file)))
  const words = wordsOf(use, mode, time)
  const isOfFilms = use.kinds.length === 1 && use.kinds[0] === 'film'
  const label = number ? `${words.label} ${number}` : words.label
  const problem = unreadable ?? upload.error ?? error
  // Of several, one line says it for all; beside a refusal it would say the opposite.
  const isSilent = problem !== null || (isUsed && use.role === REFERENCE)
  const text = isSilent ? '' : isUsed ? words.use : t`Not used together with the others.`
  return (
    <fieldset className={upload.isPending || input ? styles.filled : styles.empty} data-over={isDraggingOver}>
      <legend className="hidden-text">{label}</legend>
      {upload.isPending || input ? (
        <div className={styles.slot}>
          {number ? <strong className={styles.number}>{number}</strong> : null}
          {input?.video && !upload.isPending ? (
            <OwnFilm uuid={input.video} text={text} />
          ) : (
            <Preview
              {...{ input, upload, text }}
              ratio={CUT.includes(use.role) ? ratio : ''}
              isBelow={use.role === KEYFRAME}
              isRefused={problem !== null}
            />
          )}
          {use.role === KEYFRAME && input ? (
            <Suspense>
              <KeyframeTime
                at={input.at ?? 0}
                fitted={time}
                onChange={(seconds) => onChange({ ...input, at: seconds })}
              />
            </Suspense>
          ) : null}
          {moves}
          <Button kind="quiet" onClick={() => (upload.isPending ? upload.stop() : upload.remove())}>
            {upload.isPending ? t`Stop` : t`Remove`}
          </Button>
        </div>
      ) : (
        <div className={styles.choices}>
          {isOfFilms ? <Button onClick={() => setPicking(true)}>{`${words.choose}…`}</Button> : null}
          <Button kind={isOfFilms ? 'quiet' : 'plain'} onClick={() => fileInput.current?.click()}>
            {isDraggingOver ? t`Let it go to use it` : isOfFilms ? t`Upload a film` : words.choose}
          </Button>
          {!isOfFilms && use.kinds.includes('film') ? (
            <Button kind="quiet" onClick={() => setPicking(true)}>{t`One of your films…`}</Button>
          ) : null}
        </div>
      )}
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-label={words.label}
        accept={use.kinds.includes('image') ? `${acceptOf(use.kinds)},${HEIC_ACCEPT}` : acceptOf(use.kinds)}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // Reset the input, or choosing the same file again would fire no change event.
          event.currentTarget.value = ''
          if (file) send(file)
        }}
      />
      {problem ? (
        <p className={`field-error ${styles.error}`} role="alert">
          {problem}
        </p>
      ) : null}
      <Suspense>
        {isPicking ? (
          <FilmPicker
            title={words.choose}
            onClose={() => setPicking(false)}
            onChoose={({ uuid, duration }) => {
              setPicking(false)
              onChange({ kind: 'film', video: uuid, seconds: duration })
            }}
          />
        ) : null}
      </Suspense>
    </fieldset>
  )
}

/** Roles of pictures that are frames of the film. */
const CUT = ['start', 'end', KEYFRAME]

/** One of the user's films. */
function OwnFilm({ uuid, text }: { uuid: string; text: string }) {
  const { data } = useQuery(videoQuery(uuid))
  const filmName = useFilmNames()
  return (
    <>
      {data?.thumbnailUrl ? (
        <span className={styles.preview}>
          <img src={data.thumbnailUrl} alt={filmName(data)} />
        </span>
      ) : null}
      <p className={styles.hint} role="status">
        {text}
      </p>
    </>
  )
}

type PreviewProps = {
  input: DraftInput | null
  upload: ReturnType<typeof useUpload>
  ratio: string
  text: string
  /** Whether the text is below the rest. */
  isBelow: boolean
  isRefused: boolean
}

function Preview({ input, upload, ratio, text, isBelow, isRefused }: PreviewProps) {
  const { previewUrl, asset, isPending, onPreviewError } = upload
  // The draft has the size of what was chosen here; that of a film's input comes with the asset.
  const size = isPending ? {} : { width: input?.width ?? asset?.width, height: input?.height ?? asset?.height }
  const kind = upload.kind ?? input?.kind
  const crop = kind === 'image' ? cropOf(size, ratio) : null
  const isBelowOthers = isBelow || (kind === 'sound' && previewUrl !== null)
  const words = isPending
    ? t`Uploading. This can take minutes.`
    : isRefused
      ? ''
      : (sourceText(input, upload.isBroken) ?? [text, crop ? t`Cut to ${ratio}.` : null].filter(Boolean).join(' '))
  const media = { src: previewUrl ?? '', onError: onPreviewError }
  return (
    <>
      {previewUrl && kind === 'image' ? (
        <span className={styles.preview} style={previewStyle(size)}>
          {/* Its size reserves the space before it loads. */}
          <img key={previewUrl} {...media} width={size.width ?? undefined} height={size.height ?? undefined} alt="" />
          {crop ? <span className={styles.crop} style={crop} /> : null}
        </span>
      ) : null}
      {previewUrl && kind === 'film' ? (
        <video className={styles.film} {...media} muted playsInline controls preload="metadata" />
      ) : null}
      {previewUrl && kind === 'sound' ? (
        <audio className={styles.sound} {...media} controls preload="metadata" />
      ) : null}
      {isBelowOthers && !words ? null : (
        <div className={isBelowOthers ? styles.below : styles.hint}>
          <p role="status">{words}</p>
          {isPending ? (
            <ProgressStrip
              thin
              status="UPLOADING"
              progress={upload.progress}
              label={t`Progress of the upload`}
              text={formatPercent(upload.progress / 100)}
            />
          ) : null}
        </div>
      )}
    </>
  )
}

/** What stands for a preview; null where there is one, or will be. */
function sourceText(input: DraftInput | null, isBroken: boolean): string | null {
  if (input && isBroken) return cannotShowText(input.kind)
  const url = URL.parse(input?.url ?? '')
  return input && url && !isOfThisOrigin(url.href) ? fromHostText(input.kind, url.host) : null
}

type Size = { width?: number | null | undefined; height?: number | null | undefined }
const previewStyle = ({ width, height }: Size): CSSProperties | undefined =>
  width && height ? { aspectRatio: `${width} / ${height}` } : undefined

/** What of an image the film shows, in parts of its width and height; null: all of it, or an unknown size. */
function cropOf({ width, height }: Size, ratio: string): CSSProperties | null {
  if (!width || !height || !ratio.includes(':')) return null
  const share = aspectRatio(ratio) / (width / height)
  if (Math.abs(share - 1) < 0.02) return null
  return { width: `${100 * Math.min(1, share)}%`, height: `${100 * Math.min(1, 1 / share)}%` }
}
