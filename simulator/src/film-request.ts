/** What a film is rendered from, and the pixel sizes on offer. */
import { type GivenInput, type Input, nameOf, withRole } from './inputs.ts'
import type { Problem } from './vendor-body.ts'

/** `follows`: what the request leaves to an input, so that the values here hold only without one to follow. */
export type FilmRequest = {
  prompt: string
  model: string
  aspectRatio: string
  quality: string
  /** Width and height in pixels, both even. */
  width: number
  height: number
  durationS: number
  inputs: Input[]
  follows: { length: boolean; ratio: boolean; quality: boolean }
}
/** What was measured of an input. `sha256`: of its bytes. */
export type Measured = Input & { width: number | null; height: number | null; seconds: number | null; sha256: string }

const shortSides: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '1440p': 1440, '4k': 2160 }
const ratios = '16:9 9:16 1:1 4:3 3:4 3:2 2:3 21:9 9:21 5:2 2:1 5:4 4:5'.split(' ')
/** The limit of H.264 level 5.1, which hardware decoders know. Ratios beyond 2:1 exceed it in 4k. */
const PIXELS_MAX = 9_437_184

/** The quality names the short side. @returns null when not on offer */
export function filmSize(aspectRatio: string, quality: string): { width: number; height: number } | null {
  const short = shortSides[quality]
  if (!short || !ratios.includes(aspectRatio)) return null
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  if (long * short > PIXELS_MAX) return null
  return across >= down ? { width: long, height: short } : { width: short, height: long }
}

/** A submit as a dialect reads it: fields in the vendor's spelling (`"8s"`, `"720P"`, `"1280:720"`, `"adaptive"`). */
export type Wanted = {
  prompt: unknown
  model: unknown
  duration?: unknown
  aspectRatio?: unknown
  quality?: unknown
  /** Width and height as a text, instead of the two above; of a film to upscale beside its new quality. */
  size?: unknown
  inputs?: GivenInput[]
  callbackUrl?: unknown
  idempotencyKey?: string | undefined
  reference?: string | undefined
  /** What the vendor's own types say of the body; null: nothing. */
  problem?: Problem | null
  extra?: Record<string, string>
  /** The response waits for the film. */
  isSynchronous?: boolean
}

const DURATION_S_MAX = 60
const FOLLOWED_S_MAX = 600
const PROMPT_CHARACTERS_MAX = 10_000
const DURATION_S = 5

/** @returns the request, or what is wrong with it */
export function readRequest(wanted: Wanted): FilmRequest | string {
  const { model, prompt = '', inputs = [] } = wanted
  if (typeof model !== 'string' || !model) return 'model is missing.'
  // What is made of a film or of a sound needs no words.
  const isWordless = prompt === '' && inputs.some(({ kind }) => kind !== 'image')
  if (typeof prompt !== 'string' || !(prompt.trim() || isWordless)) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  // Models that choose the length themselves take -1 or a word for it.
  const isLengthOpen = /^(undefined|null|-1|auto)$/.test(String(wanted.duration))
  const durationS = isLengthOpen ? DURATION_S : Number(String(wanted.duration).replace(/s$/, ''))
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  const { aspectRatio, quality, isRatioOpen } = shapeOf(wanted)
  const size = filmSize(aspectRatio, quality)
  if (!size) return `aspect_ratio ${aspectRatio} in quality ${quality} is not on offer.`
  const wrong = inputs.find(({ url }) => typeof url !== 'string' || !/^(https?:|data:)/.test(url))
  if (wrong) return `The ${nameOf(wrong, inputs)} must be an http(s) address or a data URI.`
  const isQualityOpen = wanted.quality === undefined && wanted.size === undefined
  const follows = { length: isLengthOpen, ratio: isRatioOpen, quality: isQualityOpen }
  return { prompt, model, aspectRatio, quality, ...size, durationS, inputs: inputs as Input[], follows }
}

/** Shape and quality, from words or pixels; those that leave it to the image are 16:9. */
function shapeOf({ aspectRatio, quality, size }: Wanted) {
  const word = String(quality ?? '720p').toLowerCase()
  const named =
    { '768p': '720p', '540p': '480p', '512p': '480p', '360p': '480p', '2160p': '4k', '2k': '1440p' }[word] ?? word
  const [, width, height] = /^(\d+)\s*[x:*×]\s*(\d+)$/.exec(String(size ?? '')) ?? []
  if (width && height) {
    const [w, h] = [Number(width), Number(height)]
    return { aspectRatio: nearest(w, h), quality: quality === undefined ? qualityOf(w, h) : named, isRatioOpen: false }
  }
  const ratio = String(aspectRatio ?? 'adaptive')
  const isRatioOpen = /^(adaptive|auto|keep_ratio)$/.test(ratio)
  return { aspectRatio: isRatioOpen ? '16:9' : ratio, quality: named, isRatioOpen }
}

/**
 * The request with what its inputs decide where it leaves that open: the length is that of the film, the motion or the
 * sound (of the shorter one), and the shape that of the film.
 * @throws Error with the reason the task fails for
 */
export function followed(request: FilmRequest, inputs: Measured[]): FilmRequest {
  const { follows } = request
  const found = { ...request }
  const lengths = withRole(inputs, 'film', 'motion', 'sound').flatMap(({ seconds }) => seconds ?? [])
  if (follows.length && lengths.length > 0) found.durationS = Math.round(Math.min(...lengths) * 100) / 100
  if (found.durationS > FOLLOWED_S_MAX)
    throw new Error(`it would have ${found.durationS} s, and at most ${FOLLOWED_S_MAX} are made`)
  const [film] = withRole(inputs, 'film')
  const { width, height } = film ?? {}
  if (!width || !height || !(follows.ratio || follows.quality)) return found
  if (follows.quality) found.quality = qualityOf(width, height)
  if (!follows.ratio) return { ...found, ...filmSize(found.aspectRatio, found.quality) }
  const short = follows.quality ? Math.min(width, height) : Math.min(request.width, request.height)
  const scale = Math.min(short / Math.min(width, height), Math.sqrt(PIXELS_MAX / (width * height)))
  const even = (side: number): number => 2 * Math.max(1, Math.floor((side * scale) / 2 + 0.01))
  return { ...found, aspectRatio: nearest(width, height), width: even(width), height: even(height) }
}

/** The first quality that is not smaller. */
const qualityOf = (width: number, height: number): string =>
  Object.entries(shortSides).find(([, side]) => Math.min(width, height) <= side)?.[0] ?? '4k'

const nearest = (width: number, height: number): string =>
  ratios.reduce((best, each) => (distance(each, width / height) < distance(best, width / height) ? each : best))

const distance = (ratio: string, share: number): number => {
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  return Math.abs(Math.log(across / down / share))
}
