/**
 * The films: rendered into the data directory, one after another, and served from there. Also everything that a
 * sentinel makes of a result other than a film.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import type { FilmRequest } from './film-request.ts'
import { readSentinels, type SentinelName, type Sentinels } from './sentinels.ts'
import type { Settings } from './settings.ts'

export type Films = ReturnType<typeof openFilms>

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
const asFilm = { headers: { 'content-type': 'video/mp4' } }
/** What the URL of a film responds with these sentinels, which have none. */
const otherResults: [SentinelName, (c: Context) => Response][] = [
  ['gone', (c) => c.text('There is no such film.\n', 404)],
  ['private', (c) => c.redirect(METADATA_URL)],
  ['html', (c) => c.body('<!doctype html><title>Sign in</title><p>Please sign in first.', asFilm)],
  ['endless', (c) => c.body(endlessFilm(), asFilm)],
]

/** Begins as an MP4 does and never ends; about 25 MB a second, which costs little CPU time. */
function endlessFilm(): ReadableStream {
  const chunk = Buffer.alloc(ENDLESS_CHUNK_BYTES)
  return new ReadableStream({
    start: (film) => film.enqueue(Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom\0\0\0\0mdat', 'latin1')),
    pull: (film) => sleep(ENDLESS_PAUSE_MS).then(() => film.enqueue(chunk)),
  })
}

/** What is rendered instead of the request with these sentinels. */
function made(request: FilmRequest, sentinels: Sentinels): FilmRequest {
  const { width, height, durationS } = request
  const quarter = (side: number): number => 2 * Math.round(side / 8)
  const [across, down] = sentinels.has('turned') ? [height, width] : [width, height]
  return {
    ...request,
    width: sentinels.has('small') ? quarter(across) : across,
    height: sentinels.has('small') ? quarter(down) : down,
    durationS: sentinels.has('short') ? 1 : durationS,
  }
}

export function openFilms({ dataDir, framesPerSecond }: Settings) {
  const dir = path.join(dataDir, 'films')
  mkdirSync(dir, { recursive: true })
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(path.join(dir, name), { force: true })
  const fileOf = (taskId: string): string => path.join(dir, `${taskId}.mp4`)
  let last: Promise<unknown> = Promise.resolve()

  async function renderNow(taskId: string, wanted: FilmRequest, sentinels: Sentinels): Promise<FilmRequest> {
    const file = fileOf(taskId)
    if (sentinels.has('huge')) await writeFile(file, gunzipSync(await readFile(HUGE_FILM)))
    if (sentinels.has('huge')) return wanted
    // Loading what renders takes longer than a start.
    const { arrivedFor, renderFilm } = await import('./film.ts')
    const { request, arrived } = await arrivedFor(wanted)
    await renderFilm(made(request, sentinels), arrived, file, framesPerSecond)
    if (sentinels.has('truncated')) await truncate(file, (await stat(file)).size - TRUNCATED_BYTES)
    const inputs = arrived.map(({ picture: _, ...measured }) => measured)
    return { ...request, inputs }
  }
  return {
    dir,
    remove: (taskId: string): void => rmSync(fileOf(taskId), { force: true }),
    /**
     * Renders the film of a task if its result is one; rejects when it cannot be rendered.
     * @returns the request with what its inputs decided, and what was measured of them
     */
    render: async (taskId: string, request: FilmRequest, sentinels: Sentinels): Promise<FilmRequest> => {
      // A contradicting callback reports both outcomes, so that even a failed task needs its film.
      if (sentinels.has('fail') && !sentinels.has('contradict')) return request
      if (otherResults.some(([name]) => sentinels.has(name))) return request
      const done = last.then(() => renderNow(taskId, request, sentinels))
      last = done.catch(() => {})
      return done
    },
  }
}

/** `GET /films/<task id>.mp4`, with ranges. */
export function filmRoutes({ dir }: Films, promptOf: (taskId: string) => string | undefined) {
  const app = new Hono()
  /** How often a film with `[late-film]` was requested. */
  const requests = new Map<string, number>()
  app.get('/:file', async (c, next) => {
    const file = c.req.param('file')
    const sentinels = readSentinels(promptOf(path.basename(file, '.mp4')) ?? '[gone]')
    const [, send = next] = otherResults.find(([name]) => sentinels.has(name)) ?? []
    if (sentinels.has('untyped')) return c.body(await readFile(path.join(dir, path.basename(file))))
    const request = requests.get(file) ?? 0
    if (!sentinels.has('late-film') || request === 3) return send(c)
    requests.set(file, request + 1)
    if (request < 2) return c.body(null, request === 0 ? 202 : 200, asFilm.headers)
    const film = await readFile(path.join(dir, path.basename(file)))
    return c.body(film.subarray(0, film.length / 2), asFilm)
  })
  app.get('/:file', serveStatic({ root: dir, rewriteRequestPath: (url) => path.basename(url) }))
  return app
}
