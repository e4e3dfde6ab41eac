/**
 * Draws the picture of a film and writes it as H.264 in an MP4. Above, hills at dusk, different for every film, or its
 * first image, and a sign for each input. Below, the prompt and its facts, and along the lower edge a progress bar.
 */
import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import sharp from 'sharp'
import { type Arrived, fetchInputs, leadOf } from './arrived.ts'
import { type FilmRequest, followed } from './film-request.ts'
import { CODEC, encodeBar, encodeKeyFrame, MACROBLOCK, type Picture, parameterSets, type Size } from './h264.ts'
import { drawSigns } from './signs.ts'
import { grey, ink, onInk, paper, texts } from './text.ts'

const tungsten = '#f2b03d'
const ridges = ['#353431', '#2a2927', '#1e1d1c', ink]
const PROMPT_CHARACTERS_MAX = 240
/** The part of the height that is above the words. */
const SCENE = 0.62

/** @throws Error with the reason the task fails for */
export async function arrivedFor(request: FilmRequest): Promise<{ request: FilmRequest; arrived: Arrived[] }> {
  const arrived = await fetchInputs(request.inputs)
  return { request: followed(request, arrived), arrived }
}

/** The file appears at `file` only once it is complete. */
export async function renderFilm(
  request: FilmRequest,
  arrived: readonly Arrived[],
  file: string,
  framesPerSecond: number,
): Promise<void> {
  const picture = await drawPicture(request, arrived, path.basename(file))
  const frames = Math.max(1, Math.ceil(request.durationS * framesPerSecond - 1e-6))
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
    const [startS, endS] = [index / framesPerSecond, (index + 1) / framesPerSecond]
    // A length that is no number of frames ends within the last one.
    const durationS = index === frames - 1 ? request.durationS - startS : endS - startS
    await source.add(new EncodedPacket(data, type, startS, durationS), { decoderConfig })
    await yieldToEventLoop()
  }
  await output.finalize()
  await rename(`${file}.part`, file)
}

export const sceneOf = ({ width, height }: Size): Size => ({
  width: wholeBlocks(width),
  height: Math.round(height * SCENE),
})

/** @returns the picture in whole macroblocks */
async function drawPicture(request: FilmRequest, arrived: readonly Arrived[], name: string): Promise<Picture> {
  const scale = (pixels: number): number => Math.round((pixels * Math.min(request.width, request.height)) / 720)
  const [width, height] = [wholeBlocks(request.width), wholeBlocks(request.height)]
  const [margin, gap] = [scale(44), scale(16)]
  const scene = sceneOf(request)
  const page = { width: request.width - 2 * margin, height: request.height - margin - scene.height - 2 * gap }
  const input = await texts(linesOf(request, scale), page.width, scale(10))
    .resize({ ...page, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const lead = leadOf(arrived)?.picture
  const background = lead ? sharp(lead.data, { raw: lead.info }) : sharp(Buffer.from(hills(name, scene)))
  const signs = await drawSigns(arrived, { ...scene, width: request.width })
  const data = await background
    .resize({ ...scene, fit: 'cover' })
    .flatten(onInk)
    .extend({ ...onInk, bottom: height - scene.height })
    .composite([{ input, left: margin, top: scene.height + gap }, ...signs])
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  return { data, width, height }
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

/** The prompt above the facts. */
function linesOf(
  { prompt, model, durationS, quality, aspectRatio, inputs }: FilmRequest,
  scale: (px: number) => number,
) {
  const short = prompt.length > PROMPT_CHARACTERS_MAX ? `${prompt.slice(0, PROMPT_CHARACTERS_MAX)}…` : prompt
  const from = [...new Set(inputs.map(({ kind }) => kind))].join(' and ') || 'text'
  const facts = [model, `${durationS} s`, quality, aspectRatio, `${from} to video`].join(' · ')
  return [
    { text: short, sizePx: scale(38), colour: paper },
    { text: facts, sizePx: scale(20), colour: grey },
  ]
}

const wholeBlocks = (pixels: number): number => Math.ceil(pixels / MACROBLOCK) * MACROBLOCK
