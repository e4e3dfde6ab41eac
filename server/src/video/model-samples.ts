/**
 * Sample films: what shows users how a model films. `kinora samples` has them made, as films of an account like any
 * other; a row of kinora.model_sample names the video. Invariant: every reader asks the rows of video and account, so a
 * sample is gone as soon as its film or its account is.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { isBanned } from '../db/banned.ts'
import { part } from '../db/call.ts'
import { isUuid } from '../id.ts'
import { type Listed, withFilms } from './explore.ts'

type Row = Listed & { model: string }
/** A film that is there. The storage keys contain the user id and are not for responses. */
export type ModelSample = Row & { videoKey: string; thumbnailKey: string }

const READ_EVERY_MS = 5_000
/** The list of models does not wait longer for a database that does not answer. */
const READ_MAX_MS = 1_000

type ByModel = ReadonlyMap<string, ModelSample>
const reads = new WeakMap<App, { atMs: number; byModel: Promise<ByModel> }>()

/** The newest sample of each model, at most five seconds old; while the database is away, those of the last read. */
export function samplesByModel(app: App): Promise<ByModel> {
  const nowMs = app.now().getTime()
  const last = reads.get(app)
  if (last && Math.abs(nowMs - last.atMs) <= READ_EVERY_MS) return last.byModel
  const lastOnes = async (): Promise<ByModel> => (last ? last.byModel : new Map())
  const read = readSamples(app).catch((err: unknown) => {
    app.log.warn({ err }, 'the sample films of the models cannot be read; the last ones stay')
    return lastOnes()
  })
  const byModel = Promise.race([read, sleep(READ_MAX_MS, undefined, { ref: false }).then(lastOnes)])
  reads.set(app, { atMs: nowMs, byModel })
  return byModel
}

/** As the database has them now. */
export async function readSamples(app: App): Promise<ByModel> {
  const { films } = await withFilms(app, await sampleRows(app))
  // The newest is set last.
  return new Map(films.toReversed().map((film) => [film.model, film]))
}

/** @returns null for a film that is no sample, or not there any more */
export async function readSample(app: App, videoId: string): Promise<ModelSample | null> {
  if (!isUuid(videoId)) return null
  const rows = (await sampleRows(app)).filter((row) => row.videoId === videoId.toLowerCase())
  const { films } = await withFilms(app, rows)
  return films[0] ?? null
}

/** Newest first: those whose film is being made, has failed or is gone, too; none of a deleted or locked account. */
export const sampleRows = ({ sql, now }: App): Promise<Row[]> =>
  sql<Row[]>`
    select s.model, s.user_id, s.video_id
    from kinora.model_sample s join public."user" u on u.id = s.user_id::text
    where not ${isBanned(sql, now())}
    order by s.video_id desc
  `

/** Makes a video the sample of its model as soon as it is completed, with an entry in the audit log. */
export async function addSample({ sql, now }: App, { model, userId, videoId }: Row): Promise<void> {
  const entry = part(sql, 'audit_add', {
    actorId: sql`kinora.service_actor()`,
    action: 'catalogue.sample',
    userId,
    subject: videoId,
    after: sql`jsonb_build_object('name', model)`,
    reason: 'kinora samples',
    now: now(),
  })
  await sql`
    with added as (
      insert into kinora.model_sample (user_id, video_id, model) values (${userId}, ${videoId}, ${model}) returning model
    )
    select ${entry}
    from added
  `
}

/** Forgets the earlier samples of the model; their films stay. */
export async function forgetEarlier({ sql }: App, { model, videoId }: Row): Promise<void> {
  await sql`delete from kinora.model_sample where model = ${model} and video_id < ${videoId}`
}
