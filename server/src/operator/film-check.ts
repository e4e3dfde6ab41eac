/** `kinora verify --files`: whether storage has the film and the thumbnail of every completed video, as large as its row says. */

import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { adviceOf } from '../credit/advice.ts'
import type { Difference, UserRange } from '../credit/verify.ts'
import type { Sql } from '../db/db.ts'
import { NIL_UUID } from '../id.ts'
import type { Storage } from '../storage/storage.ts'

/** Requests to storage at the same time. */
const CONCURRENCY = 32
const PAGE = 1000

type Film = { userId: string; id: string; videoKey: string; thumbnailKey: string | null; sizeBytes: number | null }

/** Checks the films of a range of users. @throws StorageError, or an error of the bucket, when storage does not answer */
export async function checkFilms(
  { sql, storage }: { sql: Sql; storage: Storage },
  range: UserRange,
  signal?: AbortSignal,
): Promise<{ films: number; differences: Difference[] }> {
  const differences: Difference[] = []
  let films = 0
  // Keyset pagination: a cursor would hold its snapshot for as long as storage takes.
  let after = { userId: range.from, id: NIL_UUID }
  while (!signal?.aborted) {
    const page = await sql<Film[]>`
      select user_id, id, video_key, thumbnail_key, size_bytes
      from kinora.video
      where (user_id, id) > (${after.userId}, ${after.id}) and (${range.to}::uuid is null or user_id < ${range.to})
        and status = 'COMPLETED' and files_removed_at is null
      order by user_id, id
      limit ${PAGE}
    `
    await forEachConcurrently(page, CONCURRENCY, async (film) => {
      if (!signal?.aborted) differences.push(...(await checkFilm(storage, film)))
    })
    films += page.length
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last
  }
  return { films, differences: await withoutRemoved(sql, differences) }
}

async function checkFilm(
  storage: Storage,
  { userId, id, videoKey, thumbnailKey, sizeBytes }: Film,
): Promise<Difference[]> {
  const difference = (rule: string, expected: string, found: string): Difference[] => [
    { userId, subject: `video ${id}`, rule, expected, found, advice: adviceOf(rule) },
  ]
  const found = await storage.size(videoKey)
  const missing =
    found === null ? videoKey : thumbnailKey && (await storage.size(thumbnailKey)) === null ? thumbnailKey : null
  if (missing !== null) return difference('a completed video has its film', missing, 'no file')
  if (sizeBytes === null || found === sizeBytes) return []
  return difference('a film is as large as its row says', `${sizeBytes} bytes`, `${found} bytes`)
}

/** Retention removes the files first and then marks the row, so a missing file counts only while its row is not marked. */
async function withoutRemoved(sql: Sql, differences: Difference[]): Promise<Difference[]> {
  const kept: Difference[] = []
  for (const difference of differences) {
    const rows = await sql`
      select from kinora.video
      where user_id = ${difference.userId} and id = ${difference.subject.slice('video '.length)} and files_removed_at is null
    `
    if (rows.length > 0) kept.push(difference)
  }
  return kept
}
