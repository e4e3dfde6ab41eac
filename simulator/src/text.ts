/** Words as pictures, on transparent ground. */
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'

export const ink = '#0e0f11'
export const paper = '#f6f4ef'
export const grey = '#a09d96'
export const onInk = { background: ink }
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

export type Line = { text: string; sizePx: number; colour: string }

/**
 * Lines, wrapped to `width`. The font is part of the package, so that a machine without fonts renders the same film; a
 * script that neither the font nor the machine knows shows as numbered boxes.
 */
export function texts(lines: Line[], width: number, spacing: number): Sharp {
  const text = lines.map(span).join('\n')
  const layout = { width, wrap: 'word-char' as const, spacing }
  return sharp({ text: { text, font: 'Inter Medium', fontfile, dpi: 72, rgba: true, ...layout } })
}

function span({ text, sizePx, colour }: Line): string {
  // Control characters and lone surrogates are no XML, and the text goes through a markup parser.
  const clean = text.toWellFormed().replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\ufffe\uffff\s]+/gu, ' ')
  const escaped = (clean.trim() || '…').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<span size="${sizePx}pt" foreground="${colour}">${escaped}</span>`
}
