/**
 * Storage keys, such as `video/<user id>/<video id>.<lease>.mp4`, and what is derived from them. Invariant: a key is
 * valid as a path in any file system, as an S3 object key and in a URL, without escaping.
 */
const KEY_CHARACTERS_MAX = 512
const keyPattern = /^[a-z0-9][\w-]*(\.[\w-]+)*(\/[a-z0-9][\w-]*(\.[\w-]+)*)*$/i

const contentTypes = new Map([
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mov', 'video/quicktime'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['m4a', 'audio/mp4'],
  ['ogg', 'audio/ogg'],
  ['c2pa', 'application/c2pa'],
])

export class StorageError extends Error {
  /** There is no room. */
  readonly isFull: boolean

  /** @param message one sentence for the operator */
  constructor(message: string, cause?: unknown, { isFull = false } = {}) {
    super(message, { cause })
    this.name = 'StorageError'
    this.isFull = isFull
  }
}

/** The pattern admits no empty, hidden or `..` segment. */
export function isKey(text: string): boolean {
  return text.length <= KEY_CHARACTERS_MAX && keyPattern.test(text)
}

/** @throws StorageError for an invalid key, which is a bug and not a client error */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new StorageError(`"${key}" is not a key that files can be kept under.`)
  return key
}

/** Content types by extension. The default type is one that browsers download instead of rendering. */
export function contentTypeOf(key: string): string {
  return contentTypes.get(key.split('.').at(-1) ?? '') ?? 'application/octet-stream'
}

const NAME_CHARACTERS_MAX = 100

/**
 * The file name of a download, also in a ZIP, with the key's extension once: the wanted name, or `kinora-<last 8 of the
 * id>.mp4`. UUIDv7s made about the same time share their first 8.
 */
export function downloadNameOf(key: string, wanted = ''): string {
  const [id = '', ...endings] = (key.split('/').at(-1) ?? '').split('.')
  const ending = endings
    .slice(-1)
    .map((each) => `.${each}`)
    .join('')
  const hasEnding = ending !== '' && wanted.toLowerCase().endsWith(ending)
  const name = [...(hasEnding ? wanted.slice(0, -ending.length) : wanted)].slice(0, NAME_CHARACTERS_MAX).join('')
  return fileName((fileName(name) || `kinora-${id.slice(-8)}`) + ending)
}

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|conin\$|conout\$) *(?=\.|$)/i

/** A name that every file system takes: no folder, no hidden file, no device, no dot or space at its end. */
const fileName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .replace(DEVICE, '_$&')

/**
 * A Content-Disposition header (RFC 6266): an ASCII `filename` for old clients, and `filename*` with the full name.
 * Control characters and path separators become `_`.
 */
export function attachment(name: string): string {
  const clean = name.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  if (ascii === clean) return `attachment; filename="${ascii}"`
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
