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

const shortSides: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '4k': 2160 }
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']
/** The limit of H.264 level 5.1, which hardware decoders know. Only 21:9 in 4k exceeds it. */
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
