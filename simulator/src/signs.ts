/**
 * A sign for each input: its role and number, what was measured, and its content. Of an image that is a small picture,
 * of a film or a sound stripes in the colours of its hash, because no decoder is needed for them.
 */
import sharp, { type OverlayOptions } from 'sharp'
import type { Arrived } from './arrived.ts'
import type { Size } from './h264.ts'
import { grey, ink, paper, texts } from './text.ts'

export type Place = Size & { left: number; top: number }

const STRIPES = 8
/** A sign is as high as three quarters of its width, and the words below its content are as high as the rest. */
const CONTENT = 9 / 16
const SIGN = 3 / 4

/** Where the content of each sign is in a scene: in rows from the upper left, as large as all fit, up to a fifth. */
export function placesIn(scene: Size, count: number): Place[] {
  const gap = Math.round(Math.min(scene.width, scene.height) / 30)
  const columnsAt = (width: number): number => Math.max(1, Math.floor((scene.width - gap) / (width + gap)))
  const isFitting = (width: number): boolean =>
    Math.ceil(count / columnsAt(width)) * (Math.round(width * SIGN) + gap) + gap <= scene.height
  let width = Math.round(Math.min(scene.width, scene.height * 1.6) / 5)
  while (width > 16 && !isFitting(width)) width--
  const columns = columnsAt(width)
  return Array.from({ length: count }, (_, index) => ({
    left: gap + (index % columns) * (width + gap),
    top: gap + Math.floor(index / columns) * (Math.round(width * SIGN) + gap),
    width,
    height: Math.round(width * CONTENT),
  }))
}

/** The colours of the stripes of a film or a sound, from left to right: three bytes each. */
export const stripesOf = (sha256: string): Buffer => Buffer.from(sha256, 'hex').subarray(0, 3 * STRIPES)

export async function drawSigns(inputs: readonly Arrived[], scene: Size): Promise<OverlayOptions[]> {
  const places = placesIn(scene, inputs.length)
  const drawn = await Promise.all(places.map((place, index) => drawSign(inputs[index] as Arrived, place)))
  return drawn.flat()
}

async function drawSign(input: Arrived, { left, top, width, height }: Place): Promise<OverlayOptions[]> {
  const border = Math.max(2, Math.round(width / 60))
  const whole = { width: width + 2 * border, height: Math.round(width * SIGN) + 2 * border }
  const ground = { create: { ...whole, channels: 3 as const, background: ink } }
  const size = Math.max(8, Math.round(width / 12))
  const lines = [
    { text: input.name, sizePx: size, colour: paper },
    { text: measuredOf(input), sizePx: size, colour: grey },
  ]
  const room = { width: width - 2 * border, height: Math.round(width * (SIGN - CONTENT)) - border }
  const words = await texts(lines, room.width, 1)
    .resize({ ...room, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const content = await contentOf(input)
    .resize(width, height, { fit: input.picture ? 'cover' : 'fill', kernel: input.picture ? 'lanczos3' : 'nearest' })
    .flatten({ background: ink })
    .png()
    .toBuffer()
  return [
    { input: ground, left: left - border, top: top - border },
    { input: content, left, top },
    { input: words, left: left + border, top: top + height + border },
  ]
}

function contentOf({ picture, sha256 }: Arrived) {
  if (picture) return sharp(picture.data, { raw: picture.info })
  return sharp(stripesOf(sha256), { raw: { width: STRIPES, height: 1, channels: 3 } })
}

function measuredOf({ width, height, seconds }: Arrived): string {
  const length = seconds === null ? [] : [`${Math.round(seconds * 100) / 100} s`]
  const sides = width === null ? [] : [`${width}×${height}`]
  return [...length, ...sides].join(' · ')
}
