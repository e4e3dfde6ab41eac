/**
 * Makes one film: paints it frame by frame, encodes H.264 and writes an MP4 whose index stands first. Runs in the
 * renderer's process, see render.ts. Memory stays bounded because no more than a few frames wait for the encoder.
 */
import { rename } from 'node:fs/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import { VideoEncoder, VideoFrame } from 'node-webcodecs'
import sharp from 'sharp'
import { composePicture, type FilmOrder, type StartImage } from './picture.ts'

const FRAMES_WAITING_MAX = 6
/** The encoder leaves faint trails of what moves over dark grounds, and a key frame wipes them. */
const KEY_FRAMES_PER_SECOND = 2
const BITS_PER_PIXEL_AND_SECOND = 3.5
const IMAGE_TIMEOUT_MS = 5_000
const IMAGE_BYTES_MAX = 20 * 1024 * 1024
const IMAGE_PIXELS_MAX = 64_000_000
const IMAGE_SIDE_MAX = 4096

const shortSides: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '4k': 2160 }
const ratios: Record<string, readonly [number, number]> = {
  '16:9': [16, 9],
  '9:16': [9, 16],
  '1:1': [1, 1],
  '4:3': [4, 3],
  '3:4': [3, 4],
  '21:9': [21, 9],
}
/** The encoder (OpenH264) takes no more; of everything on offer only 21:9 in 4k is larger. */
const PIXELS_MAX = 9_437_184

const colour = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const

/** Width and height in pixels, both even; null when nothing of that name is on offer. The quality names the short side. */
export function filmSize(aspectRatio: string, quality: string): { width: number; height: number } | null {
  const short = shortSides[quality]
  const ratio = ratios[aspectRatio]
  if (!short || !ratio) return null
  const [across, down] = ratio
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  if (long * short > PIXELS_MAX) return null
  return across >= down ? { width: long, height: short } : { width: short, height: long }
}

/** @returns what went into it; the file appears at `path` only once it is whole */
export async function makeFilm(
  order: FilmOrder,
  path: string,
  framesPerSecond: number,
): Promise<{ frames: number; image: boolean }> {
  const size = filmSize(order.aspectRatio, order.quality)
  if (!size) throw new Error(`There is no ${order.quality} film in ${order.aspectRatio}.`)
  const frames = Math.max(1, Math.round(order.durationS * framesPerSecond))
  const image = order.imageUrl ? await fetchImage(order.imageUrl) : null
  const { canvas, paint } = await composePicture(order, size.width, size.height, frames, image)

  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(`${path}.part`),
  })
  const track = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(track, { frameRate: framesPerSecond })
  await output.start()
  await encodeFrames(size, frames, framesPerSecond, track, (index) => {
    paint(index)
    return canvas.data
  })
  await output.finalize()
  await rename(`${path}.part`, path)
  return { frames, image: image !== null }
}

async function encodeFrames(
  size: { width: number; height: number },
  frames: number,
  framesPerSecond: number,
  track: EncodedVideoPacketSource,
  pixelsOf: (index: number) => Uint8Array,
): Promise<void> {
  const bitrate = Math.round(size.width * size.height * BITS_PER_PIXEL_AND_SECOND)
  let failure: Error | null = null
  let encoded = 0
  let written: Promise<void> = Promise.resolve()
  let wake = (): void => {}
  const encoder = new VideoEncoder({
    error: (error) => {
      failure = error
      wake()
    },
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const packet = new EncodedPacket(data, chunk.type, encoded / framesPerSecond, 1 / framesPerSecond)
      // The library's own metadata type differs from the browser's in what it leaves open; only these parts are read.
      const config = metadata?.decoderConfig
      const meta = config && { decoderConfig: { ...config, colorSpace: colour } }
      written = written.then(() => track.add(packet, meta as EncodedVideoChunkMetadata | undefined))
      encoded++
      wake()
    },
  })
  encoder.configure({
    codec: 'avc1.42e033',
    width: size.width,
    height: size.height,
    bitrate,
    framerate: framesPerSecond,
    latencyMode: 'realtime',
    hardwareAcceleration: 'prefer-software',
    avc: { format: 'avc' },
    colorSpace: colour,
  })
  const keyFrameEvery = Math.max(1, Math.round(framesPerSecond / KEY_FRAMES_PER_SECOND))
  for (let index = 0; index < frames; index++) {
    const pixels = pixelsOf(index)
    const timestamp = Math.round((index * 1e6) / framesPerSecond)
    const frame = new VideoFrame(pixels, {
      format: 'I420',
      codedWidth: size.width,
      codedHeight: size.height,
      timestamp,
      colorSpace: colour,
    })
    encoder.encode(frame, { keyFrame: index % keyFrameEvery === 0 })
    frame.close()
    while (index - encoded >= FRAMES_WAITING_MAX && !failure) await new Promise<void>((resolve) => (wake = resolve))
    if (failure) throw failure
  }
  await encoder.flush()
  await written
  encoder.close()
  if (failure) throw failure
  if (encoded !== frames) throw new Error(`The encoder returned ${encoded} of ${frames} frames.`)
}

/** @throws Error that says why the film cannot begin with this image, as a provider would */
async function fetchImage(url: string): Promise<StartImage> {
  const response = await fetch(url, { signal: AbortSignal.timeout(IMAGE_TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error('the address of its start image does not answer', { cause: error })
  })
  if (!response.ok || !response.body) throw new Error(`the address of its start image answers ${response.status}`)
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of response.body) {
    sizeBytes += part.byteLength
    if (sizeBytes > IMAGE_BYTES_MAX) throw new Error('its start image is too large')
    parts.push(part)
  }
  const { data, info } = await sharp(Buffer.concat(parts), { limitInputPixels: IMAGE_PIXELS_MAX })
    .rotate()
    .resize(IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#0e0f11' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw new Error('its start image cannot be read', { cause: error })
    })
  return { data, width: info.width, height: info.height }
}
