/**
 * Takedown: films that administrators hide or remove, as their maker sees it, and what becomes of their files. A row of
 * kinora.takedown is a decision with its statement of reasons (Regulation (EU) 2022/2065, article 17). To hide a film
 * is to set `files_removed_at`, by which every reader goes: share, Explore, samples, library, links, ZIPs, inputs. Cuts
 * that contain it share its state; one in progress is cancelled. Invariant: a decision is applied by its request, or by
 * the sweep.
 */
import { createHash } from 'node:crypto'
import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { ofVideo } from '../film/inputs.ts'
import { openObjection } from '../mail/objection.ts'
import { get } from './library.ts'
import { videoCancel } from './transitions.ts'

export const STATES = ['hidden', 'removed', 'lifted'] as const
export const GROUNDS = ['law', 'terms'] as const
export const SOURCES = ['notice', 'own'] as const

/** How long a decision is open to objections, which is the least that the regulation's article 20 asks for. */
const OBJECT_WITHIN_DAYS = 183
/** How long the files of a hidden film are kept: an objection of the last day is still to be read. */
const FILES_KEPT_DAYS = 210
const DAY_MS = 86_400_000
const CUT_CANCELLED = 'A film of this cut was taken down; your credits are back.'

/** What the maker is told of a decision. `videoId`: of the film. */
export type Statement = {
  id: string
  videoId: string
  state: (typeof STATES)[number]
  ground: (typeof GROUNDS)[number]
  rule: string
  source: (typeof SOURCES)[number]
  isAutomated: boolean
  reason: string
  decidedAt: Date
  objection: string | null
  objectedAt: Date | null
  answer: string | null
  answeredAt: Date | null
}

export const statementColumns = (sql: App['sql']) => sql`
  t.id, t.video_id, t.state, t.ground, t.rule, t.source, t.is_automated, t.reason, t.decided_at, t.objection, t.objected_at, t.answer,
  t.answered_at
`

/** @returns until when the maker may object; null: the maker has, or the decision is lifted */
export const objectsUntil = ({ state, decidedAt, objectedAt }: Statement): Date | null =>
  state === 'lifted' || objectedAt ? null : new Date(decidedAt.getTime() + OBJECT_WITHIN_DAYS * DAY_MS)

/** The newest decision on a film of the caller; null: none. @throws AppError NOT_FOUND */
export async function statementOf(app: App, reader: Reader, videoId: string): Promise<Statement | null> {
  await get(app, reader, videoId)
  const [row] = await app.sql<Statement[]>`
    select ${statementColumns(app.sql)}
    from kinora.takedown t
    where t.user_id = ${reader.userId} and t.video_id = ${videoId}
    order by t.decided_at desc
    limit 1
  `
  return row ?? null
}

/** @throws AppError NOT_FOUND for a token that this service did not make */
export async function readStatement(app: App, token: string): Promise<Statement> {
  const id = openObjection(app.config, token)
  const [row] = id
    ? await app.sql<Statement[]>`select ${statementColumns(app.sql)} from kinora.takedown t where t.id = ${id}`
    : []
  if (!row) throw new AppError('NOT_FOUND', 'This link is not complete. Open it from the mail again.')
  return row
}

/** Idempotent: a second objection changes nothing. @throws AppError NOT_FOUND, CONFLICT when it is too late */
export async function object(app: App, token: string, objection: string): Promise<Statement> {
  const { id } = await readStatement(app, token)
  const within = `${OBJECT_WITHIN_DAYS} days`
  const outcome = await call(app.sql, 'takedown_object', { id, objection, within, now: app.now() })
  if (outcome === 'late') {
    throw new AppError(
      'CONFLICT',
      `Objections are read for ${OBJECT_WITHIN_DAYS} days after a decision; they are over.`,
    )
  }
  return readStatement(app, token)
}

export type Decided = { id: string; userId: string; videoId: string; cutIds: string[]; state: Statement['state'] }

/** Applies the decisions whose request could not. A failure is logged, and the next sweep tries again. */
export async function applyTakedowns(app: App): Promise<void> {
  const due = await app.sql<Decided[]>`
    select id, user_id, video_id, cut_ids, state from kinora.takedown where applied_at is null order by id limit 100
  `
  for (const decided of due) {
    await applyTakedown(app, decided).catch((err: unknown) =>
      app.log.error({ err, takedown: decided.id }, 'a takedown could not be applied; the next sweep tries again'),
    )
  }
}

/** Brings the film, and the cuts that contain it, to the state that was decided. Idempotent. */
export async function applyTakedown(app: App, { id, userId, videoId, cutIds, state }: Decided): Promise<void> {
  const { sql } = app
  const film = { userId, takedownId: id }
  const wait = new Date(app.now().getTime() + FILES_KEPT_DAYS * DAY_MS)
  // Before the cuts are looked for: no new one begins with a film that is hidden.
  if (state !== 'lifted') await call(sql, 'video_hide', { ...film, ids: [videoId], filesDueAt: wait, now: app.now() })
  const cuts = state === 'lifted' ? cutIds : await endCuts(app, userId, videoId)
  const ids = [videoId, ...cuts]
  let hashes: string[] = []
  if (state === 'lifted') await call(sql, 'video_show', { ...film, ids, now: app.now() })
  else {
    await call(sql, 'video_hide', { ...film, ids, filesDueAt: wait, now: app.now() })
    hashes = await hashesOf(app, userId, ids)
    if (state === 'removed') await call(sql, 'video_hide', { ...film, ids, filesDueAt: app.now(), now: app.now() })
  }
  await call(sql, 'takedown_applied', { id, state, cutIds: cuts, hashes, now: app.now() })
}

/** Cancels the cuts in progress that contain the film. @returns those that have a film */
async function endCuts(app: App, userId: string, videoId: string): Promise<string[]> {
  const madeOf = JSON.stringify([{ source: ofVideo(videoId) }])
  const read = () => app.sql<{ id: string; isInProgress: boolean }[]>`
    select id, due_at is not null as is_in_progress
    from kinora.video
    where user_id = ${userId} and model = 'cut' and made_of @> ${madeOf}::text::jsonb and status <> 'FAILED'
  `
  for (const { id, isInProgress } of await read()) {
    if (!isInProgress) continue
    const { now, config } = app
    await videoCancel(app.calls, { userId, videoId: id, now: now(), error: CUT_CANCELLED, graceS: config.refundGraceS })
  }
  // Again: one of them may have been completed meanwhile.
  return (await read()).map(({ id }) => id)
}

/** SHA-256 of the stored films and their thumbnails, in hexadecimal. */
async function hashesOf(app: App, userId: string, ids: string[]): Promise<string[]> {
  const films = await app.sql<{ keys: string[] }[]>`
    select array[video_key, thumbnail_key] as keys
    from kinora.video
    where user_id = ${userId} and id = any(${ids}) and video_key is not null and thumbnail_key is not null
  `
  const hashes: string[] = []
  for (const key of films.flatMap(({ keys }) => keys)) {
    const content = await app.storage.read(key, AbortSignal.timeout(READ_MS))
    if (!content) continue
    const hash = createHash('sha256')
    for await (const chunk of content) hash.update(chunk)
    hashes.push(hash.digest('hex'))
  }
  return hashes
}
/** A file of the largest size from a slow storage. */
const READ_MS = 5 * 60_000
