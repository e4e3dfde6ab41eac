/**
 * The films: rendered into the data directory, one after another, served from there, and deleted oldest first beyond 2 GB. Also
 * everything that a sentinel makes of a result other than a film.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { FilmRequest } from './film-request.ts'
import { readSentinels, type SentinelName, type Sentinels } from './sentinels.ts'
import type { Settings } from './settings.ts'

export type Films = ReturnType<typeof openFilms>

const FILMS_BYTES_MAX = 2 * 1024 ** 3
/**
 * 8192×8192 pixels, for testing what decodes untrusted files: one of its pictures takes 100 MB. Every macroblock of the
 * key frame is predicted flat, and every later frame skips all macroblocks.
 */
const HUGE_FILM = new URL('../fixtures/huge.mp4.gz', import.meta.url)
const METADATA_URL = 'http://169.254.169.254/latest/meta-data/'
const ENDLESS_CHUNK_BYTES = 256 * 1024
const ENDLESS_PAUSE_MS = 10
/** Less than any last picture has. */
const TRUNCATED_BYTES = 100
const withoutFilm: SentinelName[] = ['html', 'private', 'endless', 'gone']

export function openFilms({ dataDir, framesPerSecond }: Settings) {
  const dir = path.join(dataDir, 'films')
  mkdirSync(dir, { recursive: true })
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(path.join(dir, name), { force: true })
  let last: Promise<unknown> = Promise.resolve()

  async function renderNow(taskId: string, request: FilmRequest, sentinels: Sentinels): Promise<void> {
    const file = path.join(dir, `${taskId}.mp4`)
    if (sentinels.has('huge')) return writeFile(file, gunzipSync(await readFile(HUGE_FILM)))
    // Loading what renders takes longer than a start.
    const { renderFilm } = await import('./film.ts')
    await renderFilm(request, file, framesPerSecond)
    if (sentinels.has('truncated')) await truncate(file, (await stat(file)).size - TRUNCATED_BYTES)
    deleteOldest(dir)
  }
  return {
    dir,
    /** Renders the film of a task if its result is one; rejects when it cannot be rendered. */
    render: async (taskId: string, request: FilmRequest, sentinels: Sentinels): Promise<void> => {
      // A contradicting callback reports both outcomes, so that even a failed task needs its film.
      if (sentinels.has('fail') && !sentinels.has('contradict')) return
      if (withoutFilm.some((name) => sentinels.has(name))) return
      const done = last.then(() => renderNow(taskId, request, sentinels))
      last = done.catch(() => {})
      return done
    },
  }
}

function deleteOldest(dir: string): void {
  const names = readdirSync(dir).filter((name) => name.endsWith('.mp4'))
  const films = names.map((name) => ({ file: path.join(dir, name), ...statSync(path.join(dir, name)) }))
  let sizeBytes = films.reduce((sum, film) => sum + film.size, 0)
  for (const film of films.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (sizeBytes <= FILMS_BYTES_MAX) return
    rmSync(film.file, { force: true })
    sizeBytes -= film.size
  }
}

/** `GET /films/<task id>.mp4`, with ranges. */
export function filmRoutes({ dir }: Films, promptOf: (taskId: string) => string | undefined) {
  const app = new Hono()
  app.get('/:file', async (c, next) => {
    const file = c.req.param('file')
    const prompt = promptOf(path.basename(file, '.mp4'))
    const sentinels = readSentinels(prompt ?? '')
    if (prompt === undefined || !file.endsWith('.mp4') || sentinels.has('gone'))
      return c.text('There is no such film.\n', 404)
    if (sentinels.has('private')) return c.redirect(METADATA_URL)
    const headers = { 'content-type': 'video/mp4' }
    if (sentinels.has('html'))
      return c.body('<!doctype html><title>Sign in</title><p>Please sign in first.', { headers })
    if (sentinels.has('endless')) return c.body(ReadableStream.from(endlessFilm()) as ReadableStream, { headers })
    return next()
  })
  app.get('/:file', serveStatic({ root: dir, rewriteRequestPath: (url) => path.basename(url) }))
  return app
}

/** Begins as an MP4 does and never ends; about 25 MB a second, which costs little CPU time. */
async function* endlessFilm(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom\0\0\0\0mdat', 'latin1')
  const chunk = Buffer.alloc(ENDLESS_CHUNK_BYTES)
  for (;;) {
    yield chunk
    await sleep(ENDLESS_PAUSE_MS)
  }
}
