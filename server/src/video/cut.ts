/**
 * A cut: one film of a project's takes, rendered here. It is a video whose model is `cut`, so that its files, links,
 * signature and deletion are those of a film; a worker renders it under its lease in the place of a provider
 * (server/sql/cut.sql).
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '../app.ts'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { filmSize } from '../catalogue/film-size.ts'
import { type Input, keyIn, ofAsset, ofVideo, videoIn } from '../film/inputs.ts'
import { CUT } from '../film/mode.ts'
import type { CutRecipe } from '../media/cut/cut.ts'
import { renderCut } from '../media/cut/render.ts'
import { queues } from '../media/queues.ts'
import { MediaRefused } from '../media/refusal.ts'
import { collect } from './collect.ts'
import { fail, idsOf, LEASE_MS, leased, returnLease, type Step } from './outcome.ts'
import { videoRender } from './transitions.ts'

/** What is shown of a take. */
export type Part = { videoId: string; inMs: number; outMs: number }
/** `sound`: beside the takes' own; `key`: of the asset. */
export type Cut = {
  projectId: string
  aspectRatio: string
  quality: string
  fit: 'fit' | 'crop'
  parts: Part[]
  sound: { key: string; volume: number; fadeInS: number; fadeOutS: number } | null
}

/** A cut as the row of its video has it: its takes as inputs in their order, the rest as options. */
export function recordOf({ projectId, aspectRatio, quality, fit, parts, sound }: Cut) {
  const takes = parts.map(({ videoId }): Input => ({ role: 'film', kind: 'film', source: ofVideo(videoId) }))
  const { key, ...mix } = sound ?? {}
  return {
    ...{ model: CUT, mode: CUT, aspectRatio, quality },
    madeOf:
      key === undefined ? takes : [...takes, { role: 'sound' as const, kind: 'sound' as const, source: ofAsset(key) }],
    options: { project: projectId, fit, cuts: parts.map(({ inMs, outMs }) => `${inMs}-${outMs}`).join(), ...mix },
  }
}

type Stored = Pick<Step['video'], 'madeOf' | 'options' | 'aspectRatio' | 'quality'>

/** The recipe of the row, and what its files are: each once. */
function recipeOf({ madeOf, options, aspectRatio, quality }: Stored): { recipe: CutRecipe; sources: string[] } {
  const { fit, cuts = '', volume = 1, fadeInS = 0, fadeOutS = 0 } = options ?? {}
  const inputs = madeOf ?? []
  const sources = [...new Set(inputs.map(({ source }) => source))]
  const times = String(cuts).split(',')
  const shots = inputs.flatMap(({ role, source }, i) => {
    const [inMs = 0, outMs = 0] = (times[i] ?? '').split('-').map(Number)
    return role === 'film' ? [{ file: sources.indexOf(source), inMs, outMs }] : []
  })
  const sound = inputs.find(({ role }) => role === 'sound')
  const recipe: CutRecipe = { ...filmSize(aspectRatio, quality), fit: fit === 'crop' ? 'crop' : 'fit', shots }
  if (!sound) return { recipe, sources }
  const mix = { volume: Number(volume), fadeInS: Number(fadeInS), fadeOutS: Number(fadeOutS) }
  return { recipe: { ...recipe, sound: { file: sources.indexOf(sound.source), ...mix } }, sources }
}

const BUSY_PAUSE_MS = 5_000
const NOTE_EVERY_MS = 2_000

/**
 * PENDING, GENERATING, or UPLOADING after a worker died: renders a cut, and collects it. Where no place is free it
 * waits in the database.
 */
export async function runCut(app: App, step: Step): Promise<void> {
  app.crashPoint('cut.claimed')
  const now = app.now()
  if (now >= step.video.deadlineAt) {
    return fail(app, step, { code: 'TIMED_OUT', message: 'The cut was not rendered in time.' })
  }
  if (queues.cut.isBusy()) return returnLease(app, step, new Date(now.getTime() + BUSY_PAUSE_MS))
  if ((await note(app, step, null)) === 'stale') return
  app.crashPoint('cut.begun')
  await collect(app, step, render)
}

/** @throws MediaRefused for what the user can change; any other error is tried again */
async function render(app: App, step: Step, file: string): Promise<void> {
  const { video, signal } = step
  const { recipe, sources } = recipeOf(video)
  const files = sources.map((_, i) => path.join(path.dirname(file), `take-${i}`))
  await forEachConcurrently(sources.entries(), 4, ([i, source]) => fetchTo(files[i] ?? '', app, step, source))
  let notedMs = 0
  const onProgress = (percent: number) => {
    if (performance.now() - notedMs < NOTE_EVERY_MS) return
    notedMs = performance.now()
    note(app, step, percent).catch((err: unknown) =>
      app.log.warn({ err, ...idsOf(app, video) }, 'the progress of a cut could not be noted'),
    )
  }
  await renderCut(recipe, files, file, { userId: video.userId, signal, onProgress })
  app.crashPoint('cut.rendered')
  await videoRender(app.calls, { ...leased(app, step), progress: null, isFinished: true, leaseUntil: leaseFrom(app) })
}

/** Copies a take, or the sound, from the storage. @throws MediaRefused when it is gone */
async function fetchTo(file: string, app: App, { video, signal }: Step, source: string): Promise<void> {
  const videoId = videoIn(source)
  const key = videoId === null ? keyIn(source) : await keyOfTake(app, video.userId, videoId)
  const stored = key === null ? null : await app.storage.read(key, signal)
  if (!stored) throw new MediaRefused('UNDECODABLE', `${nameOf(video, source)} is no longer stored.`)
  await writeFile(file, stored, { mode: 0o600, signal })
}

async function keyOfTake({ sql }: App, userId: string, videoId: string): Promise<string | null> {
  const [take] = await sql<{ videoKey: string | null }[]>`
    select video_key
    from kinora.video
    where user_id = ${userId} and id = ${videoId} and deleted_at is null and files_removed_at is null
  `
  return take?.videoKey ?? null
}

const nameOf = ({ madeOf }: Stored, source: string): string => {
  const number = (madeOf ?? []).findIndex((input) => input.source === source) + 1
  return videoIn(source) === null ? 'The sound' : `The take of shot ${number}`
}

const note = (app: App, step: Step, progress: number | null) =>
  videoRender(app.calls, { ...leased(app, step), progress, isFinished: false, leaseUntil: leaseFrom(app) })

const leaseFrom = (app: App): Date => new Date(app.now().getTime() + LEASE_MS)
