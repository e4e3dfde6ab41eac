/** Turns each picture of a film upright, and encodes it as H.264. It runs in the child process only. */
import { EncodedPacket, type EncodedVideoPacketSource, type InputVideoTrack } from 'mediabunny'
import { VideoFrame } from 'node-webcodecs'
import { undecodable } from '../film/decoder.ts'
import { openVideoEncoder } from '../film/encoder.ts'
import type { FilmLimits } from '../film/film.ts'
import { picturesOf, type Time, timesOf } from '../film/pictures.ts'
import { framePlanes, resize } from '../film/rgb.ts'

type Size = { width: number; height: number }

/** Twice what cameras' H.264 has, as this encoder compresses less. */
const BITS_A_PIXEL = 0.15
const KEY_FRAME_EVERY_S = 2

/**
 * @param options.size even sides of the upright film
 * @param options.startS what is shown at this time comes first
 */
export async function encodeUpright(
  video: InputVideoTrack,
  source: EncodedVideoPacketSource,
  { size, startS, limits }: { size: Size; startS: number; limits: FilmLimits },
): Promise<void> {
  const times = await timesOf(video)
  const rate = times.length / ((times.at(-1)?.endS ?? 0) - startS || 1)
  const turn = { ...size, rotation: await video.getRotation(), flip: await video.getFlip() }
  const bitsPerSecond = size.width * size.height * rate * BITS_A_PIXEL
  const encoder = openVideoEncoder({ ...size, rate, bitsPerSecond, colorSpace: await video.getColorSpace() })
  const encoding: Time[] = []
  let keyFrameAtS = Number.NEGATIVE_INFINITY
  const drain = async () => {
    for (const { data, type, decoderConfig } of encoder.take()) {
      const { atS, endS } = encoding.shift() ?? { atS: keyFrameAtS, endS: keyFrameAtS }
      await source.add(new EncodedPacket(data, type, atS, endS - atS), { decoderConfig })
    }
  }
  for await (const { frame, ...shown } of picturesOf(video, limits)) {
    const time = { atS: shown.atS - startS, endS: shown.endS - startS }
    if (time.atS < 0) continue
    const keyFrame = time.atS >= keyFrameAtS + KEY_FRAME_EVERY_S
    if (keyFrame) keyFrameAtS = time.atS
    encoding.push(time)
    encoder.encode(await turned(frame, time.atS, turn), keyFrame)
    await drain()
  }
  await encoder.flush()
  await drain()
  if (keyFrameAtS < 0) throw undecodable()
  encoder.close()
  source.close()
}

async function turned(
  frame: VideoFrame,
  atS: number,
  { width, height, ...turn }: Size & { rotation: number; flip: boolean },
): Promise<VideoFrame> {
  const planes = await framePlanes(frame)
  const half = { width: width / 2, height: height / 2 }
  const parts = await Promise.all(
    planes.map((plane, index) => resize(plane, index === 0 ? { width, height } : half, turn)),
  )
  return new VideoFrame(Buffer.concat(parts), {
    format: 'I420',
    codedWidth: width,
    codedHeight: height,
    timestamp: Math.round(atS * 1e6),
    colorSpace: frame.colorSpace,
  })
}
