/** Writes one film as H.264 in an MP4: its picture, and along its lower edge a progress bar that grows. */
import { rename } from 'node:fs/promises'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import type { FilmRequest } from './film-request.ts'
import { CODEC, encodeBar, encodeKeyFrame, parameterSets } from './h264.ts'
import { drawPicture } from './picture.ts'

/** The file appears at `path` only once it is complete. @throws Error with the reason the task fails for */
export async function renderFilm(request: FilmRequest, path: string, framesPerSecond: number): Promise<void> {
  const picture = await drawPicture(request)
  const frames = Math.max(1, Math.round(request.durationS * framesPerSecond))
  const source = new EncodedVideoPacketSource('avc')
  // The index (`moov`) precedes the pictures.
  const format = new Mp4OutputFormat({ fastStart: 'in-memory' })
  const output = new Output({ format, target: new FilePathTarget(`${path}.part`) })
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
  await rename(`${path}.part`, path)
}
