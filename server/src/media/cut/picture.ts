/**
 * Makes each picture of a take one of the cut: upright, of its size, in its colours. Runs in the child process only.
 */
import type { InputVideoTrack } from 'mediabunny'
import type { VideoFrame } from 'node-webcodecs'
import { type ColorSpace, framePlanes, lumaWeights, type Plane, resize } from '../film/rgb.ts'
import { colorsOf } from '../film/thumbnail.ts'
import { MediaRefused } from '../refusal.ts'

type Size = { width: number; height: number }
type Turn = { rotation: number; flip: boolean }
/** How a take's pictures are shown. `pixelAspect`: width of a pixel by its height. */
export type Look = { turn: Turn; colors: ColorSpace; pixelAspect: number }
export type Target = Size & { fit: 'fit' | 'crop'; matrix: ColorSpace['matrix'] }

/** Black of a limited range, and no colour. */
const BLACK = 16
const GREY = 128
/** A panorama that fills a portrait would be scaled to hundreds of millions of pixels. */
const SCALED_TIMES_MAX = 16

/** @throws MediaRefused HIGH_DYNAMIC_RANGE */
export async function lookOf(video: InputVideoTrack): Promise<Look> {
  const { transfer } = await video.getColorSpace()
  if (['pq', 'hlg'].includes(String(transfer))) {
    throw new MediaRefused('HIGH_DYNAMIC_RANGE', 'The film has high dynamic range (HDR), which a cut does not have.')
  }
  const [width, height] = [await video.getCodedWidth(), await video.getCodedHeight()]
  const pixelAspect = ((await video.getSquarePixelWidth()) / width) * (height / (await video.getSquarePixelHeight()))
  const turn = { rotation: await video.getRotation(), flip: await video.getFlip() }
  return { turn, pixelAspect, colors: await colorsOf(video, height) }
}

/** @returns the three planes of the picture, 4:2:0, one behind the other */
export async function pictureOf(frame: VideoFrame, look: Look, target: Target): Promise<Buffer> {
  const [luma, blue, red] = await framePlanes(frame)
  const place = placeOf({ width: frame.codedWidth, height: frame.codedHeight }, look, target)
  const halves = { place: halved(place), canvas: halved(target) }
  const black = look.colors.fullRange ? 0 : BLACK
  const painted: [Uint8Array, Uint8Array, Uint8Array] = await Promise.all([
    paint(luma, place, target, { turn: look.turn, ground: black }),
    paint(blue, halves.place, halves.canvas, { turn: look.turn, ground: GREY }),
    paint(red, halves.place, halves.canvas, { turn: look.turn, ground: GREY }),
  ])
  recolor(painted, look.colors, target)
  return Buffer.concat(painted)
}

/** Where the scaled picture lies on the canvas; outside of it on both sides where it is cropped. */
type Place = Size & { left: number; top: number }

/** @throws MediaRefused TOO_LARGE_PICTURE for a picture so narrow that it cannot fill the canvas */
function placeOf(coded: Size, { turn, pixelAspect }: Look, target: Target): Place {
  const shown = { width: coded.width * pixelAspect, height: coded.height }
  const { width, height } = turn.rotation % 180 === 0 ? shown : { width: shown.height, height: shown.width }
  const scales = [target.width / width, target.height / height]
  const scale = target.fit === 'fit' ? Math.min(...scales) : Math.max(...scales)
  // A difference of a few pixels, as between 1366×768 and 1280×720, is no bar.
  const side = (length: number, whole: number) =>
    Math.abs(length * scale - whole) < 4 ? whole : Math.max(2, Math.round((length * scale) / 2) * 2)
  const size = { width: side(width, target.width), height: side(height, target.height) }
  if (size.width * size.height > SCALED_TIMES_MAX * target.width * target.height) {
    throw new MediaRefused('TOO_LARGE_PICTURE', 'The picture is too narrow to fill that of the cut.')
  }
  const even = (length: number) => Math.floor(length / 4) * 2
  return { ...size, left: even(target.width - size.width), top: even(target.height - size.height) }
}

const halved = <Sides extends Size & Partial<Place>>(sides: Sides) => ({
  width: sides.width / 2,
  height: sides.height / 2,
  left: (sides.left ?? 0) / 2,
  top: (sides.top ?? 0) / 2,
})

async function paint(
  plane: Plane,
  place: Place,
  canvas: Size,
  { turn, ground }: { turn: Turn; ground: number },
): Promise<Uint8Array> {
  const isAsItIs = turn.rotation === 0 && !turn.flip && plane.width === place.width && plane.height === place.height
  const scaled = isAsItIs ? plane.samples : await resize(plane, place, turn)
  if (place.width === canvas.width && place.height === canvas.height) return scaled
  const painted = new Uint8Array(canvas.width * canvas.height).fill(ground)
  const left = Math.max(0, place.left)
  const width = Math.min(canvas.width, place.left + place.width) - left
  for (let y = Math.max(0, place.top); y < Math.min(canvas.height, place.top + place.height); y += 1) {
    const from = (y - place.top) * place.width + left - place.left
    painted.set(scaled.subarray(from, from + width), y * canvas.width + left)
  }
  return painted
}

/** Changes the planes in place to the matrix of the cut, and to a limited range. */
function recolor(planes: [Uint8Array, Uint8Array, Uint8Array], from: ColorSpace, { width, matrix }: Target) {
  if (from.matrix === matrix && !from.fullRange) return
  const [luma, blue, red] = planes
  const { lumaGain, lumaOf, blueOf, redOf } = conversion(from, matrix)
  const offset = from.fullRange ? 0 : BLACK
  for (let at = 0; at < blue.length; at += 1) {
    const b = (blue[at] ?? GREY) - GREY
    const r = (red[at] ?? GREY) - GREY
    blue[at] = clamp(GREY + b * blueOf[0] + r * blueOf[1])
    red[at] = clamp(GREY + b * redOf[0] + r * redOf[1])
    const shift = BLACK - offset * lumaGain + b * lumaOf[0] + r * lumaOf[1]
    const half = width / 2
    const first = 2 * ((at - (at % half)) * 2 + (at % half))
    for (const each of [first, first + width]) {
      luma[each] = clamp((luma[each] ?? 0) * lumaGain + shift)
      luma[each + 1] = clamp((luma[each + 1] ?? 0) * lumaGain + shift)
    }
  }
}

/** What blue and red difference add to each plane, in its own scale (ITU-T H.273, 8.3). */
function conversion({ matrix: from, fullRange }: ColorSpace, to: ColorSpace['matrix']) {
  const [lumaScale, colorScale] = fullRange ? [1 / 255, 1 / 255] : [1 / 219, 1 / 224]
  const [fromRed, fromBlue] = lumaWeights[from]
  const [toRed, toBlue] = lumaWeights[to]
  const columnOf = (b: number, r: number) => {
    const [red, blue] = [2 * (1 - fromRed) * r, 2 * (1 - fromBlue) * b]
    const green = -(fromRed * red + fromBlue * blue) / (1 - fromRed - fromBlue)
    const y = toRed * red + toBlue * blue + (1 - toRed - toBlue) * green
    return { y, b: (blue - y) / (2 * (1 - toBlue)), r: (red - y) / (2 * (1 - toRed)) }
  }
  const [ofBlue, ofRed] = [columnOf(colorScale, 0), columnOf(0, colorScale)]
  return {
    lumaGain: 219 * lumaScale,
    lumaOf: [219 * ofBlue.y, 219 * ofRed.y] as const,
    blueOf: [224 * ofBlue.b, 224 * ofRed.b] as const,
    redOf: [224 * ofBlue.r, 224 * ofRed.r] as const,
  }
}

const clamp = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value))
