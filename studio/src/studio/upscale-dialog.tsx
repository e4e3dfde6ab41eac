/** Dialog that makes a larger copy of a film: its sizes with their prices, and the price on the button. */
import type { Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListedVideo, modelsQuery, videoQuery } from '../api.ts'
import { useSignedIn } from '../shell/signed-in.ts'
import { Dialog, DialogSkeleton } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { UPSCALE } from '../upscalers.ts'
import { linesOf } from '../video/quality.ts'
import fieldStyles from './field-controls.module.css'
import { type Model, modesOf } from './form-fields.ts'
import {
  availableModels,
  type DraftInput,
  type FormValues,
  isStated,
  namedInput,
  priceText,
  totalPrice,
} from './form-values.ts'
import { type ShotOf, useGenerate } from './generate.ts'
import { GenerateButton } from './generate-button.tsx'
import { usePrice } from './price.ts'
import styles from './upscale-dialog.module.css'

type Props = {
  video: ListedVideo
  onCreated: (uuids: string[]) => void
  shot?: ShotOf | undefined
  onClose: () => void
}

export function UpscaleDialog({ video, onCreated, shot, onClose }: Props) {
  const { data: detail, error, refetch } = useQuery(videoQuery(video.uuid))
  const models = useQuery(modelsQuery).data?.models ?? []
  const copies = detail ? availableModels(models).flatMap((model) => copiesBy(model, detail)) : null
  return (
    <Dialog open onClose={onClose} title={t`Upscale this film`}>
      {error && !detail ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {copies || error ? null : <DialogSkeleton height="160px" />}
      {copies && detail ? (
        copies.length > 0 ? (
          <UpscaleForm {...{ copies, onCreated, shot, onClose }} />
        ) : (
          <p>{t`This film has ${detail.resolution}, the largest size there is.`}</p>
        )
      ) : null}
    </Dialog>
  )
}

/** A larger copy that a model can make. */
type Copy = { model: Model; quality: string; values: FormValues }

function copiesBy(model: Model, { uuid, prompt, duration, aspectRatio, resolution }: Video): Copy[] {
  const mode = modesOf(model).find(({ name }) => name === UPSCALE)
  if (!mode) return []
  const input: DraftInput = { kind: 'film', video: uuid }
  const inputs = [namedInput('film', input)]
  const film = { model: model.id, inputs, ...(isStated(model, mode, inputs) && { mode: mode.name }) }
  const seconds = Math.max(1, Math.round(duration))
  const copy = { prompt, promptUse: 'none' as const, inputs: [input], seconds, aspectRatio }
  return model.resolutions
    .filter((quality) => linesOf(quality) > linesOf(resolution))
    .map((quality) => ({
      model,
      quality,
      values: { ...copy, request: { ...film, quality }, mode, missing: [] },
    }))
}

function UpscaleForm({ copies, onCreated, shot, onClose }: { copies: Copy[] } & Omit<Props, 'video'>) {
  const { user } = useSignedIn()
  const [at, setAt] = useState(0)
  const [first] = copies
  const chosen = copies[at] ?? first
  const { generate, isPending, error, reset } = useGenerate(
    user.id,
    (uuids) => {
      onClose()
      onCreated(uuids)
    },
    shot,
  )
  const hasSeveralModels = new Set(copies.map(({ model }) => model.id)).size > 1
  if (!chosen) return null
  return (
    <>
      <p>{t`The copy has the same pictures in a larger size. This film stays as it is.`}</p>
      <fieldset>
        <legend className={fieldStyles.legend}>{hasSeveralModels ? t`Model and size` : t`Size`}</legend>
        <div className={fieldStyles.options}>
          {copies.map(({ model, quality, values }, i) => (
            <label key={`${model.id} ${quality}`} className={`${fieldStyles.option} ${styles.copy}`}>
              <input
                type="radio"
                name="copy"
                className={fieldStyles.radio}
                checked={i === at}
                onChange={() => {
                  // The error belongs to the size that was chosen before.
                  if (error) reset()
                  setAt(i)
                }}
              />
              <span>{hasSeveralModels ? `${model.name} · ${quality}` : quality}</span>
              <Price price={totalPrice([model], [values])} />
            </label>
          ))}
        </div>
      </fieldset>
      <Submit copy={chosen} busy={isPending} error={error} onSubmit={() => generate([chosen.values])} />
    </>
  )
}

const Price = ({ price }: { price: ReturnType<typeof totalPrice> }) =>
  price === null ? null : <span className="quiet">{priceText(price)}</span>

type SubmitProps = { copy: Copy } & Pick<Parameters<typeof GenerateButton>[0], 'busy' | 'error' | 'onSubmit'>

function Submit({ copy: { model, values }, busy, error, onSubmit }: SubmitProps) {
  const price = usePrice([model], [values], onSubmit)
  return (
    <GenerateButton
      films={1}
      price={price}
      busy={busy || price.isPressed}
      missing={null}
      wasPressed={false}
      values={values}
      error={error}
      isCopy
      onSubmit={() => busy || price.press()}
    />
  )
}
