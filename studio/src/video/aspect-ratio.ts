/** The shape of a film, as drawn. */
import type { CSSProperties } from 'react'

const sides = (ratio: string): [number, number] => {
  const [width = 16, height = 9] = ratio.split(':').map(Number)
  return [width, height]
}

export const isUpright = (ratio: string): boolean => {
  const [width, height] = sides(ratio)
  return height > width
}

/** '16:9' → the custom property --ratio, width by height; of such properties React's type knows nothing. */
export function ratioStyle(ratio: string): CSSProperties {
  const [width, height] = sides(ratio)
  return { '--ratio': width / height } as CSSProperties
}
