/**
 * The pictures of a film. Above, a scene that passes slowly: hills at dusk, different for every prompt, or the start image. Below,
 * the prompt, the facts of the request and a progress bar.
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
 * @returns what each frame of the film shows, in macroblocks of `coded` size; @throws Error when the start image cannot be decoded
 */
export async function openPictures(request: FilmRequest, shown: Size, frames: number, image: Sharp | null) {
  const scale = (pixels: number): number =>
    Math.max(2, 2 * Math.round((pixels * Math.min(shown.width, shown.height)) / 1440))
  // One macroblock at the right is not shown. It has what comes into view next, and gets new pixels when that is used up.
  const coded = { width: wholeBlocks(shown.width) + MACROBLOCK, height: wholeBlocks(shown.height) }
  const sceneHeight = wholeBlocks(shown.height * 0.62)
  const step = scale(1)
  const stepsMax = Math.min(frames - 1, Math.round(shown.width / step / 4))
  const sceneSize = { width: coded.width + step * stepsMax, height: sceneHeight }
  const background = image ?? sharp(Buffer.from(hills(request.prompt, sceneSize)))
  const scene = await pixelsOf(background.resize({ ...sceneSize, fit: 'cover' })).catch((error: unknown) => {
    throw image ? new Error('its start image cannot be read', { cause: error }) : error
  })

  const margin = scale(44)
  const bar = { top: shown.height - margin - sceneHeight, height: scale(6), width: shown.width - 2 * margin }
  const textHeight = bar.top - 2 * scale(16)
  const page = await pixelsOf(
    // Shrunk where it is too large.
    texts(request, image !== null, bar.width, scale)
      .resize(bar.width, textHeight, { ...onInk, fit: 'contain', position: 'left bottom', withoutEnlargement: true })
      .extend({
        ...onInk,
        top: scale(16),
        bottom: coded.height - sceneHeight - scale(16) - textHeight,
        left: margin,
        right: coded.width - margin - bar.width,
      }),
  )
  const barEnd = (index: number): number => margin + Math.round((bar.width * (index + 1)) / frames)

  const frameAt = (index: number) => {
    for (let row = bar.top; row < bar.top + bar.height; row++) {
      const start = row * coded.width
      page.data.fill(tungsten.slice(1), 3 * (start + margin), 3 * (start + barEnd(index)), 'hex')
    }
    const isHiddenUsed = index % Math.floor(MACROBLOCK / step) === 0
    return (x: number, y: number): Macroblock => {
      const [right, pageY] = [x + MACROBLOCK, y - sceneHeight]
      if (pageY >= 0) {
        const isBar = pageY + MACROBLOCK > bar.top && pageY < bar.top + bar.height
        const isChanged = isBar && right > barEnd(index - 1) && x < barEnd(index)
        return index === 0 || isChanged ? { picture: page, x, y: pageY } : 'same'
      }
      if (index > stepsMax) return 'same'
      const isNew = index === 0 || (isHiddenUsed && right === coded.width)
      return isNew ? { picture: scene, x: x + index * step, y } : 'moved'
    }
  }
  return { coded, step, frameAt }
}

/** An SVG of ridges below a low sun. Its numbers come from the hash of the prompt: one prompt always looks the same. */
function hills(prompt: string, { width, height }: Size): string {
  const hash = createHash('sha256').update(prompt).digest()
  const random = (n: number): number => (hash[n] ?? 0) / 255
  const paths = ridges.map((colour, depth) => {
    const top = (n: number): number => height * (0.58 + 0.1 * depth + 0.12 * random(depth * 7 + n))
    const corners = Array.from({ length: 7 }, (_, n) => `${(n * width) / 6},${top(n)}`)
    return `<path fill="${colour}" d="M0,${height} L${corners.join(' ')} L${width},${height}Z"/>`
  })
  const [sunX, sunY] = [width * (0.3 + 0.4 * random(30)), height * (0.3 + 0.16 * random(31))]
  const suns = [0.52, 0.34, 0.2].map((radius) => `<circle cx="${sunX}" cy="${sunY}" r="${height * radius}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="hsl(${Math.round(360 * random(29))}, 24%, 26%)"/>
    <g fill="${tungsten}"><g opacity="0.08">${suns[0]}</g><g opacity="0.12">${suns[1]}</g>${suns[2]}</g>
    ${paths.join('')}</svg>`
}

/**
 * The prompt, wrapped to `width`, above the facts, on transparent ground. The font is part of the package, so that a machine without
 * fonts renders the same film; a script that neither the font nor the machine knows shows as numbered boxes.
 */
function texts(request: FilmRequest, hasImage: boolean, width: number, scale: (pixels: number) => number): Sharp {
  const { prompt, model, durationS, quality, aspectRatio } = request
  const short = prompt.length > PROMPT_CHARACTERS_MAX ? `${prompt.slice(0, PROMPT_CHARACTERS_MAX)}…` : prompt
  const facts = [model, `${durationS} s`, quality, aspectRatio, `${hasImage ? 'image' : 'text'} to video`].join(' · ')
  const lines = [span(short, scale(38), paper), span(facts, scale(20), grey)].join('\n')
  const layout = { width, wrap: 'word-char' as const, spacing: scale(10) }
  return sharp({ text: { text: lines, font: 'Inter Medium', fontfile, dpi: 72, rgba: true, ...layout } })
}

function span(text: string, sizePx: number, colour: string): string {
  // Control characters and lone surrogates are no XML, and the text goes through a markup parser.
  const clean = text.toWellFormed().replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\ufffe\uffff\s]+/gu, ' ')
  const escaped = (clean.trim() || '…').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<span size="${sizePx}pt" foreground="${colour}">${escaped}</span>`
}

const onInk = { background: ink }

async function pixelsOf(image: Sharp): Promise<Picture> {
  const rgb = image.flatten(onInk).toColourspace('srgb').raw()
  const { data, info } = await rgb.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const wholeBlocks = (pixels: number): number => Math.ceil(pixels / MACROBLOCK) * MACROBLOCK
