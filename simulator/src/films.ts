/**
 * The films: rendered into the data directory, served from there, and deleted oldest first beyond 2 GB. Also everything
 * that a sentinel makes of a result other than a film.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import send from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import type { Renderer } from './renderer.ts'
import { readSentinels, type SentinelName, type Sentinels } from './sentinels.ts'
import type { Task, Tasks } from './tasks.ts'

export type Films = ReturnType<typeof openFilms>

const FILMS_BYTES_MAX = 2 * 1024 ** 3
/**
 * 8192×8192 pixels, for testing what decodes untrusted files: one of its pictures takes 100 MB. Every macroblock of the
 * key frame is predicted flat, and every later frame skips all macroblocks; no encoder at hand is that large.
 */
const HUGE_FILM = new URL('../fixtures/huge.mp4.gz', import.meta.url)
const METADATA_URL = 'http://169.254.169.254/latest/meta-data/'
const ENDLESS_CHUNK_BYTES = 256 * 1024
const ENDLESS_PAUSE_MS = 10
const withoutFilm: SentinelName[] = ['html', 'private', 'endless', 'gone']

export function openFilms(dataDir: string, renderer: Renderer) {
  const dir = path.join(dataDir, 'films')
  mkdirSync(dir, { recursive: true })
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(path.join(dir, name), { force: true })

  /** Renders the film of a task if its result is one; rejects when it cannot be rendered. */
  const render = async (task: Task, sentinels: Sentinels): Promise<void> => {
    // A contradicting callback reports both outcomes, so that even a failed task needs its film.
    if (sentinels.has('fail') && !sentinels.has('contradict')) return
    if (withoutFilm.some((name) => sentinels.has(name))) return
    const file = path.join(dir, `${task.taskId}.mp4`)
    if (sentinels.has('huge')) await writeFile(file, gunzipSync(await readFile(HUGE_FILM)))
    else await renderer.render({ path: file, request: task.request })
    // The index comes first and takes a few kilobytes, so that half of the file ends in the middle of the pictures.
    if (sentinels.has('truncated')) await truncate(file, Math.floor((await stat(file)).size / 2))
    deleteOldest(dir)
  }
  return { dir, render }
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
export function filmRoutes(app: FastifyInstance, films: Films, { tasks }: Tasks): void {
  app.get<{ Params: { file: string } }>('/films/:file', async (request, reply) => {
    const { file } = request.params
    const task = tasks.all.get(path.basename(file, '.mp4'))
    const sentinels = readSentinels(task?.request.prompt ?? '')
    if (!task || !file.endsWith('.mp4') || sentinels.has('gone')) {
      return reply.code(404).type('text/plain').send('There is no such film.\n')
    }
    if (sentinels.has('private')) return reply.redirect(METADATA_URL)
    if (sentinels.has('html')) {
      return reply.type('video/mp4').send(Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in first.'))
    }
    if (sentinels.has('endless')) return reply.type('video/mp4').send(Readable.from(endlessFilm()))
    const sent = await send(request.raw, `/${task.taskId}.mp4`, { root: films.dir })
    return reply.code(sent.statusCode).headers(sent.headers).send(sent.stream)
  })
}

/** Begins as an MP4 does and never ends; about 25 MB a second, which costs little processor time. */
async function* endlessFilm(): AsyncGenerator<Buffer> {
  yield Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom\0\0\0\0mdat', 'latin1')
  const chunk = Buffer.alloc(ENDLESS_CHUNK_BYTES)
  for (;;) {
    yield chunk
    await sleep(ENDLESS_PAUSE_MS)
  }
}
