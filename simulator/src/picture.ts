/**
 * The pictures of a film. Above, a scene that passes slowly: hills at dusk, different for every prompt, or the start
 * image. Below, the prompt, the facts of the request, a frame counter and a strip of frames that expose one after another.
 *
 * sharp renders every part once, and a frame is composed by copying rows: drawing each frame as SVG takes longer than
 * encoding it. All parts have the pixel layout of the encoder (I420) and stand at even coordinates.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'

type Size = { width: number; height: number }
type Plane = { pixels: Uint8Array; width: number; height: number }
/** One luma plane, and two chroma planes of half the width and height; all three lie in `data`. */
type Frame = Size & { data: Uint8Array; planes: Plane[] }

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const unexposed = '#26272a'
const sky = '#403d38'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const STRIP_CELLS = 24
const centred = { fit: 'contain', background: ink, withoutEnlargement: true } as const
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/** @returns `draw`, which composes frame `index` of `frames` and returns its pixels; they are valid until the next call */
export async function openPicture(request: FilmRequest, { width, height }: Size, frames: number, image: Buffer | null) {
  const unit = Math.min(width, height) / 720
  const margin = even(44 * unit)
  const inner = width - 2 * margin
  const facts = [request.model, `${request.durationS} s`, request.quality, request.aspectRatio]
  const factsText = [...facts, image ? 'image to video' : 'text to video'].join(' · ')

  const digitSize = even(20 * unit)
  const digit = { width: even(digitSize * 0.7), height: even(digitSize * 1.4) }
  const places = String(frames).length
  const counterWidth = digit.width * (places * 2 + 1)
  const cell = { width: even(inner / STRIP_CELLS - 4 * unit), height: even(14 * unit) }
  const [prompt, factsLine] = await Promise.all([
    fitPrompt(request.prompt, inner, Math.round(height * 0.3), unit),
    textImage(factsText, digitSize, grey, inner - counterWidth - margin),
  ])
  const stripTop = height - margin - cell.height
  const factsTop = even(stripTop - 22 * unit - factsLine.info.height)
  const counterTop = even(factsTop + digitSize * 0.45 - digit.height / 2)
  const promptTop = factsTop - 26 * unit - prompt.info.height
  const sceneHeight = even(promptTop - 40 * unit)

  // A pan by whole pixels: between two columns the picture would jerk.
  const step = Math.max(1, Math.round(unit))
  const panFrames = Math.min(frames, Math.round(width / step / 4))
  const sceneSize = { width: even(width + step * panFrames), height: sceneHeight }
  const sceneSource = image ?? Buffer.from(hills(request.prompt, sceneSize, unit))
  const [scene, caption, exposed, ...digits] = await Promise.all([
    toFrame(
      sharp(sceneSource).resize(sceneSize.width, sceneSize.height, { fit: 'cover' }).flatten({ background: ink }),
    ),
    toFrame(
      ground({ width, height: height - sceneHeight }, [
        { input: prompt.data, left: margin, top: Math.round(promptTop - sceneHeight) },
        { input: factsLine.data, left: margin, top: factsTop - sceneHeight },
      ]),
    ),
    toFrame(ground(cell, [], tungsten)),
    ...[...'0123456789/'].map((sign) =>
      toFrame(
        text(sign, digitSize, paper)
          .flatten({ background: ink })
          .resize({ ...digit, ...centred }),
      ),
    ),
  ])
  const dark = await toFrame(ground(cell, [], unexposed))
  const frame = newFrame({ width, height })
  copy(caption, frame, 0, sceneHeight)
  const cellLeft = (n: number): number => margin + even((n * inner) / STRIP_CELLS)
  for (let n = 0; n < STRIP_CELLS; n++) copy(dark, frame, cellLeft(n), stripTop)

  const draw = (index: number): Uint8Array => {
    copy(scene, frame, 0, 0, step * Math.min(index, panFrames))
    copy(exposed, frame, cellLeft(Math.min(STRIP_CELLS - 1, Math.floor((index * STRIP_CELLS) / frames))), stripTop)
    const counter = `${String(index + 1).padStart(places, '0')}/${frames}`
    for (const [n, sign] of [...counter].entries()) {
      const tile = digits['0123456789/'.indexOf(sign)]
      if (tile) copy(tile, frame, width - margin - counterWidth + n * digit.width, counterTop)
    }
    return frame.data
  }
  return { draw }
}

/** An SVG of ridges below a low sun. Its numbers come from the hash of the prompt: one prompt always looks the same. */
function hills(prompt: string, { width, height }: Size, unit: number): string {
  const hash = createHash('sha256').update(prompt).digest()
  const random = (n: number): number => (hash[n] ?? 0) / 255
  const paths = ridges.map((colour, depth) => {
    const top = (x: number): number =>
      [2.1, 4.7, 9.3, 23].reduce(
        (y, waves, n) => {
          const size = (height * (0.05 + 0.006 * depth) * (0.6 + 0.4 * random(depth * 8 + n))) / (n + 1) ** 1.25
          return y + size * Math.sin(((x / height) * waves) / 1.2 + random(depth * 8 + n + 4) * 2 * Math.PI)
        },
        height * (0.6 + 0.1 * depth),
      )
    const columns = Array.from({ length: Math.ceil(width / 4) + 1 }, (_, n) => `${n * 4},${top(n * 4).toFixed(1)}`)
    return `<path fill="${colour}" d="M0,${height} L${columns.join(' ')} L${width},${height}Z"/>`
  })
  const [sunX, sunY] = [width * (0.3 + 0.4 * random(30)), height * (0.36 + 0.16 * random(31))]
  const radius = Math.min(96 * unit, height * 0.24)
  const sun = [2.6, 1.7, 1].map((scale) => `<circle cx="${sunX}" cy="${sunY}" r="${radius * scale}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${sky}"/>
    <g fill="${tungsten}"><g opacity="0.08">${sun[0]}</g><g opacity="0.12">${sun[1]}</g>${sun[2]}</g>
    ${paths.join('')}</svg>`
}

/** The prompt in the largest of three sizes that fits; a longer prompt is cut. */
async function fitPrompt(prompt: string, width: number, height: number, unit: number) {
  let characters = prompt.slice(0, 600)
  for (const size of [38, 32, 26]) {
    const fitted = await textImage(characters, size * unit, paper, width)
    if (fitted.info.height <= height) return fitted
  }
  for (;;) {
    characters = characters.slice(0, Math.floor(characters.length * 0.85))
    const cut = await textImage(`${characters.trimEnd()}…`, 26 * unit, paper, width)
    if (cut.info.height <= height || characters.length < 8) return cut
  }
}

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
      ...(width ? { width: Math.round(width), wrap: 'word-char' } : {}),
    },
  })
}

const textImage = (...parameters: Parameters<typeof text>) =>
  text(...parameters)
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })

const ground = ({ width, height }: Size, overlays: OverlayOptions[], background = ink): Sharp =>
  sharp({ create: { width, height, channels: 3, background } }).composite(overlays)

function newFrame({ width, height }: Size): Frame {
  const pixels = width * height
  const data = new Uint8Array((pixels * 3) / 2)
  const chroma = { width: width / 2, height: height / 2 }
  const planes = [
    { pixels: data.subarray(0, pixels), width, height },
    { pixels: data.subarray(pixels, pixels + pixels / 4), ...chroma },
    { pixels: data.subarray(pixels + pixels / 4), ...chroma },
  ]
  return { width, height, data, planes }
}

/** RGB to I420 in BT.709 and limited range, as the film declares itself. */
async function toFrame(picture: Sharp): Promise<Frame> {
  const { data, info } = await picture.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const frame = newFrame(info)
  const [luma, blueness, redness] = frame.planes.map(({ pixels }) => pixels)
  if (!luma || !blueness || !redness) return frame
  const { width, height } = info
  let at = 0
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const red = data[at * 3] ?? 0
      const blue = data[at * 3 + 2] ?? 0
      const y = 0.2126 * red + 0.7152 * (data[at * 3 + 1] ?? 0) + 0.0722 * blue
      luma[at] = 16.5 + (y * 219) / 255
      if ((row | column) & 1) continue
      const small = (row * width) / 4 + column / 2
      blueness[small] = 128.5 + ((blue - y) / 1.8556) * (224 / 255)
      redness[small] = 128.5 + ((red - y) / 1.5748) * (224 / 255)
    }
  }
  return frame
}

/** Copies `from`, or the part of it that begins at column `fromX`, to (x, y). */
function copy(from: Frame, to: Frame, x: number, y: number, fromX = 0): void {
  for (const [n, source] of from.planes.entries()) {
    const target = to.planes[n]
    if (!target) continue
    const [left, top, skip] = n === 0 ? [x, y, fromX] : [x / 2, y / 2, fromX >> 1]
    const length = Math.min(source.width - skip, target.width - left)
    for (let row = 0; row < source.height; row++) {
      const start = row * source.width + skip
      target.pixels.set(source.pixels.subarray(start, start + length), (top + row) * target.width + left)
    }
  }
}

const even = (pixels: number): number => 2 * Math.round(pixels / 2)
