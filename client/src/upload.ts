/**
 * Uploads of any size. A large file goes in pieces, as tus has it: after a lost connection the service is asked how
 * much has arrived, and the upload goes on from there, also in another process that kept its address.
 */
import type { DataOf, Send } from './calls.ts'
import { errorFromResponse, type KinoraError, type Result, unreachableError } from './errors.ts'
import { withRetry } from './retry.ts'

export type Asset = DataOf<'post', '/api/v1/asset'>
export type UploadOptions = {
  /** As the query of `POST /api/v1/asset`. */
  kind?: Asset['kind']
  name?: string
  signal?: AbortSignal
  /** Called as the file arrives, with the bytes that have. */
  onProgress?: (arrivedBytes: number) => void
  /** The address of an earlier upload of the same file: it goes on there, where it is not too late. */
  address?: string | null
  /** Called with the address of an upload that has begun, and with null once it has ended: keep it for `address`. */
  onAddress?: (address: string | null) => void
}

/** A larger file goes in pieces. */
const LARGE_BYTES = 16 * 1024 ** 2
const PIECE_BYTES = 4 * 1024 ** 2
const PATH = '/api/v1/asset/upload'

/** Where a large file goes, and how much has arrived; null: it is asked. `assetId`: once all has. */
type Upload = { address: string; offset: number | null; assetId: string | null }

export async function uploadAsset(send: Send, file: Blob, options: UploadOptions = {}): Promise<Result<Asset>> {
  const { signal } = options
  const retried = <T>(call: () => Promise<Result<T>>) => withRetry(signal, () => caught(signal, call))
  if (file.size <= LARGE_BYTES) {
    const type = file.type || 'application/octet-stream'
    const init = { method: 'POST', body: file, headers: { 'content-type': type }, signal }
    return await retried(() => read(send(`/api/v1/asset${queryOf(options)}`, init)))
  }
  const upload: Upload = { address: options.address ?? '', offset: null, assetId: null }
  while (upload.assetId === null) {
    const { error } = await retried(() => advance(send, file, upload, options))
    if (error) {
      // What may pass can go on later.
      if (error.status >= 400 && error.status < 500 && error.status !== 429) options.onAddress?.(null)
      return { data: undefined, error }
    }
    options.onProgress?.(upload.offset ?? 0)
  }
  options.onAddress?.(null)
  return await retried(() => read(send(`/api/v1/asset/${upload.assetId}`, { signal })))
}

/** Begins the upload, asks where it stands, or sends the next piece. */
async function advance(send: Send, file: Blob, upload: Upload, options: UploadOptions): Promise<Result<null>> {
  const { signal } = options
  const request = (method: string, path: string, headers: Record<string, string> = {}, body?: Blob) =>
    send(path, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }), signal })
  if (upload.address === '') {
    const begun = await request('POST', PATH + queryOf(options), { 'upload-length': String(file.size) })
    if (!begun.ok) return await failure(begun)
    upload.address = begun.headers.get('location') ?? ''
    upload.offset = 0
    options.onAddress?.(upload.address)
    return DONE
  }
  if (upload.offset === null) {
    const asked = await request('HEAD', upload.address)
    const isOther = asked.ok && Number(asked.headers.get('upload-length')) !== file.size
    // It has ended meanwhile, or is of another file.
    if (asked.status === 404 || isOther) upload.address = ''
    else return await noted(upload, asked)
    return DONE
  }
  const { offset } = upload
  upload.offset = null
  const headers = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
  const sent = await request('PATCH', upload.address, headers, file.slice(offset, offset + PIECE_BYTES))
  // Another offset: it is asked.
  if (sent.status === 409) return DONE
  return await noted(upload, sent)
}

const DONE = { data: null, error: undefined } as const

async function noted(upload: Upload, response: Response): Promise<Result<null>> {
  const { headers } = response
  if (!response.ok || !headers.has('upload-offset')) return await failure(response)
  upload.offset = Number(headers.get('upload-offset'))
  upload.assetId = headers.get('asset-id')
  return DONE
}

function queryOf({ kind, name }: UploadOptions): string {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(name && { name }) }).toString()
  return query && `?${query}`
}

async function read(sent: Promise<Response>): Promise<Result<Asset>> {
  const response = await sent
  if (!response.ok) return await failure(response)
  return { data: ((await response.json()) as { data: Asset }).data, error: undefined }
}

async function failure(response: Response): Promise<{ data: undefined; error: KinoraError }> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // It is no response of the service.
  }
  return { data: undefined, error: errorFromResponse(response, body) }
}

/** A response that does not come is an error like others. @throws the reason of an abort */
async function caught<T>(signal: AbortSignal | undefined, call: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call()
  } catch (cause) {
    if (signal?.aborted) throw cause
    return { data: undefined, error: unreachableError() }
  }
}
