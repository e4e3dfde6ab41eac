/** Renders one film as H.264 in an MP4. Runs in the render process. */
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
// Registers node-webcodecs as the encoder that mediabunny uses.
import 'node-webcodecs/mediabunny'
import { FilePathTarget, Mp4OutputFormat, Output, VideoSample, VideoSampleSource } from 'mediabunny'
import sharp from 'sharp'
import { type FilmRequest, filmSize } from './film-request.ts'
import { openPicture } from './picture.ts'

/** Twice a second: the encoder leaves faint trails behind what moves over dark ground, and a key frame wipes them. */
const KEY_FRAME_INTERVAL_S = 0.5
const BITS_PER_PIXEL_AND_SECOND = 3.5
/** An encoder that has failed sends no packet, and reports why when the output is finalized. */
const LAST_PACKET_TIMEOUT_MS = 20_000
const IMAGE_TIMEOUT_MS = 5_000
const IMAGE_PIXELS_MAX = 64_000_000
const IMAGE_SIDE_MAX = 4096

const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const

/** The file appears at `path` only once it is complete. */
export async function renderFilm(request: FilmRequest, path: string, framesPerSecond: number): Promise<void> {
  const size = filmSize(request.aspectRatio, request.quality)
  if (!size) throw new Error(`There is no ${request.quality} film in ${request.aspectRatio}.`)
  const frames = Math.max(1, Math.round(request.durationS * framesPerSecond))
  const startImage = request.imageUrl ? await fetchImage(request.imageUrl) : null
  const draw = await openPicture(request, size, frames, startImage)

  const { promise: allEncoded, resolve: markAllEncoded } = Promise.withResolvers<void>()
  let packets = 0
  const source = new VideoSampleSource({
    codec: 'avc',
    fullCodecString: 'avc1.42e033',
    bitrate: Math.round(size.width * size.height * BITS_PER_PIXEL_AND_SECOND),
    keyFrameInterval: KEY_FRAME_INTERVAL_S,
    latencyMode: 'realtime',
    hardwareAcceleration: 'prefer-software',
    onEncodedPacket: () => {
      packets += 1
      if (packets === frames) markAllEncoded()
    },
  })
  const output = new Output({
    // The index (`moov`) precedes the pictures.
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(`${path}.part`),
  })
  output.addVideoTrack(source, { frameRate: framesPerSecond })
  await output.start()
  for (let index = 0; index < frames; index++) {
    const sample = new VideoSample(draw(index), {
      format: 'I420',
      codedWidth: size.width,
      codedHeight: size.height,
      timestamp: index / framesPerSecond,
      duration: 1 / framesPerSecond,
      colorSpace,
    })
    // Resolves only when the encoder takes more, so that a few frames at most are in memory.
    await source.add(sample)
    sample.close()
  }
  // node-webcodecs 1.3 can report the end of a flush before the last packet, which would then be lost. In realtime mode the
  // encoder keeps no frame back, so the last packet needs no flush.
  await Promise.race([allEncoded, sleep(LAST_PACKET_TIMEOUT_MS, undefined, { ref: false })])
  await output.finalize()
  if (packets < frames) throw new Error(`The encoder returned ${packets} of ${frames} frames.`)
  await rename(`${path}.part`, path)
}

/** @returns the upright image as PNG; @throws Error with the reason the task fails for */
async function fetchImage(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(IMAGE_TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error('the address of its start image does not answer', { cause: error })
  })
  if (!response.ok) throw new Error(`the address of its start image answers ${response.status}`)
  return sharp(await response.arrayBuffer(), { limitInputPixels: IMAGE_PIXELS_MAX })
    .rotate()
    .resize(IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
    .catch((error: unknown) => {
      throw new Error('its start image cannot be read', { cause: error })
    })
}
