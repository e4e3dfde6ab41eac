/** Writes one film as H.264 in an MP4. */
import { rename } from 'node:fs/promises'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import sharp, { type Sharp } from 'sharp'
import { type FilmRequest, filmSize } from './film-request.ts'
import { CODEC, encodeFrame, parameterSets } from './h264.ts'
import { openPicture } from './picture.ts'

const IMAGE_TIMEOUT_MS = 5_000
const IMAGE_PIXELS_MAX = 64_000_000

/** The file appears at `path` only once it is complete. @throws Error with the reason the task fails for */
export async function renderFilm(request: FilmRequest, path: string, framesPerSecond: number): Promise<void> {
  const size = filmSize(request.aspectRatio, request.quality)
  if (!size) throw new Error(`There is no ${request.quality} film in ${request.aspectRatio}.`)
  const frames = Math.max(1, Math.round(request.durationS * framesPerSecond))
  const image = request.imageUrl ? await fetchImage(request.imageUrl) : null
  const { picture, advance } = await openPicture(request, size, image)

  const source = new EncodedVideoPacketSource('avc')
  // The index (`moov`) precedes the pictures.
  const format = new Mp4OutputFormat({ fastStart: 'in-memory' })
  const output = new Output({ format, target: new FilePathTarget(`${path}.part`) })
  output.addVideoTrack(source, { frameRate: framesPerSecond })
  await output.start()
  const metadata = { decoderConfig: { codec: CODEC, codedWidth: size.width, codedHeight: size.height } }
  for (let index = 0; index < frames; index++) {
    const frame = encodeFrame(index, picture, advance((index + 1) / frames))
    const data = index === 0 ? Buffer.concat([parameterSets(picture, size), frame]) : frame
    const type = index === 0 ? 'key' : 'delta'
    await source.add(new EncodedPacket(data, type, index / framesPerSecond, 1 / framesPerSecond), metadata)
    await yieldToEventLoop()
  }
  await output.finalize()
  await rename(`${path}.part`, path)
}

/** @returns the upright image; @throws Error with the reason the task fails for */
async function fetchImage(url: string): Promise<Sharp> {
  const response = await fetch(url, { signal: AbortSignal.timeout(IMAGE_TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error('the address of its start image does not answer', { cause: error })
  })
  if (!response.ok) throw new Error(`the address of its start image answers ${response.status}`)
  return sharp(await response.arrayBuffer(), { limitInputPixels: IMAGE_PIXELS_MAX }).rotate()
}
