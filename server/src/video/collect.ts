/**
 * UPLOADING: fetches the film from the provider, checks that it is one, stores it with its thumbnail, and settles. All of
 * it outside any transaction and under a lease, so that a worker may die anywhere: the next one begins anew, the keys in
 * storage are the same, and the last call alone moves credits.
 */
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '../app.ts'
import { FetchError } from '../fetch-error.ts'
import { FilmRefused, type InspectedFilm, inspectFilm } from '../media/film/inspect.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { defer, fail, handBack, keepLease, type Step } from './outcome.ts'

const FETCH_TIMEOUT_MS = 15 * 60_000
const FETCH_IDLE_TIMEOUT_MS = 30_000
/** Some stores do not know what they hold; whether it is a film is found out by looking. */
const FILM_TYPES = ['video/*', 'application/octet-stream', 'binary/octet-stream', 'application/mp4']
/** How long an unreachable result is tried for. */
export const COLLECT_WINDOW_MS = 3600_000
const BACKOFF_S = [2, 5, 15, 30, 60, 120, 300, 600]

export async function collect(app: App, work: Step): Promise<void> {
  const { video, lease } = work
  app.crashPoint('collect.claimed')
  const dir = path.join(temporaryDir(app.config.dataDir), `${video.id}-${lease}`)
  const file = path.join(dir, 'film')
  const thumbnailFile = path.join(dir, 'thumbnail.jpg')
  try {
    await mkdir(dir, { recursive: true })
    await app.fetch.toFile(video.resultUrl ?? '', file, {
      maxBytes: app.config.filmBytesMax,
      timeoutMs: FETCH_TIMEOUT_MS,
      idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
      accept: FILM_TYPES,
      signal: work.signal,
    })
    app.crashPoint('collect.fetched')
    const film = await inspectFilm(file, { thumbnailFile, signal: work.signal })
    app.crashPoint('collect.inspected')
    await keep(app, work, film, file, thumbnailFile)
  } catch (error) {
    await giveUpOrDefer(app, work, error)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Stores a film that has been inspected, and settles. */
export async function keep(
  app: App,
  work: Step,
  film: InspectedFilm,
  file: string,
  thumbnailFile: string,
): Promise<void> {
  const { video, lease } = work
  const videoKey = `video/${video.userId}/${video.id}.${film.extension}`
  const thumbnailKey = thumbnailKeyOf(work)
  work.signal.throwIfAborted()
  await app.storage.put(videoKey, file, film.contentType)
  app.crashPoint('collect.film-stored')
  await app.storage.put(thumbnailKey, thumbnailFile, 'image/jpeg')
  app.crashPoint('collect.thumbnail-stored')
  await app.sql`
    select kinora.video_completed(
      ${video.userId}, ${video.id}, ${lease}, ${videoKey}, ${thumbnailKey}, ${film.sizeBytes}, ${film.durationS},
      ${film.width}, ${film.height}, ${app.now()}
    )
  `
  app.crashPoint('collect.settled')
}

const thumbnailKeyOf = ({ video }: Step): string => `video/${video.userId}/${video.id}.jpg`

/** A film that is at fault fails at once. What may be better later, our own trouble included, is tried for an hour. */
async function giveUpOrDefer(app: App, work: Step, error: unknown): Promise<void> {
  const { video } = work
  const now = app.now()
  if (work.signal.aborted) {
    app.log.info({ video: video.id }, 'collecting was interrupted; it will be taken up again')
    return handBack(app, work)
  }
  const atFault = error instanceof FilmRefused || (error instanceof FetchError && !error.retryable)
  const endsAt = (video.resultAt ?? now).getTime() + COLLECT_WINDOW_MS
  if (atFault || now.getTime() >= endsAt) {
    // A step that was overtaken must not touch what another worker has stored, and perhaps been paid for.
    if (!(await keepLease(app, work))) return
    await removeStored(app, work)
    const refusal = error instanceof FilmRefused || error instanceof FetchError ? error : null
    const reason = refusal?.message ?? 'The film could not be stored.'
    return fail(app, work, refusal?.code ?? 'NOT_STORED', `The provider's film could not be used: ${reason}`)
  }
  const pauseS = BACKOFF_S[Math.min(video.attempt, BACKOFF_S.length - 1)] ?? 600
  const dueAt = new Date(Math.min(now.getTime() + pauseS * 1000, endsAt))
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof FetchError) {
    app.log.warn({ video: video.id, code: error.code, reason, pauseS }, 'the film cannot be fetched yet')
  } else {
    app.log.error({ video: video.id, err: error, pauseS }, 'the film could not be checked or stored; trying again')
  }
  await defer(app, work, dueAt, 'not collected yet', reason)
}

/**
 * Whatever an earlier try may have stored goes, so that nothing is kept of a film that is not paid for. Storage that
 * cannot do even that must not keep the user's credits: then the log says what is left.
 */
async function removeStored(app: App, work: Step): Promise<void> {
  const { video } = work
  const films = ['mp4', 'webm', 'mov'].map((extension) => `video/${video.userId}/${video.id}.${extension}`)
  for (const key of [...films, thumbnailKeyOf(work)]) {
    await app.storage
      .remove(key)
      .catch((err: unknown) => app.log.error({ err, key }, 'a file of a failed video could not be removed'))
  }
}
