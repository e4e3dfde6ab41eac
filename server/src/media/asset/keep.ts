/**
 * Reads an uploaded film or sound, and writes what is kept of it: one picture and one sound, in a new container without
 * metadata (place and time of the recording, owner's name, covers). Pictures and sounds are copied as they are encoded;
 * only a film that its metadata rotates is encoded anew, because some vendors' decoders ignore the rotation. It runs in
 * the child process only.
 */
import {
  AudioSampleSink,
  Conversion,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MovOutputFormat,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  StreamTarget,
  WAVE,
  WavOutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { checkFrameSize, filmCodecs } from '../film/film.ts'
import { endOf, sourceOf } from '../film/probe.ts'
import { decodeFrame } from '../film/thumbnail.ts'
import type { JobFile, Sent } from '../job.ts'
import { MediaRefused } from '../refusal.ts'
import { type AssetExtension, type AssetJob, type KeptMedium, tooLarge } from './asset.ts'
import { checkFile, unknownFile } from './structure.ts'
import { encodeUpright } from './upright.ts'

type Tracks = { video: InputVideoTrack | null; audio: InputAudioTrack | null }
type Sides = { width: number; height: number }
/** How a medium is kept. `size`: of pictures that are turned upright; null: they are copied. */
type Kept = {
  extension: AssetExtension
  format: OutputFormat
  bytesMax: number
  size: Sides | null
  limits: AssetJob
} & Pieces
type Pieces = Pick<Sent, 'sendPiece'>
type Work = AssetJob & Pieces

/** Names of encrypted tracks in MP4: of common encryption, and of FairPlay. */
const PROTECTED = ['encv', 'enca', 'drmi', 'drms']
const HIGH_DYNAMIC_RANGES = ['pq', 'hlg']
const CHUNK_BYTES = 1024 * 1024

/** @throws MediaRefused */
export async function keepMedium(bytes: JobFile, limits: AssetJob): Promise<KeptMedium> {
  const job: Work = { ...limits, sendPiece: bytes.sendPiece }
  checkFile(bytes)
  const input = new Input({ formats: [MP4, QTFF, WEBM, WAVE, OGG, MP3], source: sourceOf(bytes) })
  const format = await input.getFormat().catch(() => null)
  if (format === null) throw unknownFile(bytes)
  const isSound = format === WAVE || format === OGG || format === MP3
  // Before the file is read to its end.
  checkSize(bytes.sizeBytes, isSound ? 'sound' : 'film', job)
  const { video, audio } = await tracksOf(input)
  if (video && !job.isSoundOnly) return await keepFilm(input, video, audio, job)
  if (!job.isSoundOnly) checkSize(bytes.sizeBytes, 'sound', job)
  return await keepSound(input, audio, job)
}

function checkSize(sizeBytes: number, kind: KeptMedium['kind'], job: AssetJob): void {
  const bytesMax = kind === 'film' ? job.filmBytesMax : job.soundBytesMax
  if (sizeBytes > bytesMax) throw tooLarge(kind, bytesMax)
}

/** The first picture and the first sound that have data, those of a known codec before others. */
async function tracksOf(input: Input): Promise<Tracks> {
  const tracks = { video: [] as InputVideoTrack[], audio: [] as InputAudioTrack[] }
  for (const track of await input.getTracks()) {
    if (PROTECTED.includes(String(await track.getInternalCodecId()))) {
      throw new MediaRefused('PROTECTED', 'The file is protected against copies; send one without protection.')
    }
    if ((await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) === null) continue
    if (track.isVideoTrack()) tracks.video.push(track)
    if (track.isAudioTrack()) tracks.audio.push(track)
  }
  return { video: await knownFirst(tracks.video), audio: await knownFirst(tracks.audio) }
}

async function knownFirst<T extends InputVideoTrack | InputAudioTrack>(tracks: T[]): Promise<T | null> {
  for (const track of tracks) if ((await track.getCodec()) !== null) return track
  return tracks[0] ?? null
}

async function keepFilm(input: Input, video: InputVideoTrack, audio: InputAudioTrack | null, job: Work) {
  const codec = await video.getCodec()
  if (!filmCodecs.some((known) => known === codec)) throw unknownCodec('The film', 'H.264')
  if (audio && (await audio.getCodec()) === null) throw unknownCodec("The film's sound", 'AAC')
  checkFrameSize(await video.getCodedWidth(), await video.getCodedHeight(), job)
  const durationS = await durationOf(input, audio ? [video, audio] : [video], 'film', job)
  const sides = await checkFrame(video, durationS, job)
  const isTurned = (await video.getRotation()) !== 0 || (await video.getFlip())
  if (isTurned) await checkCost(video, sides, job)
  const size = isTurned ? evenSides(sides) : null
  const { filmBytesMax: bytesMax, sendPiece } = job
  const kept = { ...(await filmFormat(input, audio, isTurned)), bytesMax, size, limits: job, sendPiece }
  await write(input, { video, audio }, kept)
  const { width, height } = size ?? sides
  return { kind: 'film' as const, extension: kept.extension, width, height, durationS, hasSound: audio !== null }
}

/** MP4 has no sound without compression that vendors' decoders read, so such a film stays QuickTime. */
async function filmFormat(input: Input, audio: InputAudioTrack | null, isTurned: boolean) {
  const isPcm = ((await audio?.getCodec()) ?? '').startsWith('pcm')
  if (isPcm) return { extension: 'mov' as const, format: new MovOutputFormat({ fastStart: false }) }
  const isWebm = (await input.getFormat()) === WEBM && !isTurned
  if (isWebm) return { extension: 'webm' as const, format: new WebMOutputFormat() }
  return { extension: 'mp4' as const, format: new Mp4OutputFormat({ fastStart: false }) }
}

async function keepSound(input: Input, audio: InputAudioTrack | null, job: Work): Promise<KeptMedium> {
  if (audio === null) {
    const message = job.isSoundOnly ? 'The film has no sound.' : 'The file has neither a picture nor a sound in it.'
    throw new MediaRefused('NO_SOUND', message)
  }
  const { soundBytesMax: bytesMax, sendPiece } = job
  const kept = { ...(await soundFormat(audio)), bytesMax, size: null, limits: job, sendPiece }
  const durationS = await durationOf(input, [audio], 'sound', job)
  await checkSound(audio)
  await write(input, { video: null, audio }, kept)
  return { kind: 'sound', extension: kept.extension, width: null, height: null, durationS, hasSound: true }
}

/** The file in which each codec is usual. */
async function soundFormat(audio: InputAudioTrack): Promise<{ extension: AssetExtension; format: OutputFormat }> {
  const codec = await audio.getCodec()
  if (codec === 'mp3') return { extension: 'mp3', format: new Mp3OutputFormat() }
  if (codec === 'aac') return { extension: 'm4a', format: new Mp4OutputFormat({ fastStart: false }) }
  if (codec === 'opus' || codec === 'vorbis') return { extension: 'ogg', format: new OggOutputFormat() }
  const format = new WavOutputFormat()
  if (codec !== null && format.getSupportedAudioCodecs().includes(codec)) return { extension: 'wav', format }
  throw unknownCodec('The sound', 'MP3, WAV or AAC')
}

const unknownCodec = (what: string, remedy: string) =>
  new MediaRefused('UNSUPPORTED_CODEC', `${what} uses a codec that is not supported; save it as ${remedy}.`)

async function durationOf(
  input: Input,
  tracks: (InputVideoTrack | InputAudioTrack)[],
  kind: KeptMedium['kind'],
  { durationMaxS }: AssetJob,
): Promise<number> {
  const isClaimed = (await input.getFormat()) !== MP3
  const durationS = (await endOf(tracks, { isClaimed })) - Math.max(0, await input.getFirstTimestamp(tracks))
  if (durationS <= durationMaxS) return durationS
  const most = `${Math.floor(durationMaxS)} are the most`
  throw new MediaRefused('TOO_LONG', `The ${kind} has ${Math.round(durationS)} seconds; ${most}.`)
}

/** Decodes a frame. @returns the sides of the film as it is displayed */
async function checkFrame(video: InputVideoTrack, durationS: number, job: AssetJob): Promise<Sides> {
  if (await video.canBeTransparent()) {
    throw new MediaRefused('TRANSPARENT', 'The film is transparent, which models do not see; save it on a background.')
  }
  const { transfer } = await video.getColorSpace()
  const frame = await decodeFrame(video, durationS * 0.1, job)
  const { codedWidth, codedHeight, colorSpace } = frame
  frame.close()
  if ([transfer, colorSpace.transfer].some((curve) => HIGH_DYNAMIC_RANGES.includes(String(curve)))) {
    const message = 'The film has high dynamic range (HDR), of which models see pale colors only; save it in SDR.'
    throw new MediaRefused('HIGH_DYNAMIC_RANGE', message)
  }
  // The frame, not the container, determines the size; the container alone says that pixels are not square.
  const width = Math.round((codedWidth * (await video.getSquarePixelWidth())) / (await video.getCodedWidth()))
  const height = Math.round((codedHeight * (await video.getSquarePixelHeight())) / (await video.getCodedHeight()))
  const isQuarterTurn = (await video.getRotation()) % 180 !== 0
  return isQuarterTurn ? { width: height, height: width } : { width, height }
}

/** Encoders take an even number of pixels only. */
const evenSides = ({ width, height }: Sides): Sides => ({
  width: Math.ceil(width / 2) * 2,
  height: Math.ceil(height / 2) * 2,
})

/** To turn a film takes the time of decoding and encoding each of its frames. */
async function checkCost(video: InputVideoTrack, sides: Sides, job: AssetJob) {
  const { packetCount } = await video.computePacketStats(undefined, { metadataOnly: true })
  if (packetCount * sides.width * sides.height <= job.rotatedPixelsMax) return
  const message = 'The film is rotated by its metadata and too long to be turned upright; cut it, or save it upright.'
  throw new MediaRefused('ROTATED', message)
}

/** Decodes the first second. */
async function checkSound(audio: InputAudioTrack): Promise<void> {
  for await (const sample of new AudioSampleSink(audio).samples(0, 1)) sample.close()
}

/** Sends the file to keep to the server, as it is made. */
async function write(input: Input, { video, audio }: Tracks, kept: Kept): Promise<void> {
  const { format, bytesMax, size, limits, sendPiece } = kept
  const kind = video ? 'film' : 'sound'
  const written = ({ data, position }: { data: Uint8Array; position: number }) => {
    if (position + data.length > bytesMax) throw tooLarge(kind, bytesMax)
    sendPiece(position, data)
  }
  const target = new StreamTarget(new WritableStream({ write: written }), { chunked: true, chunkSize: CHUNK_BYTES })
  const output = new Output({ format, target })
  const tracks = [video, audio].filter((track) => track !== null)
  const startS = Math.max(0, await input.getFirstTimestamp(tracks))
  const turned = video && size && { source: new EncodedVideoPacketSource('avc'), size, startS, limits }
  if (turned) output.addVideoTrack(turned.source)
  const copied = tracks.filter((track) => !(turned && track === video))
  const choose = ({ id }: InputTrack) => ({ discard: !copied.some((track) => track.id === id) })
  const copy = { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } as const
  const conversion = await Conversion.init({
    ...{ input, output, copy, composable: true, trim: { start: startS }, video: choose, audio: choose },
  })
  if (conversion.utilizedTracks.length < copied.length) throw unknownCodec(`The ${kind}`, video ? 'MP4' : 'MP3')
  await output.start()
  await Promise.all([conversion.execute(), turned && encodeUpright(video, turned.source, turned)])
  await output.finalize()
}
