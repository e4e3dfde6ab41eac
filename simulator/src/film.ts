/**
 * Draws the picture of a film and writes it as H.264 in an MP4. Above, hills at dusk, different for every film, or the
 * start image. Below, the prompt and its facts, and along the lower edge a progress bar.
 */
import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import type { FilmRequest } from './film-request.ts'
import { CODEC, encodeBar, encodeKeyFrame, MACROBLOCK, type Picture, parameterSets, type Size } from './h264.ts'

const ink = '#0e0f11'
const paper = '#f6f4ef'
const tungsten = '#f2b03d'
const grey = '#a09d96'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const PROMPT_CHARACTERS_MAX = 240
const IMAGE_TIMEOUT_MS = 5_000
const IMAGE_PIXELS_MAX = 64_000_000
const fontfile = fileURLToPath(new URL('../font/Inter-Medium.ttf', import.meta.url))

/** The file appears at `file` only once it is complete. @throws Error with the reason the task fails for */
export async function renderFilm(request: FilmRequest, file: string, framesPerSecond: number): Promise<void> {
  const picture = await drawPicture(request, path.basename(file))
  const frames = Math.max(1, Math.round(request.durationS * framesPerSecond))
  const source = new EncodedVideoPacketSource('avc')
  // The index (`moov`) precedes the pictures.
  const format = new Mp4OutputFormat({ fastStart: 'in-memory' })
  const output = new Output({ format, target: new FilePathTarget(`${file}.part`) })
  output.addVideoTrack(source, { frameRate: framesPerSecond })
  await output.start()
  const decoderConfig = { codec: CODEC, codedWidth: request.width, codedHeight: request.height }
  const first = Buffer.concat([parameterSets(picture, request), encodeKeyFrame(picture)])
  for (let index = 0; index < frames; index++) {
    const data = index === 0 ? first : encodeBar(picture, index, frames - 1)
    const type = index === 0 ? 'key' : 'delta'
    await source.add(new EncodedPacket(data, type, index / framesPerSecond, 1 / framesPerSecond), { decoderConfig })
    await yieldToEventLoop()
  }
  await output.finalize()
  await rename(`${file}.part`, file)
}

/** @returns the picture in whole macroblocks; @throws Error with the reason the task fails for */
async function drawPicture(request: FilmRequest, name: string): Promise<Picture> {
  const { imageUrl } = request
  const scale = (pixels: number): number => Math.round((pixels * Math.min(request.width, request.height)) / 720)
  const [width, height] = [wholeBlocks(request.width), wholeBlocks(request.height)]
  const [margin, gap] = [scale(44), scale(16)]
  const scene = { width, height: Math.round(request.height * 0.62) }
  const page = { width: request.width - 2 * margin, height: request.height - margin - scene.height - 2 * gap }
  const input = await texts(request, page.width, scale)
    .resize({ ...page, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const background = imageUrl ? await fetchImage(imageUrl) : sharp(Buffer.from(hills(name, scene)))
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
      throw imageUrl ? new Error('its start image cannot be read', { cause: error }) : error
    })
  return { data, width, height }
}

/** @returns the upright image; @throws Error with the reason the task fails for */
async function fetchImage(url: string): Promise<Sharp> {
  const response = await fetch(url, { signal: AbortSignal.timeout(IMAGE_TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error('the address of its start image does not answer', { cause: error })
  })
  if (!response.ok) throw new Error(`the address of its start image answers ${response.status}`)
  return sharp(await response.arrayBuffer(), { limitInputPixels: IMAGE_PIXELS_MAX }).rotate()
}

/** An SVG of ridges below a low sun. By the seed's hash each film looks different, and always the same. */
function hills(seed: string, { width, height }: Size): string {
  const random = [...createHash('sha256').update(seed).digest()]
  const paths = ridges.map((colour, depth) => {
    const tops = random.slice(7 * depth, 7 * depth + 7).map((byte, n) => `${n * 300},${370 + 64 * depth + byte / 3}`)
    return `<path fill="${colour}" d="M0,640 L${tops.join(' ')} V640Z"/>`
  })
  const [hue = 0, sunX = 0, sunY = 0] = random.slice(28)
  const sun = (radius: number): string => `<circle cx="${700 + 1.5 * sunX}" cy="${190 + sunY / 3}" r="${radius}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    viewBox="0 0 1800 640" preserveAspectRatio="xMidYMid slice">
    <rect width="100%" height="100%" fill="hsl(${1.4 * hue}, 24%, 26%)"/>
    <g fill="${tungsten}"><g opacity="0.08">${sun(330)}</g><g opacity="0.12">${sun(215)}</g>${sun(125)}</g>
    ${paths.join('')}</svg>`
}

/**
 * The prompt, wrapped to `width`, above the facts, on transparent ground. The font is part of the package, so that a
 * machine without fonts renders the same film; a script that neither the font nor the machine knows shows as numbered
 * boxes.
 */
function texts(request: FilmRequest, width: number, scale: (pixels: number) => number): Sharp {
  const { prompt, model, durationS, quality, aspectRatio, imageUrl } = request
  const short = prompt.length > PROMPT_CHARACTERS_MAX ? `${prompt.slice(0, PROMPT_CHARACTERS_MAX)}…` : prompt
  const facts = [model, `${durationS} s`, quality, aspectRatio, `${imageUrl ? 'image' : 'text'} to video`].join(' · ')
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
