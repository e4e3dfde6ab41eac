/**
 * The pictures of a film. Above, a scene that passes slowly: hills at dusk, different for every prompt, or the start
 * image. Below, the prompt, the facts of the request, a frame counter and a progress bar.
 *
 * sharp renders the parts once, in the pixel layout of the encoder (I420) and at even coordinates, and a frame is
 * composed by copying rows: drawing each frame as SVG takes longer than encoding it, and RGBA frames cost twice the
 * processor time.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'

type Size = { width: number; height: number }
/** One luma plane, then two chroma planes of half the width and height. */
type Frame = Size & { data: Uint8Array }

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const PROMPT_CHARACTERS_MAX = 240
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/**
 * @returns `draw`, which composes frame `index` of `frames` and returns its pixels; they are valid until the next
 * call
 */
export async function openPicture(request: FilmRequest, size: Size, frames: number, image: Buffer | null) {
  const { width, height } = size
  const scale = (pixels: number): number => even((pixels * Math.min(width, height)) / 720)
  const margin = scale(44)
  const inner = width - 2 * margin
  const scene = even(height * 0.64)
  const promptTop = scene + scale(16)
  const factsTop = height - margin - scale(44)
  const places = String(frames).length
  const signSize = { width: scale(14), height: scale(28) }
  const counterLeft = width - margin - signSize.width * (places * 2 + 1)
  const promptSize = { width: inner, height: factsTop - promptTop - scale(16) }
  const short = request.prompt.slice(0, PROMPT_CHARACTERS_MAX)
  const prompt = short === request.prompt ? short : `${short}…`
  const kind = image ? 'image to video' : 'text to video'
  const facts = [request.model, `${request.durationS} s`, request.quality, request.aspectRatio, kind].join(' · ')

  // A pan by whole pixels: between two columns the picture would jerk.
  const step = scale(1)
  const panFrames = Math.min(frames, Math.round(width / step / 4))
  const sceneSize = { width: width + step * panFrames, height: scene }
  const panorama = await toFrame(
    sharp(image ?? Buffer.from(hills(request.prompt, sceneSize))).resize({ ...sceneSize, fit: 'cover' }),
  )
  const bar = await toFrame(ground({ width: inner, height: scale(6) }, tungsten))
  const frame = await toFrame(ground(size, ink))
  const promptText = text(prompt, scale(38), paper, inner)
  copy(await toFrame(fit(promptText, promptSize, 'left bottom')), frame, margin, promptTop)
  const factsSize = { width: counterLeft - 2 * margin, height: signSize.height }
  copy(await toFrame(fit(text(facts, scale(20), grey), factsSize, 'left')), frame, margin, factsTop)
  const signs = new Map<string, Frame>()
  for (const sign of '0123456789/') {
    signs.set(sign, await toFrame(fit(text(sign, scale(20), paper), signSize, 'centre')))
  }
  return (index: number): Uint8Array => {
    copy(panorama, frame, 0, 0, { fromX: step * Math.min(index, panFrames) })
    copy(bar, frame, margin, height - margin, { width: even((inner * (index + 1)) / frames) })
    const counter = `${String(index + 1).padStart(places, '0')}/${frames}`
    for (const [n, sign] of [...counter].entries()) {
      const tile = signs.get(sign)
      if (tile) copy(tile, frame, counterLeft + n * signSize.width, factsTop)
    }
    return frame.data
  }
}

/** An SVG of ridges below a low sun. Its numbers come from the hash of the prompt: one prompt always looks the same. */
function hills(prompt: string, { width, height }: Size): string {
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
  const suns = [0.52, 0.34, 0.2].map((radius) => `<circle cx="${sunX}" cy="${sunY}" r="${height * radius}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="hsl(${Math.round(360 * random(29))}, 24%, 26%)"/>
    <g fill="${tungsten}"><g opacity="0.08">${suns[0]}</g><g opacity="0.12">${suns[1]}</g>${suns[2]}</g>
    ${paths.join('')}</svg>`
}

/**
 * Text on transparent ground, wrapped to `width`. The font is part of the package, so that a machine without fonts
 * renders the same film; a script that neither the font nor the machine knows shows as numbered boxes.
 */
function text(characters: string, sizePx: number, colour: string, width?: number): Sharp {
  // Control characters and lone surrogates are no XML, and the text goes through a markup parser.
  const clean = characters.toWellFormed().replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\ufffe\uffff\s]+/gu, ' ')
  const escaped = (clean.trim() || '…').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const markup = `<span foreground="${colour}">${escaped}</span>`
  const wrapping = width ? { width, wrap: 'word-char' as const, spacing: Math.round(sizePx * 0.25) } : {}
  return sharp({ text: { text: markup, font: `Inter Medium ${sizePx}`, fontfile, dpi: 72, rgba: true, ...wrapping } })
}

/** Shrinks what is larger than `size`, on a ground of exactly that size. */
const fit = (part: Sharp, size: Size, position: string): Sharp =>
  part.resize({ ...size, fit: 'contain', position, background: ink, withoutEnlargement: true })

const ground = (size: Size, background: string): Sharp => sharp({ create: { ...size, channels: 3, background } })

/** RGB to I420 in BT.709 and limited range, as the film declares itself. */
async function toFrame(picture: Sharp): Promise<Frame> {
  const rgb = picture.flatten({ background: ink }).toColourspace('srgb').raw()
  const { data: pixels, info } = await rgb.toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const count = width * height
  const data = new Uint8Array(count * 1.5)
  for (let at = 0; at < count; at++) {
    const red = pixels[at * 3] ?? 0
    const blue = pixels[at * 3 + 2] ?? 0
    const luma = 0.2126 * red + 0.7152 * (pixels[at * 3 + 1] ?? 0) + 0.0722 * blue
    data[at] = 16.5 + (luma * 219) / 255
    const column = at % width
    const row = (at - column) / width
    if ((row | column) & 1) continue
    const chroma = count + (row * width) / 4 + column / 2
    data[chroma] = 128.5 + ((blue - luma) / 1.8556) * (224 / 255)
    data[chroma + count / 4] = 128.5 + ((red - luma) / 1.5748) * (224 / 255)
  }
  return { width, height, data }
}

/** Copies `width` columns of `from`, counted from column `fromX`, to (x, y). */
function copy(from: Frame, to: Frame, x: number, y: number, { fromX = 0, width = from.width } = {}): void {
  const columns = Math.min(width, from.width - fromX, to.width - x)
  for (const [part, plane] of [1, 2, 2].entries()) {
    // Where the plane begins, as a share of the luma plane's size.
    const begin = [0, 1, 1.25][part] ?? 0
    for (let row = 0; row < from.height / plane; row++) {
      const start = begin * from.width * from.height + (row * from.width + fromX) / plane
      const target = begin * to.width * to.height + ((y / plane + row) * to.width + x) / plane
      to.data.set(from.data.subarray(start, start + columns / plane), target)
    }
  }
}

/** At least 2. */
const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2))
