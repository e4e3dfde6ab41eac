/**
 * Whether a cut's pictures can be those of its takes as they are encoded: nothing of them changes, and each shot begins
 * with a key frame. It runs in the child process only.
 */
import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import type { Look } from './picture.ts'

type Size = { width: number; height: number }

/**
 * @param options.fromS where the shot begins in the track
 * @returns when the track shows the key frame with which the shot begins; null: a packet of the shot needs one that the
 *   shot does not have, or the pictures are of another rate
 */
export async function copyStart(
  video: InputVideoTrack,
  { fromS, fps, frames, isLast }: { fromS: number; fps: number; frames: number; isLast: boolean },
): Promise<number | null> {
  const sink = new EncodedPacketSink(video)
  const first = await sink.getPacket(fromS + 0.5 / fps)
  if (!first || (await video.determinePacketType(first)) !== 'key') return null
  const missing = new Set(Array.from({ length: frames }, (_, index) => index))
  let last: EncodedPacket | null = null
  for await (const packet of packetsFrom(video, first.timestamp)) {
    if (missing.size === 0) break
    // One before the first, or after the last, or of another rate, or there twice.
    if (!missing.delete(indexOf(packet.timestamp - first.timestamp, fps))) return null
    last = packet
  }
  // A decoder may take two key frames after each other for one.
  return missing.size === 0 && (isLast || last?.type !== 'key') ? first.timestamp : null
}

/** The packets in the order of decoding. */
export async function* packetsFrom(video: InputVideoTrack, startS: number): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(video)
  const first = await sink.getPacket(startS)
  if (first) yield* sink.packets(first)
}

/** @returns the number of the picture at that time; -1: there is none at this rate */
export function indexOf(atS: number, fps: number): number {
  const index = Math.round(atS * fps)
  return Math.abs(atS * fps - index) < 0.1 ? index : -1
}

/** What must be the same of all takes; null: the pictures of this one change in any case. */
export async function encodingOf(video: InputVideoTrack, look: Look, size: Size): Promise<string | null> {
  const config = await video.getDecoderConfig()
  const isAsItIs = look.turn.rotation === 0 && !look.turn.flip && look.pixelAspect === 1
  const hasSize = config?.codedWidth === size.width && config.codedHeight === size.height
  if (!config?.description || !config.codec.startsWith('avc1.') || !isAsItIs || !hasSize) return null
  const description = Buffer.from(config.description as Uint8Array).toString('hex')
  return JSON.stringify([config.codec, description, config.colorSpace])
}
