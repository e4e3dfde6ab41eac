/** Aspect ratios as the API writes them ("16:9"), and as CSS needs them. */
import type { CSSProperties } from 'react'

/** The aspect ratio of a film whose own is not known yet, or not chosen. */
export const DEFAULT_ASPECT_RATIO = '16:9'

/** "16:9" → 1.78, width by height; 16:9 for any other text */
export function aspectRatio(text: string): number {
  const [width = 16, height = 9] = text.split(':').map(Number)
  return width > 0 && height > 0 ? width / height : 16 / 9
}

/** "16:9" → the custom property --ratio: 1.78. React's CSSProperties type has no custom properties. */
export const aspectRatioStyle = (text: string): CSSProperties => ({ '--ratio': aspectRatio(text) }) as CSSProperties
