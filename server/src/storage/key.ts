/**
 * What keys look like and what follows from them: `video/<user id>/<video id>.mp4`. The rule: a key is plain enough to
 * be a path in any file system, an object's name and a part of a URL without any escaping.
 */
const KEY_CHARACTERS_MAX = 512
const keyPattern = /^[a-z0-9][\w-]*(\.[\w-]+)*(\/[a-z0-9][\w-]*(\.[\w-]+)*)*$/i

const contentTypes = new Map([
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
])

export class StorageError extends Error {
  /** @param message one sentence for the operator */
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StorageError'
  }
}

/** No empty, hidden, or `..` part can pass. */
export function isKey(text: string): boolean {
  return text.length <= KEY_CHARACTERS_MAX && keyPattern.test(text)
}

/** @throws StorageError: a wrong key is a mistake of ours, never an answer to a client */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new StorageError(`"${key}" is not a key that files can be kept under.`)
  return key
}

/** By the ending; what has none we know is never shown in a browser. */
export function contentTypeOf(key: string): string {
  return contentTypes.get(key.split('.').at(-1) ?? '') ?? 'application/octet-stream'
}

/** The name a download gets: `kinora-<last 8 of the id>.mp4`. A UUIDv7 begins with the time: neighbours share its first 8. */
export function downloadNameOf(key: string): string {
  const [id = '', ...endings] = (key.split('/').at(-1) ?? '').split('.')
  return [`kinora-${id.slice(-8)}`, ...endings.slice(-1)].join('.')
}

/**
 * The header that makes a reply an attachment (RFC 6266): a name for old clients in plain ASCII, and the true one.
 * Control characters and what separates folders on any system become `_`.
 */
export function attachment(name: string): string {
  const clean = name.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  if (ascii === clean) return `attachment; filename="${ascii}"`
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
