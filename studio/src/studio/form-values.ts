/**
 * The values of the generate form and their validation. Invariant: complete form values are valid for their model
 * (`fitToModel`), so that the API accepts what the form shows; only the prompt is checked at submission.
 */
import type { GenerateBody, KinoraError, Schemas, Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { formatCredits, formatList, formatNumber } from '../ui/format.ts'
import { DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'

export type Model = Schemas['Model']

/** What the credits of a price are paid for. */
export type PriceUnit = NonNullable<Model['pricing']>['per']

export type FormValues = {
  prompt: string
  model: string
  /** Seconds */
  duration: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
}

/** Pixels */
export type ImageSize = { width: number; height: number }

/** Form values as the user edits them and as they are stored: possibly incomplete, with the size of the start image. */
export type Draft = Partial<FormValues> & { startImageSize?: ImageSize | null }

export const PROMPT_CHARACTERS_MAX = 5000
const DEFAULT_QUALITY = '720p'

export const EXAMPLE_PROMPT = t`A paper boat drifts down a rain gutter at dawn, past neon signs mirrored in the water. The camera follows close behind.`

/** The models that accept requests now: enabled and priced. */
export const availableModels = (models: Model[]): Model[] => models.filter(({ enabled, pricing }) => enabled && pricing)

/**
 * Completes form values for their model, or for the first model when theirs is not available: a missing value gets the
 * default, an unsupported one the nearest supported value.
 * @returns null when there are no models
 */
export function fitToModel(draft: Partial<FormValues>, models: Model[]): { values: FormValues; model: Model } | null {
  const model = models.find(({ id }) => id === draft.model) ?? models[0]
  if (!model) return null
  const { minDuration, maxDuration, aspectRatios, resolutions, modes } = model
  const duration = Math.round(Number(draft.duration ?? minDuration)) || minDuration
  return {
    model,
    values: {
      prompt: String(draft.prompt ?? ''),
      model: model.id,
      duration: Math.min(maxDuration, Math.max(minDuration, duration)),
      aspectRatio: firstSupported(aspectRatios, draft.aspectRatio) ?? DEFAULT_ASPECT_RATIO,
      quality: firstSupported(resolutions, draft.quality, DEFAULT_QUALITY) ?? DEFAULT_QUALITY,
      startImageUrl: modes.includes('image-to-video') ? (draft.startImageUrl ?? null) : null,
    },
  }
}

const firstSupported = (supported: string[], ...preferred: (string | undefined)[]): string | undefined =>
  preferred.find((value) => value !== undefined && supported.includes(value)) ?? supported[0]

/** The form values that reproduce a video. */
export const formValuesOf = ({
  prompt,
  model,
  duration,
  aspectRatio,
  resolution,
  startImageUrl,
}: Video): FormValues => ({
  prompt,
  model,
  duration: Math.round(duration),
  aspectRatio,
  quality: resolution,
  startImageUrl,
})

export const requestBody = ({ startImageUrl, ...values }: FormValues): GenerateBody => ({
  ...values,
  ...(startImageUrl ? { startImageUrl } : {}),
})

/** @returns a message for the user; null when the prompt is valid */
export function promptError(prompt: string): string | null {
  if (!prompt.trim()) return t`Write what the film shows.`
  // Count code points, as the API does, so that an emoji is one character.
  const length = [...prompt.trim()].length
  if (length <= PROMPT_CHARACTERS_MAX) return null
  return t`The prompt has ${formatNumber(length)} characters; at most ${formatNumber(PROMPT_CHARACTERS_MAX)} fit.`
}

/** A model's price: "6 credits a second", "13 credits a film, 37 in 4k". */
export function priceLabel({ pricing, resolutions }: Model): string {
  if (!pricing) return ''
  const [first, ...others] = resolutions
  const base = pricing.credits[first ?? '']
  if (base === undefined) return ''
  const otherPrices = others
    .filter((resolution) => pricing.credits[resolution] !== base)
    .map((resolution) => t`${pricing.credits[resolution] ?? 0} in ${resolution}`)
  return formatList([unitPrices[pricing.per](base), ...otherPrices])
}

const unitPrices: Record<PriceUnit, (base: number) => string> = {
  second: (base) => t`${formatCredits(base)} a second`,
  clip: (base) => t`${formatCredits(base)} a film`,
}

/** Whether the request may have been executed all the same, so that a retry has to use the same idempotency key. */
export const isOutcomeUnknown = ({ code, status }: KinoraError): boolean =>
  code === 'UNREACHABLE' || code === 'CONFLICT' || status >= 500

/** The message of a validation error of the start image, such as an expired link; null for every other error. */
export function startImageError(error: KinoraError | null): string | null {
  const [detail]: unknown[] = Array.isArray(error?.details) ? error.details : []
  const isStartImage =
    typeof detail === 'object' && detail !== null && 'path' in detail && detail.path === 'startImageUrl'
  return error && isStartImage ? error.message : null
}

/**
 * Equal for two requests for the same video. The API signs the link to an uploaded image anew each time, so only its path
 * counts.
 */
export const requestFingerprint = (values: FormValues): string =>
  JSON.stringify({ ...values, startImageUrl: withoutSignature(values.startImageUrl) })

/** The link to an external image keeps its query string, which may identify the image. */
function withoutSignature(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link)
  return url?.origin === location.origin ? url.origin + url.pathname : link
}
