/**
 * Inspects a picture, film or sound that a user uploads, and writes what is kept of it. What it is follows from its
 * bytes, never from a name or a Content-Type. Invariant: the uploaded file is never stored or served, only the one that
 * a sandboxed child process makes of its pictures and sounds.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { QueueFullError } from '../../async/semaphore.ts'
import { inspectFile } from '../children.ts'
import { inspectImage } from '../image/inspect.ts'
import { HEAD_BYTES, isImage } from '../image/structure.ts'
import { queues } from '../queues.ts'
import { assetRefusalCodes, MediaRefused } from '../refusal.ts'
import { parseReply } from '../reply.ts'
import {
  ASSET_FILM_BYTES_MAX,
  ASSET_IMAGE_BYTES_MAX,
  ASSET_SECONDS_MAX,
  ASSET_SOUND_BYTES_MAX,
  type Asset,
  type AssetExtension,
  type AssetJob,
  assetContentTypes,
  type KeptMedium,
  tooLarge,
} from './asset.ts'

export { QueueFullError }

/** `isSoundOnly`: of a film its sound is kept alone, as it is encoded. */
type AssetOptions = {
  userId?: string
  outputFile: string
  signal?: AbortSignal
  isSoundOnly?: boolean
  limits?: Partial<Omit<AssetJob, 'isSoundOnly'>>
}

const assetLimits: AssetJob = {
  filmBytesMax: ASSET_FILM_BYTES_MAX,
  soundBytesMax: ASSET_SOUND_BYTES_MAX,
  sidePixelsMax: 5120,
  pixelsMax: 12_000_000,
  // The last frames, and the padding of the sound.
  durationMaxS: ASSET_SECONDS_MAX + 0.5,
  rotatedPixelsMax: 8_000_000_000,
  isSoundOnly: false,
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 300,
  timeoutMs: 600_000,
}

const REPLY_BYTES_MAX = 4096
const FAILURE = 'The file could not be read within the limits'

const side = Type.Union([Type.Null(), Type.Integer({ minimum: 1 })])
const mediumReply = Type.Object({
  medium: Type.Object({
    kind: Type.Enum(['film', 'sound']),
    extension: Type.Enum(Object.keys(assetContentTypes) as AssetExtension[]),
    width: side,
    height: side,
    durationS: Type.Number({ exclusiveMinimum: 0 }),
    hasSound: Type.Boolean(),
  }),
})

/**
 * Checks the file and writes the one to keep to `outputFile`. At most two are inspected at a time, one of a user;
 * further calls queue, and users are served round robin.
 * @throws MediaRefused when the file is at fault (NO_SOUND where only the sound is kept); QueueFullError; the signal's
 * reason; an ordinary Error for a failure of the server. No file is left then.
 */
export async function inspectAsset(file: string, options: AssetOptions): Promise<Asset> {
  const { head, sizeBytes: uploadedBytes } = await headOf(file)
  if (!isImage(head)) return await inspectMedium(file, options)
  if (uploadedBytes > ASSET_IMAGE_BYTES_MAX) throw tooLarge('image', ASSET_IMAGE_BYTES_MAX)
  const { userId, outputFile, signal } = options
  const { width, height, contentType, extension, sizeBytes } = await inspectImage(file, {
    outputFile,
    ...(userId !== undefined && { userId }),
    ...(signal && { signal }),
  })
  return { kind: 'image', contentType, extension, sizeBytes, width, height, durationS: null, hasSound: null }
}

async function headOf(file: string): Promise<{ head: Buffer; sizeBytes: number }> {
  await using handle = await open(file, 'r')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return { head: buffer.subarray(0, bytesRead), sizeBytes: (await handle.stat()).size }
}

async function inspectMedium(file: string, options: AssetOptions): Promise<Asset> {
  const { outputFile, signal, isSoundOnly = false } = options
  const limits: AssetJob = { ...assetLimits, ...options.limits, isSoundOnly }
  try {
    await using output = await open(outputFile, 'w+')
    const bytesMax = isSoundOnly ? limits.soundBytesMax : limits.filmBytesMax
    return await inspectFile(file, options.userId ?? null, {
      ...{ kind: 'asset', limits, semaphore: queues.asset, signal, failure: FAILURE, replyMaxBytes: REPLY_BYTES_MAX },
      output: { handle: output, bytesMax },
      accept: (reply) => validateReply(reply, output, limits),
    })
  } catch (error) {
    await rm(outputFile, { force: true })
    throw error
  }
}

/** A hostile file may control the child, so a reply and a file that no acceptable one could produce are refused. */
async function validateReply(reply: Buffer, output: FileHandle, limits: AssetJob): Promise<Asset> {
  const { line } = parseReply(reply, assetRefusalCodes)
  const { buffer } = await output.read(Buffer.alloc(12), 0, 12, 0)
  if (!Check(mediumReply, line) || !isWithin(line.medium, limits) || !isOf(buffer, line.medium.extension)) {
    throw new MediaRefused('UNDECODABLE', `${FAILURE}.`)
  }
  const { size } = await output.stat()
  return { ...line.medium, contentType: assetContentTypes[line.medium.extension], sizeBytes: size }
}

function isWithin({ kind, width, height, durationS }: KeptMedium, { durationMaxS, pixelsMax }: AssetJob): boolean {
  const hasSides = width !== null && height !== null
  return durationS <= durationMaxS && (kind === 'film') === hasSides && (width ?? 0) * (height ?? 0) <= pixelsMax
}

/** Whether a file begins as one of that extension. */
function isOf(head: Buffer, extension: AssetExtension): boolean {
  const text = head.toString('latin1')
  if (extension === 'webm') return text.startsWith('\x1a\x45\xdf\xa3')
  if (extension === 'wav') return /^RIFF.{4}WAVE/s.test(text)
  if (extension === 'ogg') return text.startsWith('OggS')
  if (extension === 'mp3') return head.readUInt16BE(0) >= 0xffe0
  return ['mp4', 'mov', 'm4a'].includes(extension) && text.startsWith('ftyp', 4)
}
