/**
 * Decodes one frame of a film and encodes it as JPEG. The decoded frame, not the container, determines the film's size.
 * It runs in the child process only: the decoder is native code that processes untrusted bytes.
 */
import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import type { VideoFrame } from 'node-webcodecs'
import { sharp } from '../sharp.ts'
import { openDecoder, undecodable } from './decoder.ts'
import type { FilmLimits } from './film.ts'
import { type ColorSpace, framePlanes, toRgb } from './rgb.ts'

type Thumbnail = { jpeg: Buffer; width: number; height: number }

const LONGER_SIDE_PIXELS = 640
const JPEG_QUALITY = 80
/** Frames decoded from the key frame towards the target time; the thumbnail is the last of them. */
const FRAMES_MAX = 30

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
  const decoder = await openDecoder(track, limits)
  try {
    for await (const packet of packetsTo(track, targetS)) decoder.decode(packet)
    await decoder.flush()
    const frame = decoder.latest()
    if (frame === null) throw undecodable()
    return frame
  } finally {
    decoder.close()
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
export async function colorsOf(track: InputVideoTrack, height: number): Promise<ColorSpace> {
  const { matrix, fullRange } = await track.getColorSpace()
  const fallback = height >= 720 ? 'bt709' : 'bt601'
  const named = matrix === 'bt709' ? 'bt709' : matrix === 'smpte170m' || matrix === 'bt470bg' ? 'bt601' : null
  return {
    matrix: named ?? ((matrix as string | null | undefined)?.startsWith('bt2020') ? 'bt2020' : fallback),
    fullRange: fullRange ?? false,
  }
}
