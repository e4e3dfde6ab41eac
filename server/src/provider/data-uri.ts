/** Pictures, films and sounds in the body of a request, for a vendor that fetches no link. */
import type { UploadedFile } from './provider.ts'

export const dataUri = ({ bytes, contentType }: UploadedFile): string =>
  `data:${contentType};base64,${bytes.toString('base64')}`

/** The parts of a data URI; null for any other value, such as a link. */
export function readDataUri(value: unknown): { contentType: string; base64: string } | null {
  const uri = typeof value === 'string' && value.startsWith('data:') ? value : ''
  const end = uri.indexOf(';base64,')
  return end < 0 ? null : { contentType: uri.slice('data:'.length, end), base64: uri.slice(end + ';base64,'.length) }
}
