/**
 * Looks into a start image from outside before anything else of the service touches it, and has it made anew. The rule:
 * what a client sent is never kept or served, only what was made of its pixels.
 */
import { open, rm, writeFile } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { type Inspection, readChild, runChild } from './child.ts'
import { type Image, type ImageLimits, ImageRefused, imageRefusalCodes } from './image-refusal.ts'
import { openTurns } from './semaphore.ts'

export { ImageRefused }

export type InspectedImage = Image & { sizeBytes: number }

const imageLimits: ImageLimits = {
  sidePixelsMin: 64,
  sidePixelsMax: 8192,
  // The largest photographs of phones have 8192×6144.
  pixelsMax: 8192 * 6144,
  // No film is wider than 4k.
  keptSidePixelsMax: 4096,
  // Many providers take no more.
  keptMaxBytes: 10 * 1024 * 1024,
  memoryMaxBytes: 768 * 1024 * 1024,
  cpuMaxS: 20,
  timeoutMs: 40_000,
}

/** Not the turns of films: somebody waits for this answer, and a film takes its time. */
const turns = openTurns(2)
const WAITING_MAX = 100

const refusedAnswer = Type.Object({
  refused: Type.Object({ code: Type.Enum(imageRefusalCodes), message: Type.String({ pattern: '^[^/\\\\]{1,200}$' }) }),
})
const imageAnswer = Type.Object({
  image: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: imageLimits.keptSidePixelsMax }),
    height: Type.Integer({ minimum: 1, maximum: imageLimits.keptSidePixelsMax }),
    contentType: Type.Enum(['image/png', 'image/jpeg']),
    extension: Type.Enum(['png', 'jpg']),
  }),
})

/** Whether so many images wait already that one more had better come later. */
export const isCrowded = (): boolean => turns.waiting() >= WAITING_MAX

/**
 * Checks the image and writes what is to be kept of it to `keptFile`. At most two images are in hand at a time.
 * @throws ImageRefused where the image is at fault; the signal's reason; an ordinary Error for the server's own trouble
 */
export async function inspectImage(
  file: string,
  options: { keptFile: string; signal?: AbortSignal; limits?: Partial<ImageLimits> },
): Promise<InspectedImage> {
  const limits = { ...imageLimits, ...options.limits }
  await turns.take(options.signal)
  try {
    await using handle = await open(file, 'r')
    const { image, content } = readAnswer(await runChild(handle.fd, inspectionOf(limits), options.signal), limits)
    await writeFile(options.keptFile, content).catch(async (error: unknown) => {
      await rm(options.keptFile, { force: true })
      throw error
    })
    return { ...image, sizeBytes: content.length }
  } finally {
    turns.pass()
  }
}

const inspectionOf = (limits: ImageLimits): Inspection<ImageLimits> => ({
  program: 'image-child.ts',
  limits,
  answerMaxBytes: limits.keptMaxBytes + 4096,
  refused: (code, cause) => {
    const why = code === 'TOO_SLOW' ? ': it takes too long' : ''
    return new ImageRefused(code, `The image could not be read within the limits${why}.`, { cause })
  },
})

/** An image that took the child over may be speaking, so nothing is believed that could not be true. */
function readAnswer(bytes: Buffer, limits: ImageLimits): { image: Image; content: Buffer } {
  const { told: answer, content } = readChild(bytes)
  if (Check(refusedAnswer, answer)) throw new ImageRefused(answer.refused.code, answer.refused.message)
  if (!Check(imageAnswer, answer) || content.length > limits.keptMaxBytes || !isWhole(content, answer.image)) {
    throw new ImageRefused('UNDECODABLE', 'The image could not be read within the limits.')
  }
  return { image: answer.image, content }
}

/** Begins and ends as its type does. */
function isWhole(content: Buffer, { contentType }: Image): boolean {
  const hex = (from: number, to?: number) => content.subarray(from, to).toString('hex')
  return contentType === 'image/png'
    ? hex(0, 8) === '89504e470d0a1a0a' && hex(-8) === '49454e44ae426082'
    : hex(0, 3) === 'ffd8ff' && hex(-2) === 'ffd9'
}
