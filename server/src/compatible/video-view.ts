/**
 * A user's videos with all that the compatible APIs show of them: one by its id, and pages in either sequence.
 * library.ts has what the native API shows. An unknown uuid, another user's and a deleted video get the same 404.
 */

import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { parametersOfFilm } from '../catalogue/request.ts'
import { videoColumns } from '../db/columns.ts'
import type { Row } from '../film/fields.ts'
import { videoIn, withInputs } from '../film/inputs.ts'
import { isUuid } from '../id.ts'
import { noteEndsRead } from '../video/end-read.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { isReached, notFound } from '../video/made-by.ts'
import type { Generated } from '../video/replay.ts'

export type VideoView = Row<'compatible'>

/** A video for a response that shows it: an end is noted as read. @throws AppError NOT_FOUND */
export async function viewVideo(app: App, reader: Reader, uuid: string): Promise<VideoView> {
  const video = await readVideo(app, reader, uuid)
  await noteEndsRead(app, reader, [video])
  return video
}

/** @throws AppError NOT_FOUND */
export async function readVideo({ sql, now }: App, reader: Reader, uuid: string): Promise<VideoView> {
  const [row] = isUuid(uuid)
    ? await sql<VideoView[]>`
        select ${videoColumns(sql, 'compatible', now())} from kinora.video v
        where v.user_id = ${reader.userId} and ${isReached(sql, reader)} and v.id = ${uuid} and v.deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return row
}

/**
 * Keyset pagination by the uuid of the last video of the page before.
 * @throws AppError NOT_FOUND when `after` is not a uuid
 */
export async function viewVideos(
  app: App,
  reader: Reader,
  { after, limit, order }: { after: string | undefined; limit: number; order: 'asc' | 'desc' },
): Promise<{ videos: VideoView[]; hasMore: boolean }> {
  if (after !== undefined && !isUuid(after)) throw notFound()
  const { sql, now } = app
  const isAscending = order === 'asc'
  const rows = await sql<VideoView[]>`
    select ${videoColumns(sql, 'compatible', now())} from kinora.video v
    where v.user_id = ${reader.userId} and ${isReached(sql, reader)} and v.deleted_at is null
      ${after === undefined ? sql`` : isAscending ? sql`and v.id > ${after}` : sql`and v.id < ${after}`}
    order by v.id ${isAscending ? sql`asc` : sql`desc`}
    limit ${limit + 1}
  `
  const videos = rows.slice(0, limit)
  await noteEndsRead(app, reader, videos)
  return { videos, hasMore: rows.length > limit }
}

/** A video as it was created, without reading its row; texts as stored. An idempotent replay gets the same. */
export function viewOfNew(
  { config }: App,
  request: FilmInput,
  { uuid, creditsUsed, createdAt, videos = [] }: Generated,
): VideoView {
  const parameters = parametersOfFilm(catalogue(config), { prompt: '', duration: 0, ...withInputs(request) })
  return {
    ...parameters,
    prompt: parameters.prompt.toWellFormed(),
    madeOf: parameters.madeOf?.map((each) => ({ ...each, source: each.source.toWellFormed() })) ?? null,
    uuid,
    ...filmsBefore(parameters),
    status: 'PENDING',
    progress: 0,
    remixedFrom: null,
    metadata: request.metadata ?? null,
    batchId: videos.length > 1 ? uuid : null,
    creditsUsed,
    createdAt,
    acceptedAt: null,
    completedAt: null,
    failedAt: null,
    failure: null,
    error: null,
    estimatedSeconds: null,
    queuePosition: null,
    videoKey: null,
    thumbnailKey: null,
    isReplayable: null,
  }
}

/**
 * Stores of which film a remix is one, after it is created, so that every other film costs nothing more. A process that
 * ends in between leaves a film without its source; a repeated request stores it.
 */
export async function noteRemix(
  { sql }: App,
  { userId, uuid, source }: { userId: string; uuid: string; source: string },
): Promise<void> {
  await sql`
    update kinora.video set remixed_from = ${source}
    where user_id = ${userId} and id = ${uuid} and id <> ${source} and remixed_from is null
  `
}

/** The film that a video continues, or enlarges. */
function filmsBefore({ mode, madeOf }: Pick<VideoView, 'mode' | 'madeOf'>) {
  const film = videoIn(madeOf?.find(({ role }) => role === 'film')?.source ?? '')
  return { extendedFrom: mode === 'extend' ? film : null, upscaledFrom: mode === 'upscale' ? film : null }
}
