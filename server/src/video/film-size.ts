/** The size of a film in pixels, from its aspect ratio and quality. */

/** Pixels of the short side; of the other qualities the name says them. */
const SHORT_SIDE_4K = 2160

/** Pixels of the short side of a quality, such as 720p. */
export const shortSideOf = (quality: string): number =>
  quality === '4k' ? SHORT_SIDE_4K : Number.parseInt(quality, 10)

/** Both sides are even. */
export function filmSize(aspectRatio: string, quality: string): { width: number; height: number } {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const short = shortSideOf(quality)
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  return across >= down ? { width: long, height: short } : { width: short, height: long }
}

/** The quality of a film, such as 720p. */
export function qualityOf(width: number, height: number): string {
  const short = Math.min(width, height)
  return short === SHORT_SIDE_4K ? '4k' : `${short}p`
}
