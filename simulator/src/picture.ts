/**
 * The pictures of a film. Above, hills at dusk, different for every prompt, or the start image. Below, the prompt, the facts of the
 * request and a progress bar.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'
import { MACROBLOCK, type Size } from './h264.ts'

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const PROMPT_CHARACTERS_MAX = 240
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/**
 * @returns the first picture, in whole macroblocks, and `advance`, which draws the progress bar up to that share of the film and
 * returns which macroblocks it has changed; @throws Error when the start image cannot be decoded
 */
export async function openPicture(request: FilmRequest, shown: Size, image: Sharp | null) {
  const scale = (pixels: number): number => Math.round((pixels * Math.min(shown.width, shown.height)) / 720)
  const [width, height] = [wholeBlocks(shown.width), wholeBlocks(shown.height)]
  const [margin, gap] = [scale(44), scale(16)]
  const scene = { width, height: Math.round(shown.height * 0.62) }
  const bar = { top: shown.height - margin, height: scale(6), width: shown.width - 2 * margin }
  const page = { width: bar.width, height: bar.top - scene.height - 2 * gap }
  const text = texts(request, image !== null, page.width, scale)
  const input = await text
    .resize({ ...page, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const background = image ?? sharp(Buffer.from(hills(request.prompt, scene)))
  const data = await background
    .resize({ ...scene, fit: 'cover' })
    .flatten(onInk)
    .extend({ ...onInk, bottom: height - scene.height })
    .composite([{ input, left: margin, top: scene.height + gap }])
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
    .catch((error: unknown) => {
      throw image ? new Error('its start image cannot be read', { cause: error }) : error
    })

  let end = margin
  const advance = (share: number) => {
    const start = end
    end = margin + Math.round(bar.width * share)
    for (let row = bar.top; row < bar.top + bar.height; row++) {
      data.fill(tungsten.slice(1), 3 * (row * width + start), 3 * (row * width + end), 'hex')
    }
    return (x: number, y: number): boolean =>
      x + MACROBLOCK > start && x < end && y + MACROBLOCK > bar.top && y < bar.top + bar.height
  }
  return { picture: { data, width, height }, advance }
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

const wholeBlocks = (pixels: number): number => Math.ceil(pixels / MACROBLOCK) * MACROBLOCK
