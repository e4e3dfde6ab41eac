/**
 * A picture in the pixel layout that H.264 encoders take (I420), and the few things drawn on it. Frames are painted
 * straight into it (0.7 to 2.1 ms a frame up to 1680×720): drawn as SVG and converted, they would cost more than encoding.
 */
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

export type Colour = { y: number; u: number; v: number }
/** Coverage per pixel, 0..255. */
export type Mask = { width: number; height: number; alpha: Uint8Array }
export type Canvas = { width: number; height: number; data: Uint8Array; y: Uint8Array; u: Uint8Array; v: Uint8Array }

/** @param width even; @param height even */
export function newCanvas(width: number, height: number): Canvas {
  const pixels = width * height
  const data = new Uint8Array((pixels * 3) / 2)
  return {
    width,
    height,
    data,
    y: data.subarray(0, pixels),
    u: data.subarray(pixels, pixels + pixels / 4),
    v: data.subarray(pixels + pixels / 4),
  }
}

/** BT.709, limited range, as the film declares itself. */
export function rgb(red: number, green: number, blue: number): Colour {
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return {
    y: Math.round(16 + (luma * 219) / 255),
    u: Math.round(128 + ((blue - luma) / 1.8556) * (224 / 255)),
    v: Math.round(128 + ((red - luma) / 1.5748) * (224 / 255)),
  }
}

/** @param text `#rrggbb` */
export function hex(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16)
  return rgb(value >> 16, (value >> 8) & 255, value & 255)
}

/** Mixes `colour` into one pixel; `cover` 0..1. Colour planes have a quarter of the pixels: even ones write them. */
export function blend(canvas: Canvas, x: number, y: number, colour: Colour, cover: number): void {
  if (cover <= 0 || x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) return
  const at = y * canvas.width + x
  const luma = canvas.y[at] ?? 0
  canvas.y[at] = luma + (colour.y - luma) * cover
  if ((x | y) & 1) return
  const small = (y >> 1) * (canvas.width >> 1) + (x >> 1)
  const u = canvas.u[small] ?? 0
  const v = canvas.v[small] ?? 0
  canvas.u[small] = u + (colour.u - u) * cover
  canvas.v[small] = v + (colour.v - v) * cover
}

export function fill(canvas: Canvas, left: number, top: number, width: number, height: number, colour: Colour): void {
  const x = Math.max(0, Math.round(left))
  const y = Math.max(0, Math.round(top))
  const right = Math.min(canvas.width, Math.round(left + width))
  const bottom = Math.min(canvas.height, Math.round(top + height))
  if (right <= x) return
  for (let row = y; row < bottom; row++) canvas.y.fill(colour.y, row * canvas.width + x, row * canvas.width + right)
  const half = canvas.width >> 1
  for (let row = (y + 1) >> 1; row < (bottom + 1) >> 1; row++) {
    canvas.u.fill(colour.u, row * half + ((x + 1) >> 1), row * half + ((right + 1) >> 1))
    canvas.v.fill(colour.v, row * half + ((x + 1) >> 1), row * half + ((right + 1) >> 1))
  }
}

/** Lays a colour through a mask. */
export function stamp(canvas: Canvas, mask: Mask, left: number, top: number, colour: Colour): void {
  for (let y = 0; y < mask.height; y++) {
    for (let x = 0; x < mask.width; x++) {
      const cover = mask.alpha[y * mask.width + x] ?? 0
      if (cover > 0) blend(canvas, left + x, top + y, colour, cover / 255)
    }
  }
}

/** A flat disc; with `turn` (0..1) only the sector clockwise from twelve o'clock, as a film leader wipes. */
export function disc(canvas: Canvas, cx: number, cy: number, radius: number, colour: Colour, turn = 1): void {
  const angle = turn * 2 * Math.PI
  const [endX, endY] = [Math.sin(angle), -Math.cos(angle)]
  for (let y = Math.floor(cy - radius - 1); y <= cy + radius + 1; y++) {
    for (let x = Math.floor(cx - radius - 1); x <= cx + radius + 1; x++) {
      const [dx, dy] = [x + 0.5 - cx, y + 0.5 - cy]
      let cover = Math.min(1, radius - Math.sqrt(dx * dx + dy * dy) + 0.5)
      if (cover > 0 && turn < 1) {
        // Distances in pixels from the two edges of the sector, positive inside it.
        const [fromStart, toEnd] = [dx, dy * endX - dx * endY]
        const inside = angle <= Math.PI ? Math.min(fromStart, -toEnd) : Math.max(fromStart, -toEnd)
        cover = Math.min(cover, inside + 0.5)
      }
      blend(canvas, x, y, colour, cover)
    }
  }
}

const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/**
 * Text as a mask, wrapped to `width`. The font comes with the package, so a machine without any
 * font renders the same film; a script that neither it nor the machine knows appears as the usual numbered boxes.
 */
export async function textMask(text: string, sizePx: number, width?: number): Promise<Mask> {
  // Control characters and lone surrogates are no XML, and the text goes through a markup parser.
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\ufffe\uffff\s]+/gu, ' ')
    .trim()
  if (!clean) return { width: 0, height: 0, alpha: new Uint8Array() }
  const escaped = clean.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
  const wrap = width ? ({ width: Math.round(width), wrap: 'word-char' } as const) : {}
  const { data, info } = await sharp({
    text: {
      text: escaped,
      font: `Inter Medium ${sizePx}`,
      fontfile,
      dpi: 72,
      spacing: Math.round(sizePx * 0.25),
      ...wrap,
    },
  })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, alpha: new Uint8Array(data) }
}
