/**
 * The inputs of a film as other services' formats have them: a link, a data URL, the bytes themselves, or a film of
 * Kinora's. A field may have several roles (input-fields.ts); the model decides among them.
 */
import type { Static } from 'typebox'
import { actingId } from '../account/credential/credential.ts'
import { assetBytesMax, receiveAsset, tooLarge } from '../asset/asset.ts'
import { assetLink } from '../asset/asset-link.ts'
import type { Model } from '../catalogue/model.ts'
import { AppError } from '../errors.ts'
import type { RequestedParameters } from '../film/fields.ts'
import { article, type GivenInput, type Kind, kindOf, type Role } from '../film/inputs.ts'
import { INPUTS_MAX } from '../film/limits.ts'
import { limitAlso } from '../http/request/rate-limits.ts'
import { disconnection, userOf } from '../http/request/request.ts'
import { type Call, invalidField, noteNames, unsupportedField } from './format.ts'
import type { Field } from './input-fields.ts'

type Given = Static<typeof GivenInput>
/** What a request has in a field. `name`: the caller's, for errors. */
export type Medium = Field & { name: string; value: string | Buffer | Omit<Given, 'role'> }

/** The inputs of a request in Kinora's own shape. @param name the caller's, of the list */
export const ownMedia = (inputs: readonly Given[], name: string): Medium[] =>
  inputs.map(({ role, ...value }, i) => ({
    ...{ kind: value.kind ?? kindOf[role], roles: [role], name: `${name}.${i}`, value },
  }))

type Found = Pick<RequestedParameters, 'startImageUrl' | 'endImageUrl' | 'inputs'>
const NAMED = { start: 'startImageUrl', end: 'endImageUrl' } as const

/**
 * Returns the inputs of a generate request. Links are left to `generate`, which checks them; bytes are inspected and
 * stored as an upload is, and count as one for the rate limit. Errors name the caller's fields.
 * @throws AppError INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, RATE_LIMITED
 */
export async function inputsOf(
  call: Call,
  { model, mode, media }: { model: Model | undefined; mode?: string | undefined; media: readonly Medium[] },
): Promise<Found> {
  const [excess] = media.slice(INPUTS_MAX)
  if (excess) throw unsupportedField(excess.name, `more than ${INPUTS_MAX} inputs`)
  const roles = rolesIn(model, mode, media)
  const found: Found = {}
  const inputs: Given[] = []
  // One after the other: each counts for the rate limit of uploads, and takes memory while it is inspected.
  for (const [i, { name, kind, value }] of media.entries()) {
    const role = roles[i] ?? 'reference'
    const field = role === 'start' || role === 'end' ? NAMED[role] : null
    const isPlain = typeof value === 'string' || Buffer.isBuffer(value)
    if (field && isPlain) {
      if (found[field] !== undefined) throw unsupportedField(name, `${article(role)} beside another one`)
      noteNames(call.request, { [field]: [name] })
      found[field] = await linkOf(call, value, { kind, path: field })
      continue
    }
    const path = `inputs.${inputs.length}`
    noteNames(call.request, { [path]: [name] })
    if (!isPlain) {
      inputs.push({ role, ...value })
      continue
    }
    inputs.push({ role, url: await linkOf(call, value, { kind, path }), ...(role === 'reference' && { kind }) })
  }
  return inputs.length > 0 ? { ...found, inputs } : found
}

/** The role of each: in the mode of the model that takes them all, and nearest to what the fields usually mean. */
function rolesIn(model: Model | undefined, stated: string | undefined, media: readonly Medium[]): readonly Role[] {
  let best: { roles: Role[]; distance: number } | null = null
  for (const [mode, uses] of model?.roles ?? []) {
    if (stated !== undefined && stated !== mode) continue
    const roles: Role[] = []
    let distance = 0
    for (const { kind, roles: possible } of media) {
      const at = possible.findIndex((role) => {
        const use = uses.get(role)
        return use?.kinds.includes(kind) && roles.filter((each) => each === role).length < use.to
      })
      const role = possible[at]
      if (role === undefined) break
      roles.push(role)
      distance += at
    }
    const isWhole = [...uses].every(([role, { from }]) => roles.filter((each) => each === role).length >= from)
    if (roles.length === media.length && isWhole && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { roles, distance }
  }
  // generate says what is missing, or too much.
  return best?.roles ?? media.flatMap(({ roles }) => roles.slice(0, 1))
}

/**
 * A link as it is; bytes are stored.
 * @param asked.path our name of the input, for errors
 * @throws AppError INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, RATE_LIMITED
 */
export async function linkOf(
  { app, request, reply }: Call,
  value: string | Buffer,
  { kind, path }: { kind?: Kind; path: string },
): Promise<string> {
  const bytes = typeof value === 'string' ? readDataUrl(value, path) : value
  if (bytes === null) return String(value)
  try {
    const bytesMax = assetBytesMax(kind ?? null)
    if (bytes.length > bytesMax) throw tooLarge(bytesMax)
    const counted = limitAlso(app, request, reply, 'image')
    if (counted) await counted
    const caller = userOf(request)
    const origin = { ...caller, madeBy: actingId(caller), ...(kind && { kind }) }
    return assetLink(app, (await receiveAsset(app, origin, chunks(bytes), disconnection(reply))).key).url
  } catch (error) {
    throw error instanceof AppError ? ofInput(error, path) : error
  }
}

/** An upload's error is of its body, a field here. Another one, such as the rate limit's, is of no field. */
function ofInput(error: AppError, path: string): AppError {
  const { code, message, details } = error
  if (code !== 'PAYLOAD_TOO_LARGE' && !(Array.isArray(details) && details[0]?.path === 'body')) return error
  const known = Array.isArray(details) ? details[0] : undefined
  return new AppError(code, message, { details: [{ message, ...known, path }] })
}

/**
 * The bytes of a data URL as browsers read it (https://fetch.spec.whatwg.org/#data-url-processor); null for another
 * URL. The media type is not read: the file's own bytes decide.
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
    throw invalidField(field, 'A data URL must have the form data:image/png;base64,…')
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
