/**
 * Time stamps of an authority (RFC 3161). Its address is the operator's setting and therefore trusted. The one request
 * and the two fields of a response are written and read here: an ASN.1 library would be 0.2 MB for forty bytes.
 */
import { hash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { TimeStamp } from './signature.ts'

const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 32 * 1024
/** A token with the chain of its authority, as those of the well-known ones: 4 to 7 kB. */
export const TOKEN_BYTES_MAX = 10 * 1024
/** TimeStampReq: version 1, SHA-256; after the hash a nonce of eight bytes, and that the certificates are wanted. */
const REQUEST_START = Buffer.from('30430201013031300d060960864801650304020105000420', 'hex')
const SEQUENCE = 0x30
const INTEGER = 0x02

/** @throws Error when no time stamp came */
export const timeStampOf =
  (url: string): TimeStamp =>
  async (bytes) => {
    const nonce = randomBytes(8)
    // Positive, and of eight bytes.
    nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
    const body = Buffer.concat([
      REQUEST_START,
      hash('sha256', bytes, 'buffer'),
      Buffer.from('0208', 'hex'),
      nonce,
      Buffer.from('0101ff', 'hex'),
    ])
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for await (const chunk of response.body) {
      sizeBytes += chunk.length
      if (sizeBytes > RESPONSE_BYTES_MAX) throw new Error('The time stamp authority sent too much.')
      chunks.push(chunk)
    }
    if (response.statusCode !== 200) throw new Error(`The time stamp authority answered ${response.statusCode}.`)
    const token = readToken(Buffer.concat(chunks))
    if (!token || token.length > TOKEN_BYTES_MAX || !token.includes(nonce)) {
      throw new Error('The time stamp authority sent no time stamp of this request.')
    }
    return token
  }

/** TimeStampResp: a status, 0 or 1 when it is granted, and the token. @returns null without one */
function readToken(response: Buffer): Buffer | null {
  const whole = readElement(response, 0)
  const status = whole && readElement(response, whole.start)
  const code = status && readElement(response, status.start)
  if (whole?.tag !== SEQUENCE || status?.tag !== SEQUENCE || code?.tag !== INTEGER) return null
  if (code.end - code.start !== 1 || (response[code.start] ?? 9) > 1 || status.end >= whole.end) return null
  return response.subarray(status.end, whole.end)
}

/** A DER element at a position; null when it exceeds the bytes. */
function readElement(bytes: Buffer, at: number): { tag: number; start: number; end: number } | null {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return null
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return null
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)
  const start = at + 2 + lengthBytes
  return start + length <= bytes.length ? { tag, start, end: start + length } : null
}
