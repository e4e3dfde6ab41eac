/**
 * Makes one film of a cut's shots, and sends it to the server as it is made. Every picture has its place in a constant
 * frame rate; shots follow each other without a gap. It runs in the child process only.
 */
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
} from 'mediabunny'
import { VideoFrame } from 'node-webcodecs'
import { undecodable } from '../film/decoder.ts'
import { openVideoEncoder } from '../film/encoder.ts'
import { picturesOf as decodedPictures } from '../film/pictures.ts'
import type { ColorSpace } from '../film/rgb.ts'
import type { FilmBytes } from '../film/structure.ts'
import type { Sent } from '../job.ts'
import { MediaRefused } from '../refusal.ts'
import { copyStart, encodingOf, indexOf, packetsFrom } from './copy.ts'
import { type CutJob, framesOf, type MadeCut } from './cut.ts'
import { lookOf, pictureOf, type Target } from './picture.ts'
import { joined, type Layer, mixed, openSoundWriter, packetsMax, sampleAt } from './sound.ts'
import { type Block, damagedSound, SAMPLE_RATE, stereoOf } from './stereo.ts'
import { openSound, openTake, type Take } from './take.ts'

/**
 * A shot as it was checked. `first`: the number of its first picture in the cut. `fromS`: its beginning in the tracks
 * of its take. `copiedFromS`: that of its key frame; null: its pictures change.
 */
type Shot = {
  number: number
  open: () => Promise<Take>
  first: number
  frames: number
  fromS: number
  hasSound: boolean
  matrix: ColorSpace['matrix']
  encoding: string | null
  copiedFromS: number | null
}
type VideoPacket = { packet: EncodedPacket; decoderConfig: VideoDecoderConfig | null; shot: Shot }
type Work = Job & { files: FilmBytes[] }
/** With the rate that it is made at. */
type Job = CutJob & { fps: number } & Sent

const CHUNK_BYTES = 1024 * 1024
/** This encoder compresses less than those of cameras and vendors. */
const BITS_A_PIXEL = 0.2
/** How far a shot may end behind its take: times are rounded to milliseconds, and some films end a picture early. */
const END_TOLERANCE_S = 0.05

/** @throws MediaRefused whose message names the shot */
export async function makeCut(files: FilmBytes[], job: Job): Promise<MadeCut> {
  const work: Work = { ...job, files }
  const shots = await checkShots(work)
  const frames = shots.reduce((sum, shot) => sum + shot.frames, 0)
  const copied = shots.every(({ encoding, copiedFromS }) => copiedFromS !== null && encoding === shots[0]?.encoding)
  const samples = sampleAt(frames, job.fps)
  const beside = await soundBeside(work, samples)
  const hasSound = beside !== null || shots.some((shot) => shot.hasSound)

  const format = new Mp4OutputFormat({ fastStart: 'reserve' })
  const output = new Output({ format, target: targetOf(work) })
  const video = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(video, { frameRate: job.fps, maximumPacketCount: frames })
  const audio = hasSound ? new EncodedAudioPacketSource('aac') : null
  if (audio) output.addAudioTrack(audio, { maximumPacketCount: packetsMax(samples) })
  await output.start()
  const films = { blocks: joined(soundOf(shots, job.fps)), gainAt: () => job.sound?.filmsVolume ?? 1 }
  const sound = audio && openSoundWriter(audio, mixed(beside ? [films, beside] : [films]), samples)
  const told = progressTo(work, frames)
  let written = 0
  for await (const { packet, decoderConfig, shot } of copied
    ? copiedPackets(shots, job)
    : encodedPackets(shots, work)) {
    await video.add(packet, decoderConfig ? { decoderConfig } : {})
    written += 1
    await sound?.writeTo(sampleAt(written, job.fps))
    told(written, shot)
  }
  video.close()
  await sound?.end()
  await output.finalize()
  return { width: job.width, height: job.height, fps: job.fps, durationS: frames / job.fps, hasSound, copied }
}

/** What is wrong with a take is known before the first picture is made. */
async function checkShots(work: Work): Promise<Shot[]> {
  const shots: Shot[] = []
  for (const [number, { file, inMs, outMs }] of work.shots.entries()) {
    work.sendProgress(0, number)
    const bytes = work.files[file]
    if (!bytes) throw new Error('A cut names a file that it does not have.')
    const open = () => openTake(bytes, work)
    const first = shots.reduce((sum, shot) => sum + shot.frames, 0)
    try {
      const take = await open()
      using _ = take.video.input
      shots.push(await checkShot(take, { number, open, first, inMs, outMs }, work))
    } catch (error) {
      throw ofPart(nameOf(number), error)
    }
  }
  return shots
}

const nameOf = (number: number): string => `Shot ${number + 1}`

/** Names what a file is at fault for. `damaged`: what is meant when it cannot be decoded. */
function ofPart(name: string, error: unknown, damaged = undecodable): MediaRefused {
  const { code, message } = error instanceof MediaRefused ? error : damaged()
  return new MediaRefused(code, `${name}: ${message}`)
}

/** What a consumer of the items throws is not theirs. */
async function* named<Item>(name: string, items: AsyncGenerator<Item>, damaged = undecodable): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw ofPart(name, error, damaged)
  }
}

async function checkShot(
  { video, audio, startS, endS }: Take,
  { inMs, outMs, ...place }: Pick<Shot, 'number' | 'open' | 'first'> & { inMs: number; outMs: number },
  { width, height, fps, shots }: Work,
): Promise<Shot> {
  if (startS + outMs / 1000 > endS + END_TOLERANCE_S) {
    throw new MediaRefused('TRUNCATED', `Its take ends after ${Math.floor((endS - startS) * 1000)} ms.`)
  }
  const look = await lookOf(video)
  const shown = { fromS: startS + inMs / 1000, frames: framesOf({ inMs, outMs }, fps) }
  const encoding = await encodingOf(video, look, { width, height })
  const isLast = place.number === shots.length - 1
  const copiedFromS = encoding === null ? null : await copyStart(video, { ...shown, fps, isLast })
  return { ...place, ...shown, hasSound: audio !== null, matrix: look.colors.matrix, encoding, copiedFromS }
}

async function* copiedPackets(shots: Shot[], { fps }: Job): AsyncGenerator<VideoPacket> {
  for (const shot of shots) {
    const { video } = await shot.open()
    using _ = video.input
    const decoderConfig = await video.getDecoderConfig()
    const startS = shot.copiedFromS ?? 0
    let frames = 0
    for await (const packet of packetsFrom(video, startS)) {
      const picture = shot.first + indexOf(packet.timestamp - startS, fps)
      yield { packet: packet.clone({ timestamp: picture / fps, duration: 1 / fps }), decoderConfig, shot }
      frames += 1
      if (frames === shot.frames) break
    }
  }
}

async function* encodedPackets(shots: Shot[], work: Work): AsyncGenerator<VideoPacket> {
  const { width, height, fps, fit } = work
  const matrix = shots[0]?.matrix === 'bt601' ? 'bt601' : 'bt709'
  const target: Target = { width, height, fit, matrix }
  const colorSpace = colorSpaces[matrix]
  const encoder = openVideoEncoder({
    ...{ width, height, rate: fps, colorSpace },
    bitsPerSecond: width * height * fps * BITS_A_PIXEL,
  })
  let packets = 0
  const ready = function* (shot: Shot) {
    for (const { data, type, decoderConfig } of encoder.take()) {
      yield { packet: new EncodedPacket(data, type, packets / fps, 1 / fps), decoderConfig, shot }
      packets += 1
    }
  }
  for (const shot of shots) {
    let picture = shot.first
    for await (const { pixels, repeats } of named(nameOf(shot.number), picturesOf(shot, target, work))) {
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        const timestamp = Math.round((picture * 1e6) / fps)
        const options = { format: 'I420', codedWidth: width, codedHeight: height, timestamp } as const
        encoder.encode(new VideoFrame(pixels, options), picture === shot.first)
        picture += 1
        yield* ready(shot)
      }
    }
  }
  await encoder.flush()
  const last = shots.at(-1)
  if (last) yield* ready(last)
  encoder.close()
}

const colorSpaces: Record<'bt601' | 'bt709', VideoColorSpaceInit> = {
  bt601: { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false },
  bt709: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
}

/**
 * The pictures of a shot; each place of the cut shows what the take shows in the middle of that place, so that a time
 * rounded to milliseconds names no other picture. A take of a lower rate has pictures that are repeated; its last one
 * stays to the end.
 */
async function* picturesOf(
  shot: Shot,
  target: Target,
  work: Work,
): AsyncGenerator<{ pixels: Buffer; repeats: number }> {
  const { video } = await shot.open()
  using _ = video.input
  const look = await lookOf(video)
  let shown = 0
  let pixels: Buffer | null = null
  for await (const { frame, endS } of decodedPictures(video, work, shot.fromS)) {
    const upTo = Math.min(shot.frames, Math.ceil((endS - shot.fromS) * work.fps - 0.5 - 1e-6))
    if (upTo <= shown) continue
    pixels = await pictureOf(frame, look, target)
    yield { pixels, repeats: upTo - shown }
    shown = upTo
    if (shown === shot.frames) return
  }
  if (!pixels) throw undecodable()
  yield { pixels, repeats: shot.frames - shown }
}

/** The shots' own sound; a film without one is silent. */
async function* soundOf(shots: Shot[], fps: number): AsyncGenerator<Block> {
  for (const shot of shots) {
    const samples = sampleAt(shot.first + shot.frames, fps) - sampleAt(shot.first, fps)
    yield* named(nameOf(shot.number), soundOfShot(shot, samples), damagedSound)
  }
}

async function* soundOfShot({ open, fromS }: Shot, samples: number): AsyncGenerator<Block> {
  const { audio, video } = await open()
  using _ = video.input
  yield* stereoOf(audio, { fromS, samples })
}

/** A sound beside that is shorter than the cut fades out at its own end. */
async function soundBeside({ files, sound }: Work, samples: number): Promise<Layer | null> {
  if (!sound) return null
  const { file, volume, fadeInS, fadeOutS } = sound
  const bytes = files[file]
  if (!bytes) throw new Error('A cut names a file that it does not have.')
  const name = 'The sound beside'
  const { audio, startS, endS } = await openSound(bytes).catch((error) => {
    throw ofPart(name, error, damagedSound)
  })
  const end = Math.min(samples, Math.round((endS - startS) * SAMPLE_RATE))
  const ramp = (distance: number, seconds: number) =>
    seconds > 0 ? Math.max(0, Math.min(1, distance / (seconds * SAMPLE_RATE))) : 1
  return {
    blocks: named(name, stereoOf(audio, { fromS: startS, samples }), damagedSound),
    gainAt: (sample) => volume * ramp(sample, fadeInS) * ramp(end - sample, fadeOutS),
  }
}

function targetOf({ bytesMax, sendPiece }: Work): StreamTarget {
  const write = ({ data, position }: { data: Uint8Array; position: number }) => {
    if (position + data.length > bytesMax) {
      throw new MediaRefused('TOO_LARGE', `The cut has more than ${Math.floor(bytesMax / 1024 / 1024)} MB.`)
    }
    sendPiece(position, data)
  }
  return new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: CHUNK_BYTES })
}

/** Tells each percent once. */
function progressTo({ sendProgress }: Work, frames: number) {
  let told = -1
  return (written: number, { number }: Shot): void => {
    const percent = Math.floor((100 * written) / frames)
    if (percent > told) sendProgress(percent, number)
    told = percent
  }
}
