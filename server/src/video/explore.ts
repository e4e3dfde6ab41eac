/**
 * Explore: films that their makers published, which everyone reads while EXPLORE is on. A film is not published until
 * its maker publishes it. Invariant: every reader asks the rows of the film's video and of its maker, so a film is gone
 * at once when it or the account is deleted, the account is locked or the film is no longer kept, in any order of that
 * and a publication.
 *
 * The list is one table: a page is read there, and its films by their keys in the parts of the database that have them.
 * Nothing of a film is copied to it.
 */

import { Type } from 'typebox'
import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { isBanned } from '../db/banned.ts'
import { call, part } from '../db/call.ts'
import { videoColumns } from '../db/columns.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { groupByPart } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import type { Row } from '../film/fields.ts'
import { isUuid, newId } from '../id.ts'
import { isHidden } from './film-files.ts'
import { get } from './library.ts'
import { type Changer, requireMade } from './made-by.ts'

/** A film's publication, for its maker. `id`: its address, null: not published; `removalReason`: an administrator's. */
export type Publication = {
  id: string | null
  showsName: boolean
  publishedAt: Date | null
  administratorId: string | null
  removedAt: Date | null
  removalReason: string | null
}

/** Whose film a row of the list is. */
export type Listed = { userId: string; videoId: string }
/** What everyone may read. `maker`: the shown name of the user or team. Storage keys have the user id. */
export type PublishedFilm = Omit<Row<'explore'>, keyof Files> & Files & Listed & Shown
type Files = { videoKey: string; thumbnailKey: string }
type Shown = { id: string; maker: string | null; publishedAt: Date }

/** @throws AppError NOT_FOUND when the operator has not switched it on */
export function requireExplore({ config }: Pick<App, 'config'>): void {
  if (!config.site.hasExplore) throw new AppError('NOT_FOUND', 'Films are not published at this service.')
}

/** @returns null for a film that is neither published nor removed. @throws AppError NOT_FOUND */
export async function publicationOf(app: App, reader: Reader, videoId: string): Promise<Publication | null> {
  const { userId } = reader
  const { videoUrl } = await get(app, reader, videoId)
  const [row] = await app.sql<Publication[]>`
    select case when published_at is not null and removed_at is null then id end as id, shows_name, published_at,
           administrator_id, removed_at, removal_reason
    from kinora.explore_film
    where user_id = ${userId} and video_id = ${videoId} and (removed_at is not null or published_at is not null)
  `
  return row && (row.removedAt || videoUrl) ? row : null
}

/** Says of each of a user's videos whether everyone sees it: one read by their keys. */
export async function withPublished<V extends { uuid: string; videoUrl: string | null }>(
  { sql, config }: App,
  userId: string,
  videos: readonly V[],
): Promise<(V & { isPublished: boolean })[]> {
  const uuids = config.site.hasExplore ? videos.flatMap(({ uuid, videoUrl }) => (videoUrl ? uuid : [])) : []
  const rows =
    uuids.length === 0
      ? []
      : await sql<{ videoId: string }[]>`
          select video_id from kinora.explore_film
          where user_id = ${userId} and video_id = any(${uuids}) and published_at is not null and removed_at is null
        `
  const published = new Set(rows.map(({ videoId }) => videoId))
  return videos.map((video) => ({ ...video, isPublished: published.has(video.uuid) }))
}

/**
 * Publishes a film, or changes whether its maker's name is shown.
 * @throws AppError NOT_FOUND; CONFLICT while there is no film to show, and for ever when an administrator has removed
 * it; those of requireMade
 */
export async function publishVideo(
  app: App,
  by: Changer,
  videoId: string,
  { showsName }: { showsName: boolean },
): Promise<Publication> {
  const { userId } = by
  await requireMade(app, by, [videoId])
  const { videoUrl } = await get(app, by, videoId)
  if (!videoUrl) throw new AppError('CONFLICT', 'Only a completed film can be published.')
  const now = app.now()
  const outcome = await call(app.sql, 'explore_publish', {
    userId,
    videoId,
    id: newId(now),
    showsName,
    administratorId: by.impersonation?.actorId ?? null,
    now,
  })
  const publication = await publicationOf(app, by, videoId)
  if (outcome === 'removed') {
    throw new AppError('CONFLICT', 'An administrator removed this film from Explore; it cannot be published again.')
  }
  if (!publication) throw new AppError('CONFLICT', 'The film was changed meanwhile; read the video again.')
  return publication
}

/** Idempotent. Reports stay, in case it is published again. @throws AppError NOT_FOUND; those of requireMade */
export async function unpublishVideo(app: App, by: Changer, videoId: string): Promise<Publication | null> {
  const { userId } = by
  await requireMade(app, by, [videoId])
  await app.sql`
    update kinora.explore_film set published_at = null
    where user_id = ${userId} and video_id = ${isUuid(videoId) ? videoId : null} and removed_at is null
  `
  return await publicationOf(app, by, videoId)
}

export const publishedFilters = {
  from: filter(
    Type.String({ format: 'date-time', description: 'Only films published then or later' }),
    (sql, from) => sql`f.published_at >= ${new Date(from)}`,
  ),
  /** Of the maker no more is known than that the films have one name. */
  makerOf: filter(
    Type.String({ format: 'uuid', description: 'Only films of the maker of this one, whose name each of them shows' }),
    (sql, id) => sql`
      f.shows_name and f.user_id = (select m.user_id from kinora.explore_film m where m.id = ${id} and m.shows_name)
    `,
  ),
}

/**
 * Newest first, by keyset pagination; a page may have fewer films than `pageSize` when some of them are gone.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listPublished(app: App, query: QueryOf<typeof publishedFilters> & PageQuery) {
  const { sql } = app
  const { rows, ...page } = await readPage(sql, query, {
    sequence: by('f.id', 'id'),
    where: () => sql`${isListed(app)} and ${matches(sql, publishedFilters, query)}`,
    rows: (_, { where, order, limit }) => sql<(Listed & Shown)[]>`
      select ${shownColumns(sql)}
      ${fromFilms(sql)}
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  const { films, gone } = await withFilms(app, rows)
  await forget(app, gone)
  return { films, ...page }
}

/** @returns null for a film that is not published, or not there any more */
export async function readPublished(app: App, id: string): Promise<PublishedFilm | null> {
  if (!isUuid(id)) return null
  const { sql } = app
  const rows = await sql<(Listed & Shown)[]>`
    select ${shownColumns(sql)}
    ${fromFilms(sql)}
    where f.id = ${id} and ${isListed(app)}
  `
  const { films } = await withFilms(app, rows)
  return films[0] ?? null
}

export const REPORT_REASONS = ['sexual', 'violence', 'hate', 'person', 'copyright', 'spam', 'other'] as const
const REPORTS_PER_HOUR = 20
export type ReportReason = (typeof REPORT_REASONS)[number]

/** Reports a film to the administrators, once for each user. @throws AppError NOT_FOUND, RATE_LIMITED */
export async function reportFilm(
  app: App,
  userId: string,
  id: string,
  { reason, note }: { reason: ReportReason; note: string | null },
): Promise<void> {
  if (!(await readPublished(app, id))) throw notPublished()
  const now = app.now()
  const outcome = await call(app.sql, 'explore_report_film', {
    id,
    reportId: newId(now),
    reporterId: userId,
    reason,
    note,
    max: REPORTS_PER_HOUR,
    now,
  })
  if (outcome === 'not_found') throw notPublished()
  if (outcome === 'too_many') {
    const message = `You have reported ${REPORTS_PER_HOUR} films within an hour; wait a little and try again.`
    throw new AppError('RATE_LIMITED', message, { retryAfterS: 3600 })
  }
}

export const notPublished = () => new AppError('NOT_FOUND', 'This film is not published any more.')

const shownColumns = (sql: App['sql']) => sql`
  f.user_id, f.video_id, f.id, f.published_at, case when f.shows_name then nullif(btrim(coalesce(t.name, u.name)), '') end as maker
`
/** A film is a user's or a team's; neither is there after its deletion. */
const fromFilms = (sql: App['sql']) => sql`
  from kinora.explore_film f
  left join public."user" u on u.id = f.user_id::text
  left join kinora.team t on t.id = f.user_id
`

const isListed = ({ sql, now }: App) => sql`
  f.published_at is not null and f.removed_at is null and (t.id is not null and t.locked_at is null or u.id is not null and not ${isBanned(sql, now())})
  and (f.administrator_id is null or ${part(sql, 'is_administrator', { userId: sql`f.administrator_id`, now: now() })})
`

/** Reads the films of rows, in their sequence. `gone`: those whose video has none any more, and never will. */
export async function withFilms<R extends Listed>(
  app: App,
  rows: readonly R[],
): Promise<{ films: (R & Omit<Row<'explore'>, keyof Files> & Files)[]; gone: R[] }> {
  const groups = groupByPart(app.database, [...rows], ({ userId }) => userId)
  const read = await Promise.allSettled(groups.map((group) => readFilms(app, group)))
  const reached = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  for (const result of read) {
    if (result.status === 'fulfilled') continue
    if (reached.length === 0) throw result.reason
    app.log.warn({ err: result.reason }, 'a part of the database cannot be reached; the films of the others are shown')
  }
  const byVideo = new Map(reached.flat().map((film) => [film.videoId, film]))
  const films = rows.flatMap((row) => {
    const film = byVideo.get(row.videoId)
    return film?.videoKey && film.thumbnailKey
      ? [{ ...film, ...row, videoKey: film.videoKey, thumbnailKey: film.thumbnailKey }]
      : []
  })
  const known = groups.filter((_, i) => read[i]?.status === 'fulfilled').flat()
  return { films, gone: known.filter(({ videoId }) => !byVideo.has(videoId)) }
}

/** Those of rows that are there; one that is hidden has no keys. */
async function readFilms(
  { sql, now }: App,
  rows: readonly Listed[],
): Promise<(Row<'explore'> & { videoId: string })[]> {
  if (rows.length === 0) return []
  const [userIds, videoIds] = [rows.map(({ userId }) => userId), rows.map(({ videoId }) => videoId)]
  return await sql<(Row<'explore'> & { videoId: string })[]>`
    select v.id as video_id, ${videoColumns(sql, 'explore', now())}
    from unnest(${userIds}::uuid[], ${videoIds}::uuid[]) as listed (user_id, video_id)
    join kinora.video v on v.user_id = listed.user_id and v.id = listed.video_id
    where v.status = 'COMPLETED' and v.deleted_at is null and (v.files_removed_at is null or ${isHidden(sql, now())})
  `
}

/** Removes rows whose film is gone, so that no later page reads them: what is deleted never comes back. */
export async function forget({ sql }: App, gone: readonly Listed[]): Promise<void> {
  if (gone.length === 0) return
  const [userIds, videoIds] = [gone.map(({ userId }) => userId), gone.map(({ videoId }) => videoId)]
  await sql`
    delete from kinora.explore_film f
    using unnest(${userIds}::uuid[], ${videoIds}::uuid[]) as gone (user_id, video_id)
    where f.user_id = gone.user_id and f.video_id = gone.video_id
  `
}
