/**
 * Inspects an untrusted film before the service stores or serves it: whether it is a complete film of a supported kind,
 * its duration and dimensions, and a thumbnail. All parsing and decoding happens in a sandboxed child process.
 */
import { rm, writeFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ASSET_SECONDS_MAX } from '../asset/asset.ts'
import type { JobKind } from '../child-process.ts'
import { inspectFile } from '../children.ts'
import { cutFilmLimits } from '../cut/cut.ts'
import { queues } from '../queues.ts'
import { filmRefusalCodes, MediaRefused } from '../refusal.ts'
import { parseReply } from '../reply.ts'
import type { BindingRequest, FilmBinding } from './binding.ts'
import {
  FILM_SECONDS_MAX,
  type Film,
  type FilmExtension,
  type FilmJob,
  type FilmLimits,
  type FramesJob,
  filmCodecs,
  filmContentTypes,
} from './film.ts'

export type InspectedFilm = Film & {
  thumbnail: { width: number; height: number; sizeBytes: number }
  /** Left out or null: not asked for. */
  binding?: FilmBinding | null
}

/** A thumbnail, an index and the manifests that a film came with: a megabyte at the most each. */
const REPLY_BYTES_MAX = 3 * 1024 * 1024
const FAILURE = 'The film could not be decoded within the limits'

const filmLimits: FilmLimits = {
  sidePixelsMax: 5120,
  pixelsMax: 12_000_000,
  // Half a second more than was asked for: the last frames, and the padding of the sound.
  durationMaxS: FILM_SECONDS_MAX + 0.5,
  // A 4k film takes about 230 MB; with 10 bits a sample and sixteen reference frames it would take 600 MB.
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 15,
  timeoutMs: 60_000,
}

const position = Type.Integer({ minimum: 0 })
const boundReply = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  embed: Type.Union([
    Type.Null(),
    Type.Object({
      edits: Type.Array(
        Type.Object({ at: position, removedBytes: position, sizeBytes: position, isManifest: Type.Boolean() }),
      ),
      isLabelled: Type.Boolean(),
    }),
  ]),
  manifestsBytes: position,
})

const seenReply = Type.Object({
  film: Type.Object({
    durationS: Type.Number({ exclusiveMinimum: 0 }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    codec: Type.Enum(filmCodecs),
    contentType: Type.Enum(Object.values(filmContentTypes)),
    extension: Type.Enum(Object.keys(filmContentTypes) as FilmExtension[]),
    sizeBytes: Type.Integer({ minimum: 1 }),
  }),
  binding: Type.Union([Type.Null(), boundReply]),
})

const inspectedReply = Type.Object({
  ...seenReply.properties,
  thumbnail: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 640 }),
    height: Type.Integer({ minimum: 1, maximum: 640 }),
    sizeBytes: Type.Integer({ minimum: 1 }),
  }),
})

type InspectOptions = {
  userId?: string
  signal?: AbortSignal
  limits?: Partial<FilmLimits>
  /** What is to be found out for a manifest; left out: nothing. */
  binding?: BindingRequest | null
}

/**
 * Probes the film and writes a JPEG of one of its frames, at most 640 pixels on the longer side, to `thumbnailFile`. At
 * most two films are inspected at a time, one of a user; further calls queue, and users are served round robin.
 * @throws MediaRefused when the film is at fault; the signal's reason when aborted; an ordinary Error for a failure of
 * the
 *   server (no such file, no process, disk full), which is worth a retry. No thumbnail is left then.
 */
export async function inspectFilm(
  file: string,
  options: InspectOptions & { thumbnailFile: string },
): Promise<InspectedFilm> {
  const { binding = null } = options
  const limits: FilmJob = { ...filmLimits, ...options.limits, binding }
  const { film, jpeg } = await inspectFile(file, options.userId ?? null, {
    ...jobOf('film', limits, options.signal),
    accept: (reply, sizeBytes) => {
      const { line, content } = parseReply(reply, filmRefusalCodes)
      if (!Check(inspectedReply, line) || !isWithin(line.film, limits)) throw implausible()
      const jpeg = content.subarray(0, line.thumbnail.sizeBytes)
      if (!isJpeg(jpeg)) throw implausible()
      const bound = bindingOf(line.binding, content.subarray(jpeg.length), sizeBytes, binding)
      const thumbnail = { ...line.thumbnail, sizeBytes: jpeg.length }
      return { jpeg, film: { ...line.film, sizeBytes, thumbnail, binding: bound } }
    },
  })
  await writeThumbnail(options.thumbnailFile, jpeg, options.signal)
  return film
}

/**
 * The binding of a film that was inspected before. @throws as inspectFilm
 */
export async function bindInspectedFilm(
  file: string,
  options: InspectOptions & { binding: BindingRequest },
): Promise<{ film: Film; binding: FilmBinding }> {
  // It was inspected before, a cut too.
  const limits = { ...filmLimits, ...cutFilmLimits, ...options.limits }
  return await inspectFile(file, options.userId ?? null, {
    ...jobOf('binding', { ...limits, binding: options.binding }, options.signal),
    accept: (reply, sizeBytes) => {
      const { line, content } = parseReply(reply, filmRefusalCodes)
      if (!Check(seenReply, line) || !isWithin(line.film, limits)) throw implausible()
      const binding = bindingOf(line.binding, content, sizeBytes, options.binding)
      if (!binding) throw implausible()
      return { film: { ...line.film, sizeBytes }, binding }
    },
  })
}

const FRAMES_BYTES_MAX = 4 * 1024 * 1024
const frameLimits: Partial<FilmLimits> = { durationMaxS: ASSET_SECONDS_MAX + 0.5, cpuMaxS: 30, timeoutMs: 60_000 }
const framesReply = Type.Object({ frames: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 }) })

/**
 * Takes JPEGs of a film, one of each second, at most 640 pixels on the longer side.
 * @param options.countMax a longer film has as many, further apart
 * @throws as inspectFilm; QueueFullError
 */
export async function takeFrames(
  file: string,
  { countMax, ...options }: InspectOptions & { countMax: number },
): Promise<Buffer[]> {
  const limits: FramesJob = { ...filmLimits, ...frameLimits, ...options.limits, countMax }
  return await inspectFile(file, options.userId ?? null, {
    ...{ ...jobOf('frames', limits, options.signal), semaphore: queues.frames, replyMaxBytes: FRAMES_BYTES_MAX },
    accept: (reply) => {
      const { line, content } = parseReply(reply, filmRefusalCodes)
      if (!Check(framesReply, line) || line.frames.length > countMax) throw implausible()
      let at = 0
      return line.frames.map((length) => {
        const jpeg = content.subarray(at, at + length)
        at += length
        if (!isJpeg(jpeg)) throw implausible()
        return jpeg
      })
    },
  })
}

const jobOf = <Limits>(kind: JobKind, limits: Limits, signal: AbortSignal | undefined) => ({
  ...{ kind, limits, signal, semaphore: queues.film, replyMaxBytes: REPLY_BYTES_MAX, failure: FAILURE },
})

/** A hostile film may control the child, so a reply that no acceptable film could produce is refused. */
const implausible = () => new MediaRefused('UNDECODABLE', `${FAILURE}.`)

/** @throws MediaRefused for edits not of this film: in order within it, with one place for the manifest */
export function bindingOf(
  bound: Static<typeof boundReply> | null,
  content: Buffer,
  filmBytes: number,
  request: BindingRequest | null | undefined,
): FilmBinding | null {
  if (!bound || !request) return null
  const { hash, embed, manifestsBytes } = bound
  const contentBytes = content.length - manifestsBytes
  const manifests = manifestsBytes > 0 ? content.subarray(contentBytes) : null
  if (embed) {
    const others = embed.edits.filter(({ isManifest }) => !isManifest)
    const places = embed.edits.filter(({ isManifest }) => isManifest)
    const isInSequence = embed.edits.every(
      ({ at, removedBytes }, index) => at + removedBytes <= (embed.edits[index + 1]?.at ?? filmBytes),
    )
    const isComplete = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) === contentBytes
    const isRoom = places.length === 1 && places[0]?.sizeBytes === (request.boxBytes ?? Number.NaN) + manifestsBytes
    if (!isInSequence || !isComplete || !isRoom) throw implausible()
  } else if (contentBytes !== 0) throw implausible()
  return {
    hash: Buffer.from(hash, 'hex'),
    embed: embed && { ...embed, content: content.subarray(0, contentBytes) },
    manifests,
  }
}

function isWithin(film: Film, limits: FilmLimits): boolean {
  return film.durationS <= limits.durationMaxS && film.width * film.height <= limits.pixelsMax
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}

async function writeThumbnail(file: string, jpeg: Buffer, signal: AbortSignal | undefined): Promise<void> {
  try {
    signal?.throwIfAborted()
    await writeFile(file, jpeg)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
