/** Sends a file to the service. Loaded with the first one. */
import { type AllPaths, type DataOf, openKinora } from '@kinora/client'
import { dataOf, kinora, queryClient } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { delay } from '../delay.ts'
import { assetQuery, filesOf, UNKNOWN_TYPE } from './asset-file.ts'
import { type DraftInput, KINDS } from './form-values.ts'
import { sendFile } from './upload-fetch.ts'

type Sending = { signal?: AbortSignal | undefined; onProgress?: ((percentage: number) => void) | undefined }
type Asset = DataOf<'post', '/api/v1/asset'>

/** A larger file goes in pieces: a lost connection, or a reload of the page, does not lose what has arrived. */
const IN_PIECES_BYTES = 16 * 1024 * 1024

/** The service says when it may have room for a file that waited in vain; the user may stop. */
const WAIT_MAX_S = 30
const ATTEMPTS = 9

/** @param onProgress receives the percentage that was sent */
export async function uploadFile(file: Blob, sending: Sending = {}): Promise<DraftInput> {
  const asset = file.size > IN_PIECES_BYTES ? await sendInPieces(file, sending) : await sendWhole(file, sending)
  queryClient.setQueryData(assetQuery(asset.id).queryKey, asset)
  const { id, kind, width, height, durationS } = asset
  return { kind, asset: id, ...(width && height && { width, height }), ...(durationS && { seconds: durationS }) }
}

async function sendWhole(file: Blob, { signal, onProgress }: Sending): Promise<Asset> {
  const sender = openKinora<AllPaths>({ fetch: (request) => sendFile(request, file, onProgress) })
  // The service looks into the file: a type that it does not know is an unknown one.
  const isKnown = KINDS.some((kind) => filesOf[kind].types.includes(file.type))
  const headers = { 'content-type': isKnown ? file.type : UNKNOWN_TYPE }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sender.POST('/api/v1/asset', { body: file, headers, ...(signal && { signal }) })
    const waitS = answer.error?.retryAfterSeconds ?? WAIT_MAX_S
    if (waitS >= WAIT_MAX_S || attempt === ATTEMPTS) return await dataOf(Promise.resolve(answer))
    await delay(waitS * 1000, signal)
  }
}

/** The same file goes on where its upload was broken off; that of another owner the service does not know. */
async function sendInPieces(file: Blob, { signal, onProgress }: Sending): Promise<Asset> {
  const { name = '', lastModified = 0 } = file as Partial<File>
  const key = `kinora.upload.${name}.${file.size}.${lastModified}`
  const kept = browserStorage.read(key)
  return await dataOf(
    kinora.uploadAsset(file, {
      ...(signal && { signal }),
      address: typeof kept === 'string' ? kept : null,
      onAddress: (address) => browserStorage.write(key, address),
      onProgress: (bytes) => onProgress?.((100 * bytes) / file.size),
    }),
  )
}
