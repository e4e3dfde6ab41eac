/**
 * A wish: everything one can say about a film before it is made. The rule: a wish always fits its model, so that what is
 * shown is what the service takes.
 */
import type { DataOf, GenerateBody, KinoraError, Video } from '@kinora/client'

export type Model = DataOf<'get', '/api/v1/config/models'>['models'][number]

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

/** A wish as it is worked on and kept: not yet whole, and with what the page knows beside it. */
export type Draft = Partial<FormValues> & { startImageSize?: ImageSize | null }

export const PROMPT_CHARACTERS_MAX = 5000
const USUAL_QUALITY = '720p'

export const EXAMPLE_PROMPT =
  'A paper boat drifts down a rain gutter at dawn, past neon signs mirrored in the water. The camera follows close behind.'

/** Those that can be asked for now. */
export const availableModels = (models: Model[]): Model[] => models.filter(({ enabled, pricing }) => enabled && pricing)

/** What is missing gets the usual value, what the model cannot do the nearest that it can. */
export function fitToModel(wish: Partial<FormValues>, models: Model[]): { wish: FormValues; model: Model } | null {
  const model = models.find(({ id }) => id === wish.model) ?? models[0]
  if (!model) return null
  const { minDuration, maxDuration, aspectRatios, resolutions, modes } = model
  const wanted = Math.round(Number(wish.duration ?? minDuration)) || minDuration
  return {
    model,
    wish: {
      prompt: String(wish.prompt ?? ''),
      model: model.id,
      duration: Math.min(maxDuration, Math.max(minDuration, wanted)),
      aspectRatio: oneOf(aspectRatios, wish.aspectRatio) ?? '16:9',
      quality: oneOf(resolutions, wish.quality, USUAL_QUALITY) ?? USUAL_QUALITY,
      startImageUrl: modes.includes('image-to-video') ? (wish.startImageUrl ?? null) : null,
    },
  }
}

const oneOf = (values: string[], ...wanted: (string | undefined)[]): string | undefined =>
  wanted.find((value) => value !== undefined && values.includes(value)) ?? values[0]

/** The wishes that a video was made from. */
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

export const requestBody = ({ startImageUrl, ...wish }: FormValues): GenerateBody => ({
  ...wish,
  ...(startImageUrl ? { startImageUrl } : {}),
})

/** What is wrong with the prompt, in words; null when nothing is. */
export function promptError(prompt: string): string | null {
  if (!prompt.trim()) return 'Write what the film shows.'
  // Characters as the service counts them, so that an emoji is one.
  const length = [...prompt.trim()].length
  if (length <= PROMPT_CHARACTERS_MAX) return null
  return `The prompt has ${length} characters; at most ${PROMPT_CHARACTERS_MAX} fit.`
}

/** The price in words: "6 credits a second", "13 credits a film, 37 in 4k". */
export function priceLabel({ pricing, resolutions }: Model): string {
  if (!pricing) return ''
  const [first, ...others] = resolutions
  const base = pricing.credits[first ?? '']
  if (base === undefined) return ''
  const unit = pricing.per === 'second' ? 'a second' : 'a film'
  const dearer = others
    .filter((resolution) => pricing.credits[resolution] !== base)
    .map((resolution) => `${pricing.credits[resolution]} in ${resolution}`)
  return [`${base} credits ${unit}`, ...dearer].join(', ')
}

/** Whether the same request may be sent again with the same key: nobody can say what became of it. */
export const isOutcomeUnknown = ({ code, status }: KinoraError): boolean =>
  code === 'UNREACHABLE' || code === 'CONFLICT' || status >= 500

/** What the service says of the start image alone, such as a link that has ended; null for every other refusal. */
export function startImageError(error: KinoraError | null): string | null {
  const [first]: unknown[] = Array.isArray(error?.details) ? error.details : []
  const isIt = typeof first === 'object' && first !== null && 'path' in first && first.path === 'startImageUrl'
  return error && isIt ? error.message : null
}

/** Whether two wishes are for the same film. Each link to an image is signed anew, so that only its path counts. */
export function isSameRequest(one: FormValues, other: FormValues): boolean {
  const plain = (wish: FormValues) => JSON.stringify({ ...wish, startImageUrl: withoutSignature(wish.startImageUrl) })
  return plain(one) === plain(other)
}

/** An image of somebody else's site is named by its whole address. */
function withoutSignature(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link)
  return url?.origin === location.origin ? url.origin + url.pathname : link
}
