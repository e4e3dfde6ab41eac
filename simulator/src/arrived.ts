/** The inputs of a film as they were fetched: measured, and with the pixels of pictures. */
import { createHash } from 'node:crypto'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input as Media } from 'mediabunny'
import sharp, { type OutputInfo } from 'sharp'
import type { Measured } from './film-request.ts'
import { type Input, nameOf, withRole } from './inputs.ts'

/** `picture`: raw pixels, of an image alone. */
export type Arrived = Measured & { name: string; picture: { data: Buffer; info: OutputInfo } | null }

const FETCH_TIMEOUT_MS = 20_000
const IMAGE_PIXELS_MAX = 64_000_000
/** The longer side of the image behind the signs, and of one in a sign. */
const LARGE_PIXELS = 1920
const SMALL_PIXELS = 320

/** @throws Error with the reason the task fails for, which names the input */
export async function fetchInputs(inputs: readonly Input[]): Promise<Arrived[]> {
  const arrived: Arrived[] = []
  for (const input of inputs) {
    const name = nameOf(input, inputs)
    const bytes = await fetchBytes(input.url, name)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const side = input === leadOf(inputs) ? LARGE_PIXELS : SMALL_PIXELS
    const content = await contentOf(input, bytes, side).catch((error: unknown) => {
      throw new Error(`its ${name} cannot be read`, { cause: error })
    })
    arrived.push({ ...input, name, sha256, ...content })
  }
  return arrived
}

/** The image that is drawn behind the signs. */
export const leadOf = <I extends Input>(inputs: readonly I[]): I | undefined =>
  withRole(inputs, 'start', 'portrait', 'keyframe', 'reference', 'end').find(({ kind }) => kind === 'image')

async function fetchBytes(url: string, name: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error(`the address of its ${name} does not answer`, { cause: error })
  })
  if (!response.ok) throw new Error(`the address of its ${name} answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

type Content = Pick<Arrived, 'width' | 'height' | 'seconds' | 'picture'>

const contentOf = ({ kind }: Input, bytes: Buffer, side: number): Promise<Content> =>
  kind === 'image' ? imageOf(bytes, side) : kind === 'film' ? filmOf(bytes) : soundOf(bytes)

async function imageOf(bytes: Buffer, side: number): Promise<Content> {
  const image = sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX })
  const { width, height } = (await image.metadata()).autoOrient
  const resized = image.autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const picture = await resized.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width, height, seconds: null, picture }
}

async function filmOf(bytes: Buffer): Promise<Content> {
  using media = new Media({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const track = await media.getPrimaryVideoTrack()
  if (!track) throw new Error('It has no picture.')
  // Its last picture is missing from a film that was cut.
  if (!(await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY))) throw new Error('It is cut.')
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  return { width, height, seconds: await media.computeDuration(), picture: null }
}

async function soundOf(bytes: Buffer): Promise<Content> {
  using media = new Media({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const track = await media.getPrimaryAudioTrack()
  if (!track || (await media.getPrimaryVideoTrack())) throw new Error('It is no sound.')
  if (!(await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY))) throw new Error('It is cut.')
  return { width: null, height: null, seconds: await media.computeDuration(), picture: null }
}
