/**
 * The pictures of a film. Above, a scene that passes slowly: hills at dusk, different for every prompt, or the start image. Below,
 * the prompt, the facts of the request, a frame counter and a progress bar.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'
import { MACROBLOCK, type Macroblock, type Picture, type Size } from './h264.ts'

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const PROMPT_CHARACTERS_MAX = 240
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/**
 * @param image the start image
 * @returns what each frame of the film shows, in macroblocks of `coded` size
 */
export async function openPictures(request: FilmRequest, shown: Size, frames: number, image: Buffer | null) {
  const scale = (pixels: number): number =>
    Math.max(2, 2 * Math.round((pixels * Math.min(shown.width, shown.height)) / 1440))
  const margin = scale(44)
  const inner = shown.width - 2 * margin
  // One macroblock at the right is not shown. It has what comes into view next, and gets new pixels when that is used up.
  const coded = { width: wholeBlocks(shown.width) + MACROBLOCK, height: wholeBlocks(shown.height) }
  const sceneHeight = wholeBlocks(shown.height * 0.62)
  const step = scale(1)
  const stepsMax = Math.min(frames - 1, Math.round(shown.width / step / 4))
  const sceneSize = { width: coded.width + step * stepsMax, height: sceneHeight }
  const scene = await pixelsOf(
    sharp(image ?? Buffer.from(hills(request.prompt, sceneSize))).resize({ ...sceneSize, fit: 'cover' }),
  )

  const page = ground(coded, ink)
  const promptTop = sceneHeight + scale(16)
  const factsTop = shown.height - margin - scale(44)
  const barTop = shown.height - margin
  const places = String(frames).length
  const sign = { width: scale(14), height: scale(28) }
  const counterLeft = shown.width - margin - sign.width * (2 * places + 1)
  const { prompt, model, durationS, quality, aspectRatio } = request
  const short = prompt.length > PROMPT_CHARACTERS_MAX ? `${prompt.slice(0, PROMPT_CHARACTERS_MAX)}…` : prompt
  const promptSize = { width: inner, height: factsTop - promptTop - scale(16) }
  paste(await pixelsOf(fit(text(short, scale(38), paper, inner), promptSize, 'left bottom')), page, margin, promptTop)
  const facts = [model, `${durationS} s`, quality, aspectRatio, `${image ? 'image' : 'text'} to video`].join(' · ')
  const factsSize = { width: counterLeft - 2 * margin, height: sign.height }
  paste(await pixelsOf(fit(text(facts, scale(20), grey), factsSize, 'left')), page, margin, factsTop)
  const tiles = await signTiles(sign, scale(20))
  const bar = ground({ width: inner, height: scale(6) }, tungsten)

  const frameAt = (index: number) => {
    const counter = `${String(index + 1).padStart(places, '0')}/${frames}`
    for (const [n, each] of [...counter].entries()) {
      paste(tiles[signs.indexOf(each)] ?? page, page, counterLeft + n * sign.width, factsTop)
    }
    paste(bar, page, margin, barTop, Math.round((inner * (index + 1)) / frames))
    const isHiddenUsed = index % Math.floor(MACROBLOCK / step) === 0
    return (x: number, y: number): Macroblock => {
      const [right, bottom] = [x + MACROBLOCK, y + MACROBLOCK]
      if (bottom > sceneHeight) {
        const isChanged = bottom > barTop || (bottom > factsTop && right > counterLeft)
        return index === 0 || isChanged ? { picture: page, x, y } : 'same'
      }
      if (index > stepsMax) return 'same'
      const isNew = index === 0 || (isHiddenUsed && right === coded.width)
      return isNew ? { picture: scene, x: x + index * step, y } : 'moved'
    }
  }
  return { coded, step, frameAt }
}

const signs = '0123456789/'
/** By size: one costs as much as the prompt. */
const knownTiles = new Map<number, Promise<Picture[]>>()

function signTiles(size: Size, sizePx: number): Promise<Picture[]> {
  const known = knownTiles.get(sizePx)
  if (known) return known
  const tiles = Promise.all([...signs].map((each) => pixelsOf(fit(text(each, sizePx, paper), size, 'centre'))))
  knownTiles.set(sizePx, tiles)
  return tiles
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

const ground = (size: Size, colour: string): Picture => ({
  ...size,
  data: Buffer.alloc(size.width * size.height * 3, colour.slice(1), 'hex'),
})

async function pixelsOf(part: Sharp): Promise<Picture> {
  const rgb = part.flatten({ background: ink }).toColourspace('srgb').raw()
  const { data, info } = await rgb.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Copies the left `width` columns of `from` to (x, y). */
function paste(from: Picture, to: Picture, x: number, y: number, width = from.width): void {
  for (let row = 0; row < from.height; row++) {
    const start = row * from.width * 3
    from.data.copy(to.data, ((y + row) * to.width + x) * 3, start, start + width * 3)
  }
}

const wholeBlocks = (pixels: number): number => Math.ceil(pixels / MACROBLOCK) * MACROBLOCK
