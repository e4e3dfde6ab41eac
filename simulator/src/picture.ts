/**
 * What a simulated film shows. Above: hills at dusk, different for every prompt, with a sun that is also the film
 * leader, its sweep counting the seconds down; or the start image, slowly passing. Below: the prompt, the facts, a
 * frame counter and a strip of frames that expose one after another.
 */
import sharp from 'sharp'
import {
  blend,
  type Canvas,
  type Colour,
  disc,
  fill,
  hex,
  type Mask,
  newCanvas,
  rgb,
  stamp,
  textMask,
} from './canvas.ts'

export type FilmOrder = {
  prompt: string
  model: string
  aspectRatio: string
  quality: string
  durationS: number
  imageUrl: string | null
}

/** A decoded start image: three bytes a pixel. */
export type StartImage = { data: Uint8Array; width: number; height: number }

const ink = hex('#0e0f11')
const paper = hex('#f6f4ef')
const tungsten = hex('#f2b03d')
const tungstenDark = hex('#c98a1e')
const grey = hex('#a09d96')
const unexposed = hex('#26272a')
/** A grey with a little warmth: one step of colour, the least there is, or near-black greys turn green in 8 bits. */
const warm = (luma: number): Colour => ({ y: luma, u: 127, v: 129 })
const sky = warm(66)
const ridges = [warm(56), warm(46), warm(37), ink]

const STRIP_FRAMES = 24

/** Prepares everything that does not move and returns the painter of frame `index` of `frames`. */
export async function composePicture(
  order: FilmOrder,
  width: number,
  height: number,
  frames: number,
  image: StartImage | null,
): Promise<{ canvas: Canvas; paint: (index: number) => void }> {
  const canvas = newCanvas(width, height)
  fill(canvas, 0, 0, width, height, ink)
  const unit = Math.min(width, height) / 720
  const margin = Math.round(44 * unit)
  const caption = await composeCaption(canvas, factsOf(order, image), order.prompt, unit, margin, frames)
  const sceneHeight = caption.top & ~1
  const numbers = await Promise.all(
    Array.from({ length: Math.ceil(order.durationS) + 1 }, (_, n) => textMask(String(n), Math.round(84 * unit))),
  )
  const paintScene = image
    ? await imageScene(canvas, image, sceneHeight, frames)
    : hillScene(canvas, order.prompt, sceneHeight, unit, frames)
  const paint = (index: number): void => {
    const sun = paintScene(index)
    const second = (index * order.durationS) / frames
    paintLeader(canvas, sun, second, numbers[Math.ceil(order.durationS - second)])
    sun.inFront()
    caption.paint(index)
  }
  return { canvas, paint }
}

type Sun = { x: number; y: number; radius: number; inFront: () => void }

function paintLeader(canvas: Canvas, sun: Sun, second: number, number: Mask | undefined): void {
  disc(canvas, sun.x, sun.y, sun.radius, tungsten)
  disc(canvas, sun.x, sun.y, sun.radius, tungstenDark, second % 1)
  if (!number) return
  stamp(canvas, number, Math.round(sun.x - number.width / 2), Math.round(sun.y - number.height / 2), ink)
}

function factsOf(order: FilmOrder, image: StartImage | null): string {
  const mode = image ? 'image to video' : 'text to video'
  return [order.model, `${order.durationS} s`, order.quality, order.aspectRatio, mode].join(' · ')
}

/** The lower part. Only the counter and the newest frame of the strip change from one frame to the next. */
async function composeCaption(
  canvas: Canvas,
  facts: string,
  prompt: string,
  unit: number,
  margin: number,
  frames: number,
) {
  const width = canvas.width - 2 * margin
  const digitSize = Math.round(20 * unit)
  const digits = await Promise.all([...'0123456789/'].map((sign) => textMask(sign, digitSize)))
  const advance = Math.round(digitSize * 0.66)
  const counterWidth = advance * (String(frames).length * 2 + 1)
  const factsMask = await textMask(facts, digitSize, width - counterWidth - margin)
  const promptMask = await fitPrompt(prompt, width, Math.round(canvas.height * 0.3), unit)

  const cellHeight = Math.round(14 * unit)
  const stripTop = canvas.height - margin - cellHeight
  const factsTop = stripTop - Math.round(22 * unit) - factsMask.height
  const promptTop = factsTop - Math.round(26 * unit) - promptMask.height
  const cell = width / STRIP_FRAMES
  const gap = Math.max(2, Math.round(4 * unit))
  const drawCell = (n: number, colour: Colour): void =>
    fill(canvas, margin + n * cell, stripTop, cell - gap, cellHeight, colour)

  stamp(canvas, promptMask, margin, promptTop, paper)
  stamp(canvas, factsMask, margin, factsTop, grey)
  for (let n = 0; n < STRIP_FRAMES; n++) drawCell(n, unexposed)

  const left = canvas.width - margin - counterWidth
  const baseline = factsTop + Math.round(digitSize * 0.75)
  const paint = (index: number): void => {
    drawCell(Math.min(STRIP_FRAMES - 1, Math.floor((index * STRIP_FRAMES) / frames)), tungsten)
    fill(canvas, left - 2, baseline - digitSize, counterWidth + 4, digitSize * 1.3, ink)
    const text = `${String(index + 1).padStart(String(frames).length, '0')}/${frames}`
    for (const [place, sign] of [...text].entries()) {
      const mask = digits['0123456789/'.indexOf(sign)]
      if (!mask) continue
      const indent = Math.round((advance - mask.width) / 2)
      const drop = sign === '/' ? Math.round(digitSize * 0.1) : 0
      stamp(canvas, mask, left + place * advance + indent, baseline - mask.height + drop, paper)
    }
  }
  return { top: promptTop - Math.round(40 * unit), paint }
}

/** The largest of three sizes at which the prompt fits; a longer prompt is cut where it stops fitting. */
async function fitPrompt(prompt: string, width: number, height: number, unit: number): Promise<Mask> {
  let text = prompt.slice(0, 600)
  let mask = await textMask(text, Math.round(38 * unit), width)
  for (const size of [32, 26]) {
    if (mask.height > height) mask = await textMask(text, Math.round(size * unit), width)
  }
  while (mask.height > height && text.length > 8) {
    text = text.slice(0, Math.floor(text.length * Math.min(0.93, (height / mask.height) * 1.05)))
    mask = await textMask(`${text.trimEnd()}…`, Math.round(26 * unit), width)
  }
  return mask
}

/** Ridges that pass at the speed of their distance, a sun on its arc, a few birds. */
function hillScene(canvas: Canvas, prompt: string, height: number, unit: number, frames: number) {
  const random = seeded(prompt)
  const shapes = ridges.map((_, depth) =>
    [2.1, 4.7, 9.3, 23].map((waves, n) => ({
      waves: waves * (0.8 + 0.5 * random()),
      phase: random() * 2 * Math.PI,
      size: (height * (0.046 + 0.004 * depth) * (0.6 + 0.4 * random())) / (n + 1) ** 1.25,
    })),
  )
  const birds = Array.from({ length: 3 + Math.floor(random() * 4) }, () => ({
    x: random() * 0.26,
    y: random() * 0.18,
    beat: random(),
  }))
  const radius = Math.min(96 * unit, height * 0.24)
  const startX = 0.22 + 0.14 * random()
  const fromLeft = random() < 0.5
  const tops = new Float32Array(canvas.width)
  const scale = Math.PI / Math.max(canvas.width, height * 1.2)

  return (index: number): Sun => {
    const progress = frames > 1 ? index / (frames - 1) : 0
    const along = startX + progress * (1 - 2 * startX + 0.1)
    const x = canvas.width * (fromLeft ? along : 1 - along)
    const y = height * (0.47 - 0.11 * Math.sin(Math.PI * (0.15 + 0.7 * progress)))
    fill(canvas, 0, 0, canvas.width, height, sky)
    const inFront = (): void => {
      for (const [depth, shape] of shapes.entries()) {
        const shift = (index / 24) * unit * (5 + 11 * depth * depth)
        const level = height * (0.62 + 0.085 * depth)
        for (let column = 0; column < canvas.width; column++) {
          let top = level
          for (const wave of shape) top += wave.size * Math.sin((column + shift) * scale * wave.waves + wave.phase)
          tops[column] = top
        }
        paintRidge(canvas, tops, height, ridges[depth] ?? ink)
      }
      for (const bird of birds) {
        const flight = fromLeft ? 0.66 - 0.34 * progress : 0.08 + 0.34 * progress
        const beat = Math.sin((index / 24 + bird.beat) * 2 * Math.PI * 1.4)
        const at = { x: canvas.width * (flight + bird.x), y: height * (0.14 + bird.y + 0.012 * beat) }
        paintBird(canvas, at.x, at.y, 11 * unit, beat)
      }
    }
    return { x, y, radius, inFront }
  }
}

function paintRidge(canvas: Canvas, tops: Float32Array, bottom: number, colour: Colour): void {
  let highest = bottom
  let lowest = 0
  for (const top of tops) {
    if (top < highest) highest = top
    if (top > lowest) lowest = top
  }
  const solidFrom = Math.min(bottom, (Math.ceil(lowest) + 2) & ~1)
  for (let y = Math.max(0, Math.floor(highest) - 1); y < solidFrom; y++) {
    const row = y * canvas.width
    const colourRow = (y >> 1) * (canvas.width >> 1)
    for (let x = 0; x < canvas.width; x++) {
      const cover = y + 1 - (tops[x] ?? 0)
      if (cover <= 0) continue
      const luma = canvas.y[row + x] ?? 0
      canvas.y[row + x] = cover >= 1 ? colour.y : luma + (colour.y - luma) * cover
      if ((x | y) & 1 || cover < 0.5) continue
      canvas.u[colourRow + (x >> 1)] = colour.u
      canvas.v[colourRow + (x >> 1)] = colour.v
    }
  }
  fill(canvas, 0, solidFrom, canvas.width, bottom - solidFrom, colour)
}

/** Two wings, each a parabola from the body; `beat` -1..1 lifts and drops their tips. */
function paintBird(canvas: Canvas, x: number, y: number, span: number, beat: number): void {
  const thickness = span * 0.13
  for (let column = Math.floor(x - span); column <= x + span; column++) {
    const out = Math.min(1, Math.abs(column + 0.5 - x) / span)
    const wing = y + span * (0.75 * beat * out * out - 0.55 * out * (1 - out) * 2)
    const half = thickness * (1.1 - out * 0.8) + 0.4
    for (let row = Math.floor(wing - half - 1); row <= wing + half + 1; row++) {
      blend(canvas, column, row, paper, Math.min(1, half - Math.abs(row + 0.5 - wing) + 0.5) * 0.85)
    }
  }
}

/** The start image, a little larger than the scene, passing slowly from one side to the other. */
async function imageScene(canvas: Canvas, image: StartImage, height: number, frames: number) {
  const width = Math.ceil((canvas.width * 1.08) / 2) * 2
  const raw = { width: image.width, height: image.height, channels: 3 } as const
  const data = await sharp(image.data, { raw }).resize(width, height, { fit: 'cover' }).raw().toBuffer()
  const source = newCanvas(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      blend(source, x, y, rgb(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0), 1)
    }
  }
  const unit = Math.min(canvas.width, canvas.height) / 720
  const radius = 56 * unit
  return (index: number): Sun => {
    const offset = (width - canvas.width) * (frames > 1 ? index / (frames - 1) : 0)
    slide(source.y, width, canvas.y, canvas.width, height, offset)
    slide(source.u, width >> 1, canvas.u, canvas.width >> 1, height >> 1, offset / 2)
    slide(source.v, width >> 1, canvas.v, canvas.width >> 1, height >> 1, offset / 2)
    return { x: canvas.width - 44 * unit - radius, y: 44 * unit + radius, radius, inFront: () => {} }
  }
}

/** Copies a window of one plane, `offset` columns in; between two columns it mixes them, or the picture would jerk. */
function slide(from: Uint8Array, fromWidth: number, to: Uint8Array, width: number, height: number, offset: number) {
  const whole = Math.floor(offset)
  const part = Math.round((offset - whole) * 256)
  const next = whole + width < fromWidth ? 1 : 0
  for (let y = 0; y < height; y++) {
    const at = y * fromWidth + whole
    for (let x = 0; x < width; x++) {
      const a = from[at + x] ?? 0
      to[y * width + x] = a + ((((from[at + x + next] ?? 0) - a) * part) >> 8)
    }
  }
}

/** Numbers 0..1 that are the same for the same text (FNV-1a into mulberry32), so that a film can be made again. */
function seeded(text: string): () => number {
  let state = 0x811c9dc5
  for (const sign of text) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
