/**
 * Reads the facts of a film from its container. It runs in the child process only: a hostile index can make a demuxer
 * exhaust the memory or loop without end, and the server could not interrupt it.
 */
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputTrack,
  type InputVideoTrack,
  MP4,
  QTFF,
  UnsupportedInputFormatError,
  WEBM,
} from 'mediabunny'
import { MediaRefused } from '../refusal.ts'
import { checkFrameSize, type Film, type FilmExtension, type FilmLimits, filmCodecs, filmContentTypes } from './film.ts'
import { checkStructure, type FilmBytes, truncated } from './structure.ts'

/** @throws MediaRefused */
export async function probeFilm(bytes: FilmBytes, limits: FilmLimits): Promise<{ film: Film; track: InputVideoTrack }> {
  checkStructure(bytes)
  // No other formats: playlist formats would open further files by name.
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: sourceOf(bytes) })
  try {
    return await readFacts(input, bytes.sizeBytes, limits)
  } catch (error) {
    if (error instanceof MediaRefused) throw error
    if (error instanceof UnsupportedInputFormatError) {
      throw new MediaRefused('NOT_A_VIDEO', 'The file is not an MP4, WebM or QuickTime film.')
    }
    throw new MediaRefused('UNDECODABLE', 'The film is damaged: its index cannot be read.')
  }
}

async function readFacts(input: Input, sizeBytes: number, limits: FilmLimits) {
  const track = await input.getPrimaryVideoTrack()
  if (track === null) throw new MediaRefused('NO_VIDEO_TRACK', 'The file has no moving picture in it.')
  const trackCodec = await track.getCodec()
  const codec = filmCodecs.find((known) => known === trackCodec)
  if (codec === undefined)
    throw new MediaRefused('UNSUPPORTED_CODEC', 'The film uses a video codec that is not supported.')
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()]
  // The container's claim refuses an oversized film without decoding it; the decoded frame is checked as well.
  checkFrameSize(width, height, limits)
  const durationS = await endOf(await input.getTracks())
  if (durationS > limits.durationMaxS) {
    throw new MediaRefused('TOO_LONG', `The film is too long: ${Math.round(durationS)} seconds.`)
  }
  const format = await input.getFormat()
  const extension: FilmExtension = format === WEBM ? 'webm' : format === QTFF ? 'mov' : 'mp4'
  return {
    film: { durationS, width, height, codec, contentType: filmContentTypes[extension], extension, sizeBytes },
    track,
  }
}

/**
 * Seconds until the end of the last packet of pictures and sounds.
 *
 * The duration in the metadata is an unverified claim. The demuxer returns null for a last packet whose bytes lie
 * beyond the end of the file, which detects a film that is truncated although its index is complete.
 * @param options.isClaimed false: the demuxer guesses the duration by the size of the file
 * @throws MediaRefused TRUNCATED or UNDECODABLE
 */
export async function endOf(tracks: InputTrack[], { isClaimed = true } = {}): Promise<number> {
  let endS = 0
  let claimedS = 0
  for (const track of tracks) {
    if (!track.isVideoTrack() && !track.isAudioTrack()) continue
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)
    if (last === null) throw truncated()
    endS = Math.max(endS, last.timestamp + last.duration)
    if (isClaimed) claimedS = Math.max(claimedS, (await track.getDurationFromMetadata()) ?? 0)
  }
  if (!(endS > 0)) throw new MediaRefused('UNDECODABLE', 'The file is damaged: it has no length.')
  // A fragmented film that lost its last fragments is well-formed to the last byte; only its claimed duration shows it.
  if (claimedS > endS * 1.1 + 1) throw truncated()
  // WebM has no duration for its last packet, so the claimed duration is more accurate there.
  return Math.max(endS, claimedS)
}

export function sourceOf(bytes: FilmBytes) {
  return new CustomSource({
    getSize: () => bytes.sizeBytes,
    read: (start, end) => bytes.read(start, end - start),
    prefetchProfile: 'fileSystem',
  })
}
