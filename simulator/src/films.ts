/**
 * The films: rendered to files of the data folder, served from there, and dropped oldest first beyond 2 GB. Also
 * every way in which a result may be something else than a film.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readdir, rm, stat, truncate } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import send from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import type { Renderer } from './renderer.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'
import type { Task, TaskStore } from './task.ts'

export type FilmShelf = {
  dir: string
  /** Makes the film of a task where it needs one; rejects when it cannot be made. */
  make: (task: Task, sentinels: Sentinels) => Promise<void>
}

const FILMS_BYTES_MAX = 2 * 1024 ** 3
const METADATA_ADDRESS = 'http://169.254.169.254/latest/meta-data/'
const ENDLESS_CHUNK_BYTES = 256 * 1024
const ENDLESS_PAUSE_MS = 10

export function openFilmShelf(dataDir: string, renderer: Renderer): FilmShelf {
  const dir = path.join(dataDir, 'films')
  mkdirSync(dir, { recursive: true })
  for (const name of readdirSync(dir)) if (name.endsWith('.part')) rmSync(path.join(dir, name), { force: true })

  const make = async (task: Task, sentinels: Sentinels): Promise<void> => {
    // A contradicting callback claims both outcomes, so that even a failed task needs its film.
    if (sentinels.has('fail') && !sentinels.has('contradict')) return
    if (['html', 'private', 'endless', 'gone'].some((name) => sentinels.has(name as 'html'))) return
    const file = path.join(dir, `${task.taskId}.mp4`)
    await renderer.render({ path: file, order: task.order, huge: sentinels.has('huge') })
    // The index stands first and takes a few kilobytes, so half of the file ends in the middle of the pictures.
    if (sentinels.has('truncated')) await truncate(file, Math.floor((await stat(file)).size / 2))
    await dropOldest(dir)
  }
  return { dir, make }
}

async function dropOldest(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.mp4'))
  const films = await Promise.all(
    names.map(async (name) => {
      const file = path.join(dir, name)
      const { size, mtimeMs } = await stat(file)
      return { file, size, mtimeMs }
    }),
  )
  let sizeBytes = films.reduce((sum, film) => sum + film.size, 0)
  for (const film of films.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (sizeBytes <= FILMS_BYTES_MAX) return
    await rm(film.file, { force: true })
    sizeBytes -= film.size
  }
}

/** `GET /films/<task id>.mp4`, with ranges. */
export function filmRoutes(app: FastifyInstance, films: FilmShelf, store: TaskStore): void {
  app.get<{ Params: { file: string } }>('/films/:file', async (request, reply) => {
    const { file } = request.params
    const task = store.tasks.get(path.basename(file, '.mp4'))
    const sentinels = readSentinels(task?.order.prompt ?? '')
    if (!task || !file.endsWith('.mp4') || sentinels.has('gone')) {
      return reply.code(404).type('text/plain').send('There is no such film.\n')
    }
    if (sentinels.has('private')) return reply.redirect(METADATA_ADDRESS)
    if (sentinels.has('html')) {
      return reply.type('video/mp4').send(Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in first.'))
    }
    if (sentinels.has('endless')) return reply.type('video/mp4').send(Readable.from(endlessFilm()))
    const sent = await send(request.raw, `/${task.taskId}.mp4`, { root: films.dir })
    return reply.code(sent.statusCode).headers(sent.headers).send(sent.stream)
  })
}

/** Begins as an MP4 does and never ends; about 25 MB a second, so that it costs no processor worth mentioning. */
async function* endlessFilm(): AsyncGenerator<Buffer> {
  yield Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom\0\0\0\0mdat', 'latin1')
  const chunk = Buffer.alloc(ENDLESS_CHUNK_BYTES)
  for (;;) {
    yield chunk
    await sleep(ENDLESS_PAUSE_MS)
  }
}
