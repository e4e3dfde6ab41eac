/** The images of a film as other services' formats have them: a link, a data URL, or the bytes themselves. */
import { actingId } from '../account/credential/credential.ts'
import { assetBytesMax, receiveAsset, tooLarge } from '../asset/asset.ts'
import { assetLink } from '../asset/asset-link.ts'
import { AppError } from '../errors.ts'
import type { RequestedParameters } from '../film/fields.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import { disconnection, userOf } from '../http/request/request.ts'
import { type Call, invalidField, unsupportedField } from './format.ts'

/**
 * Returns an image of a generate request. A link is left to `generate`, which checks it; bytes are inspected and stored
 * as an upload is, and count as one for the rate limit.
 * @param field our name of the image, for errors
 * @throws AppError INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, RATE_LIMITED
 */
export async function startImageOf(
  { app, request, reply }: Call,
  image: string | Buffer,
  field = 'startImageUrl',
): Promise<string> {
  const bytes = typeof image === 'string' ? readDataUrl(image, field) : image
  if (bytes === null) return String(image)
  try {
    if (bytes.length > assetBytesMax(['image'])) throw tooLarge()
    const counted = limitAlso(app, request, reply, 'image')
    if (counted) await counted
    const caller = userOf(request)
    const origin = { ...caller, madeBy: actingId(caller), kinds: ['image'] as const }
    return assetLink(app, (await receiveAsset(app, origin, chunks(bytes), disconnection(reply))).key).url
  } catch (error) {
    throw error instanceof AppError ? ofImage(error, field) : error
  }
}

const FRAMES = { first_frame: 'startImageUrl', last_frame: 'endImageUrl' } as const
export type FrameType = keyof typeof FRAMES

/**
 * Returns the images of a generate request whose format has frames and references.
 * @param name the caller's field of the frames
 * @throws AppError INVALID_REQUEST for two images of one frame, or another type of frame
 */
export async function imagesOf(
  call: Call,
  { name, frames, references }: { name: string; frames: { type: string; url: string }[]; references: string[] },
): Promise<Pick<RequestedParameters, 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls'>> {
  const found: Pick<RequestedParameters, 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls'> = {}
  for (const { type, url } of frames) {
    const field = Object.hasOwn(FRAMES, type) ? FRAMES[type as FrameType] : undefined
    if (!field || found[field]) throw unsupportedField(name, `${name} other than one first_frame and one last_frame`)
    found[field] = await startImageOf(call, url, field)
  }
  // One after the other: each counts for the rate limit of uploads, and takes memory while it is inspected.
  const links: string[] = []
  for (const url of references) links.push(await startImageOf(call, url, 'referenceImageUrls'))
  return links.length > 0 ? { ...found, referenceImageUrls: links } : found
}

/** An upload's error is of its body, a field here. Another one, such as the rate limit's, is of no field. */
function ofImage(error: AppError, path: string): AppError {
  const { code, message, details } = error
  if (code !== 'PAYLOAD_TOO_LARGE' && !(Array.isArray(details) && details[0]?.path === 'body')) return error
  const known = Array.isArray(details) ? details[0] : { message }
  return new AppError(code, message, { details: [{ ...known, path }] })
}

/**
 * The bytes of a data URL as browsers read it (https://fetch.spec.whatwg.org/#data-url-processor); null for another
 * URL. The media type is not read: the image's own bytes decide.
 * @throws AppError INVALID_REQUEST
 */
function readDataUrl(url: string, field: string): Buffer | null {
  if (!/^\s*data:/i.test(url)) return null
  const comma = url.indexOf(',')
  const end = url.indexOf('#', comma)
  const body = percentDecoded(url.slice(comma + 1, end < 0 ? undefined : end))
  const isBase64 = /; *base64\s*$/i.test(url.slice(0, Math.max(comma, 0)))
  const bytes = isBase64 ? decodedBase64(body.toString('latin1')) : body
  if (comma < 0 || bytes === null) {
    throw invalidField(field, 'The data URL of the image must have the form data:image/png;base64,…')
  }
  return bytes
}

/** Byte by byte: a regular expression calls a function for each escape, which takes a second for an image of 15 MB. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (!bytes.includes('%')) return bytes
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const escaped = bytes[at] === PERCENT ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : Number.NaN
    bytes[length] = escaped >= 0 ? escaped : (bytes[at] ?? 0)
    length += 1
    if (escaped >= 0) at += 2
  }
  return bytes.subarray(0, length)
}

const PERCENT = 0x25

/** The value of an ASCII hexadecimal digit; NaN for another byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

/**
 * "Forgiving base64": white space is left out, and the padding may be absent; null for other text, which Buffer would
 * skip.
 */
function decodedBase64(text: string): Buffer | null {
  const digits = text.replace(/[\t\n\f\r ]+/g, '').replace(/={1,2}$/, '')
  return digits.length % 4 !== 1 && /^[A-Za-z0-9+/]*$/.test(digits) ? Buffer.from(digits, 'base64') : null
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
