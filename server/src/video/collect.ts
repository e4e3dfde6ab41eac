/**
 * UPLOADING: downloads the film from the provider, checks that it is one, stores it with its thumbnail, and completes the
 * video. All of it runs outside any transaction and under a lease, so a worker may crash anywhere: the next one starts from
 * the beginning, the keys in storage are the same, and only the last call moves credits.
 */
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '../app.ts'
import { FetchError } from '../fetch-error.ts'
import { FilmRefused, type InspectedFilm, inspectFilm } from '../media/film/inspect.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { defer, fail, handBack, leased, renewLease, type Step } from './outcome.ts'
import { videoComplete } from './transitions.ts'

const FETCH_TIMEOUT_MS = 15 * 60_000
const FETCH_IDLE_TIMEOUT_MS = 30_000
/** Some object stores send a generic content type; inspectFilm decides whether the file is a film. */
const FILM_TYPES = ['video/*', 'application/octet-stream', 'binary/octet-stream', 'application/mp4']
/** How long a result that cannot be downloaded or stored is retried. */
export const COLLECT_WINDOW_MS = 3600_000
const BACKOFF_S = [2, 5, 15, 30, 60, 120, 300, 600]
/** Every extension that inspectFilm can return: an earlier attempt may have stored a film under any of them. */
const FILM_EXTENSIONS: InspectedFilm['extension'][] = ['mp4', 'webm', 'mov']

export async function collect(app: App, step: Step): Promise<void> {
  const { video, lease } = step
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
      signal: step.signal,
    })
    app.crashPoint('collect.fetched')
    const film = await inspectFilm(file, { thumbnailFile, signal: step.signal })
    app.crashPoint('collect.inspected')
    await storeAndComplete(app, step, film, file, thumbnailFile)
  } catch (error) {
    await failOrDefer(app, step, error)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Stores an inspected film and its thumbnail, and settles the credits. */
export async function storeAndComplete(
  app: App,
  step: Step,
  film: InspectedFilm,
  file: string,
  thumbnailFile: string,
): Promise<void> {
  const videoKey = filmKey(step, film.extension)
  const thumbnailKey = thumbnailKeyOf(step)
  step.signal.throwIfAborted()
  await app.storage.put(videoKey, file, film.contentType)
  app.crashPoint('collect.film-stored')
  await app.storage.put(thumbnailKey, thumbnailFile, 'image/jpeg')
  app.crashPoint('collect.thumbnail-stored')
  const { sizeBytes, durationS, width, height } = film
  const stored = { videoKey, thumbnailKey, sizeBytes, durationS, width, height }
  await videoComplete(app.sql, { ...leased(app, step), ...stored })
  app.crashPoint('collect.settled')
}

const filmKey = ({ video }: Step, extension: string): string => `video/${video.userId}/${video.id}.${extension}`
const thumbnailKeyOf = ({ video }: Step): string => `video/${video.userId}/${video.id}.jpg`

/** An unusable film fails at once. Any other error, those of this service included, is retried with backoff for an hour. */
async function failOrDefer(app: App, step: Step, error: unknown): Promise<void> {
  const { video } = step
  const now = app.now()
  if (step.signal.aborted) {
    app.log.info({ video: video.id }, 'collecting was interrupted; the next worker starts it again')
    return handBack(app, step)
  }
  const isUnusable = error instanceof FilmRefused || (error instanceof FetchError && !error.retryable)
  const endsAt = (video.resultAt ?? now).getTime() + COLLECT_WINDOW_MS
  if (isUnusable || now.getTime() >= endsAt) {
    // Without the lease another worker may have stored the film, and it may have been paid for.
    if (!(await renewLease(app, step))) return
    await removeStored(app, step)
    const refusal = error instanceof FilmRefused || error instanceof FetchError ? error : null
    const reason = refusal?.message ?? 'The film could not be stored.'
    return fail(app, step, refusal?.code ?? 'NOT_STORED', `The provider's film could not be used: ${reason}`)
  }
  const pauseS = BACKOFF_S[Math.min(video.attempt, BACKOFF_S.length - 1)] ?? 600
  const dueAt = new Date(Math.min(now.getTime() + pauseS * 1000, endsAt))
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof FetchError) {
    app.log.warn({ video: video.id, code: error.code, reason, pauseS }, 'the film cannot be downloaded yet')
  } else {
    app.log.error({ video: video.id, err: error, pauseS }, 'the film could not be checked or stored; trying again')
  }
  await defer(app, step, dueAt, 'not collected yet', reason)
}

/**
 * Removes what an earlier attempt may have stored, so that no film is kept that is not paid for. A storage failure must not
 * keep the user's credits frozen: it is logged, and the video fails all the same.
 */
async function removeStored(app: App, step: Step): Promise<void> {
  for (const key of [...FILM_EXTENSIONS.map((extension) => filmKey(step, extension)), thumbnailKeyOf(step)]) {
    await app.storage
      .remove(key)
      .catch((err: unknown) => app.log.error({ err, key }, 'a file of a failed video could not be removed'))
  }
}
