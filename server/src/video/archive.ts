/**
 * Several films as one ZIP, each named by its prompt. Streamed with back pressure: the next chunk of a film is read
 * when the client has taken the one before. Entries are stored without compression, because films are compressed
 * already.
 */
import { Readable } from 'node:stream'
import { makeZip } from 'client-zip'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { downloadNameOf } from '../storage/key.ts'
import { manifestKeyOf } from './film-files.ts'
import { notFound } from './made-by.ts'

export const ARCHIVE_FILMS_MAX = 100
/** A file system takes 255 bytes, of which a character has four at most. */
const NAME_CHARACTERS_MAX = 60

/** `prompt`: what names it. */
export type Film = {
  prompt: string
  videoKey: string | null
  manifestKey: string | null
  completedAt: Date | null
}
type Entry = { name: string; lastModified: Date; input: AsyncIterable<Uint8Array> | string }

/**
 * The ZIP of these films. Videos without a film are left out. It errors, and the download breaks off, when a film
 * cannot be read to its end.
 * @throws AppError NOT_FOUND unless all videos are the user's; CONFLICT when none of them has a film
 */
export async function archiveFilms(app: App, userId: string, videoIds: string[]): Promise<Readable> {
  const ids = new Set(videoIds.map((id) => id.toLowerCase()))
  if (![...ids].every(isUuid)) throw notFound()
  const rows = await app.sql<Film[]>`
    select prompt, completed_at, case when files_removed_at is null then video_key end as video_key, manifest_key
    from kinora.video
    where user_id = ${userId} and id = any(${[...ids]}::uuid[]) and deleted_at is null
    order by id
  `
  if (rows.length < ids.size) throw notFound()
  const films = rows.filter(({ videoKey }) => videoKey !== null)
  if (films.length === 0) throw new AppError('CONFLICT', 'None of these videos has a film.')
  return zipOf(app, films)
}

/** @param more what follows the films, whose names it is given, in their order */
export function zipOf(
  app: App,
  films: Film[],
  more: (names: string[], signal: AbortSignal) => AsyncIterable<Entry> | Entry[] = () => [],
): Readable {
  const abort = new AbortController()
  const taken = new Set<string>()
  const names = films.map(({ videoKey, prompt }) => uniqueName(taken, videoKey ?? '', prompt))
  async function* entries() {
    yield* entriesOf(app, films, names, abort.signal)
    yield* more(names, abort.signal)
  }
  const stream = Readable.from(makeZip(entries()), { objectMode: false })
  // Closes the film that is being read: the ZIP library does not end an entry that it stops reading.
  stream.once('close', () => abort.abort())
  return stream
}

async function* entriesOf({ storage, now }: App, films: Film[], names: string[], signal: AbortSignal) {
  for (const [i, { videoKey, manifestKey, completedAt }] of films.entries()) {
    const input = videoKey === null ? null : await storage.read(videoKey, signal)
    const name = names[i]
    if (input === null || name === undefined) continue
    const lastModified = completedAt ?? now()
    yield { name, lastModified, input }
    const manifest = manifestKey === null ? null : await storage.read(manifestKey, signal)
    // Named as its film, by which tools find it.
    if (manifest) yield { name: manifestKeyOf(name), lastModified, input: manifest }
  }
}

/** Two films of one prompt are numbered. */
function uniqueName(taken: Set<string>, key: string, prompt: string): string {
  const wanted = [...prompt].slice(0, NAME_CHARACTERS_MAX).join('').trim()
  for (let n = 1; ; n++) {
    const name = downloadNameOf(key, n === 1 ? wanted : `${n} ${wanted}`)
    // Two films of one name and different kinds would have manifests of one name.
    const base = manifestKeyOf(name).toLowerCase()
    if (taken.has(base)) continue
    taken.add(base)
    return name
  }
}
