/** The files that inputs are, and the assets that they become. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { KINDS, type Kind } from './form-values.ts'

const MB = 1024 * 1024
export const filesOf: Record<Kind, { media: string; types: string[]; endings: string[]; bytesMax: number }> = {
  image: {
    media: 'image/',
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/avif'],
    endings: ['png', 'jpg', 'jpeg', 'webp', 'avif'],
    bytesMax: 15 * MB,
  },
  film: {
    media: 'video/',
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    endings: ['mp4', 'mov', 'webm'],
    bytesMax: 200 * MB,
  },
  sound: {
    media: 'audio/',
    types: ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/ogg'],
    endings: ['mp3', 'wav', 'm4a', 'ogg'],
    bytesMax: 30 * MB,
  },
}

/** What a file dialog offers. */
export const acceptOf = (kinds: readonly string[]): string =>
  KINDS.filter((kind) => kinds.includes(kind))
    .flatMap((kind) => [...filesOf[kind].types, ...filesOf[kind].endings.map((ending) => `.${ending}`)])
    .join(',')

/** By its type, else its name; an image where neither says, as the API looks into it. */
export function kindOfFile({ type, name = '' }: { type: string; name?: string }): Kind {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  const byType = KINDS.find((kind) => type.startsWith(filesOf[kind].media))
  return byType ?? KINDS.find((kind) => filesOf[kind].endings.includes(ending)) ?? 'image'
}

/** The media type of a file whose type the operating system does not know. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** An asset with a link to it, which is signed anew before it expires. */
export const assetQuery = (id: string) =>
  queryOptions({
    queryKey: ['asset', id],
    queryFn: () => dataOf(kinora.GET('/api/v1/asset/{id}', { params: { path: { id } } })),
    staleTime: 3600_000,
  })
