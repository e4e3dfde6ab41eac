/** Pictures, films and sounds in the body of a request, for a vendor that fetches no link. */
import type { UploadedFile, UploadOutcome } from './provider.ts'

/** The largest file in a body: it is in memory meanwhile, with its base64. */
const BYTES_MAX = 64 * 1024 ** 2

/** The outcome of an upload to a vendor that wants the bytes in the request. */
export async function inlineUpload({ file, contentType }: UploadedFile): Promise<UploadOutcome> {
  if (file.size > BYTES_MAX) {
    const message = `It is larger than ${BYTES_MAX / 1024 ** 2} MB, the most that the provider takes.`
    return { kind: 'refused', failure: { code: 'INPUT_REFUSED', message } }
  }
  const bytes = Buffer.from(await file.arrayBuffer())
  return { kind: 'uploaded', value: `data:${contentType};base64,${bytes.toString('base64')}` }
}

/** The parts of a data URI; null for any other value, such as a link. */
export function readDataUri(value: unknown): { contentType: string; base64: string } | null {
  const uri = typeof value === 'string' && value.startsWith('data:') ? value : ''
  const end = uri.indexOf(';base64,')
  return end < 0 ? null : { contentType: uri.slice('data:'.length, end), base64: uri.slice(end + ';base64,'.length) }
}
