/**
 * The pictures of a film. Above, a scene that passes slowly: hills at dusk, different for every prompt, or the start
 * image. Below, the prompt, the facts of the request, a frame counter and a progress bar.
 *
 * sharp renders the parts once, and a frame is composed by copying rows of RGBA pixels: drawing each frame as SVG takes
 * longer than encoding it. Only the counter is rendered for every frame.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'

type Size = { width: number; height: number }
type Pixels = Size & { data: Uint8Array }

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const SCENE_SHARE = 0.64
const PROMPT_CHARACTERS_MAX = 240
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/** @returns `draw`, which composes frame `index` of `frames` and returns its pixels; they are valid until the next call */
export async function openPicture(request: FilmRequest, size: Size, frames: number, image: Buffer | null) {
  const { width, height } = size
  const unit = Math.min(width, height) / 720
  const margin = Math.round(44 * unit)
  const inner = width - 2 * margin
  const sceneHeight = Math.round(height * SCENE_SHARE)
  const lineHeight = Math.round(28 * unit)
  const counterSize = { width: Math.round(150 * unit), height: lineHeight }
  const barTop = height - margin
  const lineTop = barTop - Math.round(44 * unit)
  const promptTop = sceneHeight + Math.round(16 * unit)

  // A pan by whole pixels: between two columns the picture would jerk.
  const step = Math.max(1, Math.round(unit))
  const panFrames = Math.min(frames, Math.round(width / step / 4))
  const sceneSize = { width: width + step * panFrames, height: sceneHeight }
  const scene = sharp(image ?? Buffer.from(hills(request.prompt, sceneSize, unit)))
  const facts = [request.model, `${request.durationS} s`, request.quality, request.aspectRatio]
  const factsText = [...facts, image ? 'image to video' : 'text to video'].join(' · ')
  const promptSize = { width: inner, height: lineTop - promptTop - Math.round(16 * unit) }
  const parts: [part: Sharp, x: number, y: number][] = [
    [fit(text(shortened(request.prompt), 38 * unit, paper, inner), promptSize, 'left bottom'), margin, promptTop],
    [fit(text(factsText, 20 * unit, grey), { width: inner - counterSize.width, height: lineHeight }), margin, lineTop],
  ]

  const frame = await pixelsOf(sharp({ create: { ...size, channels: 4, background: ink } }))
  for (const [part, x, y] of parts) copy(await pixelsOf(part), frame, x, y)
  const panorama = await pixelsOf(scene.resize({ ...sceneSize, fit: 'cover' }).flatten({ background: ink }))
  const bar = await pixelsOf(
    sharp({ create: { width: inner, height: Math.round(6 * unit), channels: 4, background: tungsten } }),
  )
  return async (index: number): Promise<Uint8Array> => {
    copy(panorama, frame, 0, 0, { fromX: step * Math.min(index, panFrames) })
    copy(bar, frame, margin, barTop, { width: Math.round((inner * (index + 1)) / frames) })
    const counter = fit(text(`${index + 1}/${frames}`, 20 * unit, paper), counterSize, 'right')
    copy(await pixelsOf(counter), frame, width - margin - counterSize.width, lineTop)
    return frame.data
  }
}

/** An SVG of ridges below a low sun. Its numbers come from the hash of the prompt: one prompt always looks the same. */
function hills(prompt: string, { width, height }: Size, unit: number): string {
  const hash = createHash('sha256').update(prompt).digest()
  const random = (n: number): number => (hash[n] ?? 0) / 255
  const paths = ridges.map((colour, depth) => {
    const wave = (x: number, n: number): number =>
      (Math.sin(x * 2 ** n + 7 * random(depth * 4 + n)) * (0.5 + random(16 + depth * 3 + n))) / 2 ** n
    const top = (x: number): number => height * (0.66 + 0.1 * depth + 0.07 * (wave(x, 1) + wave(x, 2) + wave(x, 3)))
    const columns = Array.from({ length: Math.ceil(width / 4) + 1 }, (_, n) => `${n * 4},${top((n * 4) / height)}`)
    return `<path fill="${colour}" d="M0,${height} L${columns.join(' ')} L${width},${height}Z"/>`
  })
  const [sunX, sunY] = [width * (0.3 + 0.4 * random(30)), height * (0.3 + 0.16 * random(31))]
  const suns = [250, 160, 96].map((radius) => `<circle cx="${sunX}" cy="${sunY}" r="${radius * unit}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="hsl(${Math.round(360 * random(29))}, 24%, 26%)"/>
    <g fill="${tungsten}"><g opacity="0.08">${suns[0]}</g><g opacity="0.12">${suns[1]}</g>${suns[2]}</g>
    ${paths.join('')}</svg>`
}

const shortened = (prompt: string): string =>
  prompt.length > PROMPT_CHARACTERS_MAX ? `${prompt.slice(0, PROMPT_CHARACTERS_MAX).trimEnd()}…` : prompt

/**
 * Text on transparent ground, wrapped to `width`. The font is part of the package, so that a machine without fonts
 * renders the same film; a script that neither the font nor the machine knows shows as numbered boxes.
 */
function text(characters: string, sizePx: number, colour: string, width?: number): Sharp {
  // Control characters and lone surrogates are no XML, and the text goes through a markup parser.
  const clean = characters.toWellFormed().replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\ufffe\uffff\s]+/gu, ' ')
  const escaped = (clean.trim() || '…').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: `Inter Medium ${Math.round(sizePx)}`,
      fontfile,
      dpi: 72,
      rgba: true,
      spacing: Math.round(sizePx * 0.25),
      ...(width ? { width, wrap: 'word-char' } : {}),
    },
  })
}

/** Shrinks what is larger than `size`, on a ground of exactly that size. */
const fit = (part: Sharp, size: Size, position = 'left'): Sharp =>
  part
    .resize({ ...size, fit: 'contain', position, background: ink, withoutEnlargement: true })
    .flatten({ background: ink })

async function pixelsOf(part: Sharp): Promise<Pixels> {
  const { data, info } = await part.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Copies `width` columns of `from`, counted from column `fromX`, to (x, y). */
function copy(from: Pixels, to: Pixels, x: number, y: number, { fromX = 0, width = from.width } = {}): void {
  const columns = Math.min(width, from.width - fromX, to.width - x)
  for (let row = 0; row < from.height; row++) {
    const start = (row * from.width + fromX) * 4
    to.data.set(from.data.subarray(start, start + columns * 4), ((y + row) * to.width + x) * 4)
  }
}
