/** The ratio of a film, as drawn. */
import type { CSSProperties } from 'react'

const sides = (ratio: string): [number, number] => {
  const [width = 16, height = 9] = ratio.split(':').map(Number)
  return [width, height]
}

export const isUpright = (ratio: string): boolean => {
  const [width, height] = sides(ratio)
  return height > width
}

/** '16:9' → the ratio as CSS has it */
export const ratioStyle = (ratio: string): CSSProperties => ({ aspectRatio: sides(ratio).join(' / ') })
