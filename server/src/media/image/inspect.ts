/**
 * Inspects an untrusted start image in a sandboxed child process and re-encodes it. Invariant: the uploaded bytes are
 * never stored or served, only the image that is re-encoded from their pixels.
 */
import { rm, writeFile } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { QueueFullError } from '../../async/semaphore.ts'
import { inspectFile } from '../children.ts'
import { queues } from '../queues.ts'
import { imageRefusalCodes, MediaRefused } from '../refusal.ts'
import { parseReply } from '../reply.ts'
import { type Image, type ImageExtension, type ImageLimits, imageContentTypes } from './image.ts'

export { QueueFullError }

export type InspectedImage = Image & { sizeBytes: number }

const imageLimits: ImageLimits = {
  sidePixelsMin: 64,
  sidePixelsMax: 8192,
  // The largest phone photographs have 8192×6144 pixels.
  pixelsMax: 8192 * 6144,
  // 50 megapixels with 16 bits a sample, or with 8 bits, transparency and interlacing: 3 to 4 s of CPU time.
  costMaxBytes: 405_000_000,
  // No film is wider than 4k.
  storedSidePixelsMax: 4096,
  // The limit of many providers.
  storedMaxBytes: 10 * 1024 * 1024,
  memoryMaxBytes: 768 * 1024 * 1024,
  // The most expensive image within the limits takes up to 4 s; the rest is for slower machines.
  cpuMaxS: 10,
  timeoutMs: 40_000,
}

const FAILURE = 'The image could not be read within the limits'
const imageReply = Type.Object({
  image: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: imageLimits.storedSidePixelsMax }),
    height: Type.Integer({ minimum: 1, maximum: imageLimits.storedSidePixelsMax }),
    contentType: Type.Enum(Object.values(imageContentTypes)),
    extension: Type.Enum(Object.keys(imageContentTypes) as ImageExtension[]),
  }),
})

/** Back pressure: whether the queue of images is full. */
export const isOverloaded = (): boolean => queues.image.isFull()

/**
 * Checks the image and writes the re-encoded one to `outputFile`. At most two images are inspected at a time, one of a
 * user; further calls queue, and users are served round robin.
 * @throws MediaRefused when the image is at fault; QueueFullError; the signal's reason; an ordinary Error for a failure
 * of
 *   the server
 */
export async function inspectImage(
  file: string,
  options: { userId?: string; outputFile: string; signal?: AbortSignal; limits?: Partial<ImageLimits> },
): Promise<InspectedImage> {
  const limits = { ...imageLimits, ...options.limits }
  const { image, content } = await inspectFile(file, options.userId ?? null, {
    ...{ kind: 'image', limits, semaphore: queues.image, signal: options.signal, failure: FAILURE },
    replyMaxBytes: limits.storedMaxBytes + 4096,
    accept: (reply) => validateReply(reply, limits),
  })
  await writeFile(options.outputFile, content).catch(async (error: unknown) => {
    await rm(options.outputFile, { force: true })
    throw error
  })
  return { ...image, sizeBytes: content.length }
}

/** A hostile image may control the child, so a reply that no acceptable image could produce is refused. */
function validateReply(bytes: Buffer, limits: ImageLimits): { image: Image; content: Buffer } {
  const { line, content } = parseReply(bytes, imageRefusalCodes)
  if (!Check(imageReply, line) || content.length > limits.storedMaxBytes || !isComplete(content, line.image)) {
    throw new MediaRefused('UNDECODABLE', `${FAILURE}.`)
  }
  return { image: line.image, content }
}

/** Whether the content begins and ends with the markers of its type. */
function isComplete(content: Buffer, { contentType }: Image): boolean {
  const hex = (from: number, to?: number) => content.subarray(from, to).toString('hex')
  return contentType === 'image/png'
    ? hex(0, 8) === '89504e470d0a1a0a' && hex(-8) === '49454e44ae426082'
    : hex(0, 3) === 'ffd8ff' && hex(-2) === 'ffd9'
}
