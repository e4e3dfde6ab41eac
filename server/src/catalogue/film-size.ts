/** The size of a film in pixels, from its aspect ratio and quality. */

/** What a price may depend on by a factor. */
export type Film = { seconds: number; inputSeconds: number; width: number; height: number }

/** Pixels of the short side of a quality, such as 720p; its inverse is kinora.film_quality. */
export const shortSideOf = (quality: string): number => (quality === '4k' ? 2160 : Number.parseInt(quality, 10))

/** Both sides are even. */
export function filmSize(aspectRatio: string, quality: string): { width: number; height: number } {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const short = shortSideOf(quality)
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  return across >= down ? { width: long, height: short } : { width: short, height: long }
}
