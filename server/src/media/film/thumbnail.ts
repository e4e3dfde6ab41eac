/**
 * Decodes one frame of a film and encodes it as JPEG. The decoded frame, not the container, determines the film's size.
 * It runs in the child process only: the decoder is native code that processes untrusted bytes.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import sharp from 'sharp'
import { MediaRefused } from '../refusal.ts'
import { checkFrameSize, type FilmLimits } from './film.ts'
import { type ColorSpace, framePlanes, toRgb } from './rgb.ts'

type Thumbnail = { jpeg: Buffer; width: number; height: number }

const LONGER_SIDE_PIXELS = 640
const JPEG_QUALITY = 80
/** Frames decoded from the key frame towards the target time; the thumbnail is the last of them. */
const FRAMES_MAX = 30

export const undecodable = () => new MediaRefused('UNDECODABLE', 'The film is damaged: its picture cannot be decoded.')

/**
 * @returns the thumbnail, and the film's width and height after rotation
 * @throws MediaRefused TOO_LARGE_PICTURE or UNDECODABLE
 */
export async function makeThumbnail(
  track: InputVideoTrack,
  durationS: number,
  limits: FilmLimits,
): Promise<{ thumbnail: Thumbnail; width: number; height: number }> {
  const frame = await decodeFrame(track, durationS * 0.1, limits)
  const { codedWidth: width, codedHeight: height } = frame
  const thumbnail = await jpegOf(track, frame)
  frame.close()
  const isQuarterTurn = [90, 270].includes(await track.getRotation())
  return { thumbnail, width: isQuarterTurn ? height : width, height: isQuarterTurn ? width : height }
}

/** The frame upright and small. */
export async function jpegOf(track: InputVideoTrack, frame: VideoFrame): Promise<Thumbnail> {
  const { codedWidth: width, codedHeight: height } = frame
  const planes = await framePlanes(frame)
  const scale = Math.min(1, LONGER_SIDE_PIXELS / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const rgb = await toRgb(planes, size, await colorsOf(track, height))
  const { data: jpeg, info } = await sharp(rgb, { raw: { ...size, channels: 3 } })
    .rotate(await track.getRotation())
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { jpeg, width: info.width, height: info.height }
}

/** @returns a frame near that time, which the caller closes; @throws MediaRefused TOO_LARGE_PICTURE or UNDECODABLE */
export async function decodeFrame(track: InputVideoTrack, targetS: number, limits: FilmLimits): Promise<VideoFrame> {
  const config = await decoderConfigOf(track)
  let latest: VideoFrame | null = null
  let refusal: unknown = null
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close()
      latest = frame
      try {
        checkFrameSize(frame.codedWidth, frame.codedHeight, limits)
      } catch (error) {
        refusal ??= error
      }
    },
    error: () => {
      refusal ??= undecodable()
    },
  })
  decoder.configure(config)
  for await (const packet of packetsTo(track, targetS)) {
    if (refusal !== null) break
    const { type, data, microsecondTimestamp, microsecondDuration } = packet
    decoder.decode(
      new EncodedVideoChunk({ type, data, timestamp: microsecondTimestamp, duration: microsecondDuration }),
    )
  }
  await decoder.flush()
  // node-webcodecs 1.3 sends frames and the end of a flush on two queues, and calls back from the first one tick later,
  // so the last frame can come up to two ticks of the event loop after the flush.
  for (let tick = 0; tick < 3; tick += 1) await yieldToEventLoop()
  if (refusal !== null) throw refusal
  if (latest === null) throw undecodable()
  return latest
}

export async function decoderConfigOf(track: InputVideoTrack) {
  const config = await track.getDecoderConfig()
  if (config === null) throw undecodable()
  return {
    // avc3/hev1 (parameter sets in the stream) decode like avc1/hvc1 (beside it); the decoder knows the latter names
    // only.
    codec: config.codec.replace(/^avc3/, 'avc1').replace(/^hev1/, 'hvc1'),
    ...(config.description && { description: config.description as Uint8Array }),
    // Otherwise the decoder buffers one frame a CPU core, up to sixteen: more memory on larger machines.
    optimizeForLatency: true,
  }
}

/** The packets from the last key frame before a time up to it, or from the first key frame. */
async function* packetsTo(track: InputVideoTrack, targetS: number) {
  const sink = new EncodedPacketSink(track)
  let packet = (await sink.getKeyPacket(targetS, { verifyKeyPackets: true })) ?? (await sink.getFirstKeyPacket())
  for (let frames = 0; packet !== null && frames < FRAMES_MAX; frames++) {
    yield packet
    if (packet.timestamp >= targetS) break
    packet = await sink.getNextPacket(packet)
  }
}

/** The film's colour space; where it names none, BT.709 from 720 lines on and BT.601 below, as is customary. */
async function colorsOf(track: InputVideoTrack, height: number): Promise<ColorSpace> {
  const { matrix, fullRange } = await track.getColorSpace()
  const fallback = height >= 720 ? 'bt709' : 'bt601'
  const named = matrix === 'bt709' ? 'bt709' : matrix === 'smpte170m' || matrix === 'bt470bg' ? 'bt601' : null
  return {
    matrix: named ?? ((matrix as string | null | undefined)?.startsWith('bt2020') ? 'bt2020' : fallback),
    fullRange: fullRange ?? false,
  }
}
