/**
 * Takedowns, for administrators: which film a link leads to, what it is, the decision on it with its statement of
 * reasons, objections, and the statements as CSV. video/takedown.ts applies a decision.
 */
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { fromEach } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { ofVideo } from '../film/inputs.ts'
import { isUuid, NIL_UUID, newId } from '../id.ts'
import { csvOf } from '../text/csv.ts'
import type { Listed } from '../video/explore.ts'
import { isHidden, reviewKeyOf } from '../video/film-files.ts'
import { filmOfShare } from '../video/share.ts'
import { applyTakedown, type Decided, type Statement, statementColumns } from '../video/takedown.ts'
import { mailMaker } from './explore.ts'
import { type Owner, withOwners } from './owner.ts'

/** A statement with whose film it is, and the cuts that share its state. */
export type Takedown = Statement & Owner & { userId: string; cutIds: string[]; actorId: string }
type Row = Omit<Takedown, keyof Owner>
type By = { actorId: string; requestId: string }

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi
const SHARE_TOKEN = /\/share\/([\w-]{80})(?![\w-])/
const OTHERS_MAX = 50
const CSV_PAGE = 500

/** The prompt is read apart (readPrompt). `videoKey`, `thumbnailKey`: for links; null: the files are gone. */
export type FoundFilm = Owner & {
  uuid: string
  userId: string
  model: string
  aspectRatio: string
  createdAt: Date
  deletedAt: Date | null
  videoKey: string | null
  thumbnailKey: string | null
  isShared: boolean
  isPublished: boolean
  isSample: boolean
  isOwnerLocked: boolean
  /** Films that were made from it: cuts, which share its state, and others, which do not. */
  others: { uuid: string; isCut: boolean }[]
  takedown: Takedown | null
}

/**
 * The film that a link of any kind leads to, or that a uuid names: of a share, Explore, a sample, a file, the studio.
 * Links that do not work any more count, and so do films of locked accounts.
 * @throws AppError NOT_FOUND
 */
export async function findFilm(app: App, link: string): Promise<FoundFilm> {
  const film = await filmOf(app, link.trim())
  const [row] = film ? await readFilm(app, film) : []
  if (!row) throw notFound()
  const { userId, uuid } = row
  const [[where], others, takedowns] = await Promise.all([
    app.sql<[Pick<FoundFilm, 'isPublished' | 'isSample' | 'isOwnerLocked'>]>`
      select exists (
               select from kinora.explore_film
               where user_id = ${userId} and video_id = ${uuid} and published_at is not null and removed_at is null
             ) as is_published,
             exists (select from kinora.model_sample where user_id = ${userId} and video_id = ${uuid}) as is_sample,
             ${part(app.sql, 'is_banned', { userId, now: app.now() })}
             or exists (select from kinora.team where id = ${userId} and locked_at is not null) as is_owner_locked
    `,
    app.sql<FoundFilm['others']>`
      select id as uuid, model = 'cut' as is_cut
      from kinora.video
      where user_id = ${userId} and made_of @> ${JSON.stringify([{ source: ofVideo(uuid) }])}::text::jsonb and status <> 'FAILED'
      order by id desc
      limit ${OTHERS_MAX}
    `,
    readTakedowns(app, app.sql`t.user_id = ${userId} and t.video_id = ${uuid}`, 1),
  ])
  const [shown] = await withOwners(app, [{ ...row, ...where, others }])
  if (!shown) throw notFound()
  return { ...shown, takedown: takedowns[0] ?? null }
}

const notFound = () =>
  new AppError('NOT_FOUND', 'No film is found by this. Paste the whole link of a film, or its uuid.')

async function filmOf(app: App, link: string): Promise<{ videoId: string; userId: string | null } | null> {
  const [, token] = SHARE_TOKEN.exec(link) ?? []
  if (token !== undefined) return filmOfShare(app, token)
  const ids = (link.match(UUID) ?? []).map((id) => id.toLowerCase())
  const last = ids.at(-1)
  if (last === undefined) return null
  const [file] = /\/files\/video\//.test(link) ? ids.slice(1) : []
  if (file !== undefined) return { videoId: file, userId: ids[0] ?? null }
  const [published] = await app.sql<Listed[]>`select user_id, video_id from kinora.explore_film where id = ${last}`
  return published ?? { videoId: last, userId: null }
}

const readFilm = (app: App, { videoId, userId }: { videoId: string; userId: string | null }) =>
  fromEach(
    app,
    app.database.parts(),
    (sql) => sql<Omit<FoundFilm, keyof Owner | 'others' | 'takedown' | 'isPublished' | 'isSample' | 'isOwnerLocked'>[]>`
      with found as materialized (
        select * from kinora.video where due_at is null and id = ${videoId}
        union all
        select * from kinora.video where due_at is not null and id = ${videoId}
      ), kept as (
        select v.*, v.files_removed_at is null or ${isHidden(sql, app.now())} as has_files
        from found v
      )
      select v.id as uuid, v.user_id, v.model, v.aspect_ratio, v.created_at, v.deleted_at,
             case when v.has_files then v.video_key end as video_key,
             case when v.has_files then v.thumbnail_key end as thumbnail_key,
             exists (select from kinora.video_share s where s.user_id = v.user_id and s.video_id = v.id) as is_shared
      from kept v
      where v.user_id = coalesce(${userId}::uuid, v.user_id)
    `,
  )

/** The keys of links for administrators, which work while the film is hidden. */
export const reviewKeys = ({ videoKey, thumbnailKey }: Pick<FoundFilm, 'videoKey' | 'thumbnailKey'>) => ({
  videoKey: videoKey && reviewKeyOf(videoKey),
  thumbnailKey: thumbnailKey && reviewKeyOf(thumbnailKey),
})

/** The texts of a film, with an entry of the audit log. @throws AppError NOT_FOUND */
export async function readPrompt(
  app: App,
  uuid: string,
  { actorId, requestId, reason }: By & { reason: string },
): Promise<{ prompt: string; negativePrompt: string | null }> {
  const film = await findFilm(app, uuid)
  const [texts] = await app.sql<{ prompt: string; negativePrompt: string | null }[]>`
    select prompt, negative_prompt from kinora.video where user_id = ${film.userId} and id = ${film.uuid}
  `
  if (!texts) throw notFound()
  await call(app.sql, 'audit_add', {
    ...{ actorId, requestId, reason, action: 'video.read-prompt' },
    ...{ userId: film.userId, subject: film.uuid, now: app.now() },
  })
  return texts
}

export type Decision = By &
  Pick<Statement, 'ground' | 'rule' | 'source' | 'isAutomated' | 'reason'> & { removes: boolean }

/**
 * Hides a film, or removes it, everywhere; the maker gets the statement of reasons. Idempotent. One that is hidden can
 * be removed; one that is removed stays removed.
 * @throws AppError NOT_FOUND
 */
export async function takeDown(app: App, uuid: string, { removes, ...decision }: Decision): Promise<Takedown> {
  const { userId, uuid: videoId } = await findFilm(app, uuid)
  const now = app.now()
  const state = removes ? 'removed' : 'hidden'
  const { id } = await call(app.sql, 'takedown_decide', { id: newId(now), userId, videoId, state, ...decision, now })
  return await settle(app, id ?? '', 'film.taken-down')
}

/**
 * Lifts a decision, which shows the film again if its files are kept, or lets it stand against an objection.
 * Idempotent.
 * @throws AppError NOT_FOUND
 */
export async function answer(
  app: App,
  id: string,
  { lifts, ...given }: By & { lifts: boolean; reason: string },
): Promise<Takedown> {
  const outcome = isUuid(id) ? await call(app.sql, 'takedown_answer', { id, lifts, ...given, now: app.now() }) : null
  if (outcome === null || outcome === 'not_found') throw noStatement()
  return await settle(app, id, 'takedown.answered')
}

const noStatement = () => new AppError('NOT_FOUND', 'There is no statement with this id.')

/** Applies what was decided, and writes to the maker, once for each state and answer. */
async function settle(app: App, id: string, kind: 'film.taken-down' | 'takedown.answered'): Promise<Takedown> {
  const [takedown] = await readTakedowns(app, app.sql`t.id = ${id}`, 1)
  if (!takedown) throw noStatement()
  const { state, ground, rule, source, isAutomated, reason, answer } = takedown
  // It is decided: what cannot be done now is done by the sweep, and the administrator need not come back.
  await applyTakedown(app, takedown satisfies Decided).catch((err: unknown) =>
    app.log.error({ err, takedown: id }, 'a takedown could not be applied; the sweep tries again'),
  )
  const statement = { ground, rule, source, isAutomated: String(isAutomated), facts: reason }
  const data = { takedownId: id, state, ...(kind === 'film.taken-down' ? statement : { answer }) }
  await mailMaker(app, takedown, { kind, data, onceKey: `${kind} ${id} ${state}` })
  return (await readTakedowns(app, app.sql`t.id = ${id}`, 1))[0] ?? takedown
}

const readTakedowns = async (app: App, where: ReturnType<App['sql']>, limit: number): Promise<Takedown[]> =>
  withOwners(
    app,
    await app.sql<Row[]>`
      select ${takedownColumns(app.sql)} from kinora.takedown t where ${where} order by t.decided_at desc, t.id desc limit ${limit}
    `,
  )

const takedownColumns = (sql: App['sql']) => sql`${statementColumns(sql)}, t.user_id, t.cut_ids, t.actor_id`

export const takedownFilters = {
  open: filter(Type.Boolean({ description: 'Only those with an objection to answer' }), (sql, isOpen) =>
    isOpen
      ? sql`t.objected_at is not null and t.answered_at is null`
      : sql`(t.objected_at is null or t.answered_at is not null)`,
  ),
}

/** Newest first. @throws AppError INVALID_REQUEST (cursor) */
export async function listTakedowns(app: App, query: QueryOf<typeof takedownFilters> & PageQuery) {
  const { rows, ...page } = await readPage(app.sql, query, {
    sequence: by('t.id', 'id'),
    where: (sql) => matches(sql, takedownFilters, query),
    rows: (sql, { where, order, limit }) => sql<Row[]>`
      select ${takedownColumns(app.sql)} from kinora.takedown t where ${where} order by ${order} limit ${limit}
    `,
  })
  return { takedowns: await withOwners(app, rows), ...page }
}

/** Beside each the words of the Commission's database of statements, where it has them. No name of a user. */
const CSV_COLUMNS: Record<string, (row: Row) => string> = {
  puid: ({ id }) => id,
  uuid: ({ videoId }) => videoId,
  content_type: () => 'CONTENT_TYPE_VIDEO',
  decision_visibility: ({ state }) =>
    state === 'removed' ? 'DECISION_VISIBILITY_CONTENT_REMOVED' : 'DECISION_VISIBILITY_CONTENT_DISABLED',
  decision_ground: ({ ground }) =>
    ground === 'law' ? 'DECISION_GROUND_ILLEGAL_CONTENT' : 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
  rule: ({ rule }) => rule,
  decision_facts: ({ reason }) => reason,
  source_type: ({ source }) => (source === 'notice' ? 'SOURCE_TYPE_OTHER_NOTIFICATION' : 'SOURCE_VOLUNTARY'),
  automated_detection: ({ isAutomated }) => (isAutomated ? 'Yes' : 'No'),
  automated_decision: () => 'AUTOMATED_DECISION_NOT_AUTOMATED',
  application_date: ({ decidedAt }) => decidedAt.toISOString(),
  objected_at: ({ objectedAt }) => objectedAt?.toISOString() ?? '',
  answered_at: ({ answeredAt }) => answeredAt?.toISOString() ?? '',
  lifted: ({ state }) => (state === 'lifted' ? 'Yes' : 'No'),
}

export const takedownsHead = (): string => csvOf([Object.keys(CSV_COLUMNS)])

/** All statements, oldest first, page by page. */
export async function* takedownsCsv({ sql }: App): AsyncGenerator<string> {
  yield takedownsHead()
  for (let after: string = NIL_UUID; ; ) {
    const rows: Row[] = await sql<Row[]>`
      select ${takedownColumns(sql)} from kinora.takedown t where t.id > ${after} order by t.id limit ${CSV_PAGE}
    `
    if (rows.length > 0) yield csvOf(rows.map((row) => Object.values(CSV_COLUMNS).map((cell) => cell(row))))
    if (rows.length < CSV_PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}
