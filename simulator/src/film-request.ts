import type { Problem } from './vendor-body.ts'

/** What a film is rendered from, and the pixel sizes on offer. */
export type FilmRequest = {
  prompt: string
  model: string
  aspectRatio: string
  quality: string
  /** Width and height in pixels, both even. */
  width: number
  height: number
  durationS: number
  imageUrl: string | null
}

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
  imageUrl?: unknown
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
const PROMPT_CHARACTERS_MAX = 10_000
const DURATION_S = 5

/** @returns the request, or what is wrong with it */
export function readRequest(wanted: Wanted): FilmRequest | string {
  const { model, prompt, imageUrl = null } = wanted
  if (typeof model !== 'string' || !model) return 'model is missing.'
  if (typeof prompt !== 'string' || !prompt.trim()) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  const durationS = Number(String(wanted.duration ?? DURATION_S).replace(/s$/, ''))
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  const { aspectRatio, quality } = shapeOf(wanted)
  const size = filmSize(aspectRatio, quality)
  if (!size) return `aspect_ratio ${aspectRatio} in quality ${quality} is not on offer.`
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^(https?:|data:image\/)/.test(imageUrl))) {
    return 'The image must be an http(s) address or a data URI.'
  }
  return { prompt, model, aspectRatio, quality, ...size, durationS, imageUrl }
}

/** Shape and quality, from words or pixels; those that leave it to the image are 16:9. */
function shapeOf({ aspectRatio, quality, size }: Wanted): { aspectRatio: string; quality: string } {
  const word = String(quality ?? '720p').toLowerCase()
  const named =
    { '768p': '720p', '540p': '480p', '512p': '480p', '360p': '480p', '2160p': '4k', '2k': '1440p' }[word] ?? word
  const [, width, height] = /^(\d+)\s*[x:*×]\s*(\d+)$/.exec(String(size ?? '')) ?? []
  if (width && height) {
    const [w, h] = [Number(width), Number(height)]
    const nearest = ratios.reduce((best, each) => (distance(each, w / h) < distance(best, w / h) ? each : best))
    const short = Object.entries(shortSides).find(([, side]) => Math.min(w, h) <= side)
    return { aspectRatio: nearest, quality: quality === undefined ? (short?.[0] ?? '4k') : named }
  }
  const ratio = String(aspectRatio ?? '16:9')
  return { aspectRatio: /^(adaptive|auto|keep_ratio)$/.test(ratio) ? '16:9' : ratio, quality: named }
}

const distance = (ratio: string, share: number): number => {
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  return Math.abs(Math.log(across / down / share))
}
