/**
 * Projects: films of several shots in their order. A project of another user is as unknown as one that does not exist.
 * Its version covers its own fields, and which shots there are in which order; a shot has a version of its own
 * (shots.ts).
 */
import { actingId } from '../account/credential/credential.ts'
import { type Maker, makersOf } from '../account/team/team.ts'
import type { App } from '../app.ts'
import { invalid } from '../catalogue/refusal.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { once, type RequestKey } from '../db/idempotency.ts'
import { by as byColumn, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import { shotNotFound } from '../video/generate.ts'
import { fileLink } from '../video/library.ts'
import {
  changedMeanwhile,
  type Editor,
  findShot,
  newShots,
  projectNotFound,
  readShots,
  SHOTS_MAX,
  type Shot,
  type ShotDraft,
} from './shots.ts'

export const PROJECTS_MAX = 1000
export const ASPECT_RATIOS = ['16:9', '9:16', '1:1'] as const
export const FITS = ['fit', 'crop'] as const

/** Beside the sounds of the shots; `asset` is a sound of the owner's, `volume` from 0 to 1. */
export type Sound = { asset: string; volume: number; fadeInS: number; fadeOutS: number }
export type ProjectFields = {
  name: string
  aspectRatio: (typeof ASPECT_RATIOS)[number]
  fit: (typeof FITS)[number]
  sound: Sound | null
}
type Row = ProjectFields & {
  id: string
  version: number
  madeBy: string
  changedBy: string
  createdAt: Date
  updatedAt: Date
  /** The newest one, unless it is deleted. */
  cutId: string | null
}
export type Project = Row & { shots: Shot[]; makers: Maker[] }
/** `thumbnailUrl`: of the first shot that has a finished take. */
export type ListedProject = Row & { shots: number; thumbnailUrl: string | null }

/** The newest first. */
export async function listProjects(app: App, { userId }: Editor, query: PageQuery) {
  const { rows, ...page } = await readPage(app.sql, query, {
    sequence: byColumn('p.id', 'id'),
    rows: (sql, { where, order, limit }) => sql<(Row & { shots: number; thumbnailKey: string | null })[]>`
      select ${columns(sql)}, (
               select count(*)::integer from kinora.shot s where s.user_id = p.user_id and s.project_id = p.id
             ) as shots, (
               select v.thumbnail_key
               from kinora.shot s
               join kinora.video v on v.user_id = p.user_id and v.id = s.take_id
               where s.user_id = p.user_id and s.project_id = p.id and v.deleted_at is null and v.thumbnail_key is not null
               order by s.position
               limit 1
             ) as thumbnail_key
      from kinora.project p
      where p.user_id = ${userId} and ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  const projects = rows.map(({ thumbnailKey, ...row }): ListedProject => {
    return { ...row, thumbnailUrl: fileLink(app, thumbnailKey) }
  })
  return { projects, ...page }
}

const columns = (sql: Query) => sql`
  p.id, p.name, p.aspect_ratio, p.fit, p.sound, p.version, p.made_by, p.changed_by, p.created_at, p.updated_at, (
    select v.id from kinora.video v where v.user_id = p.user_id and v.id = p.cut_id and v.deleted_at is null
  ) as cut_id
`

/** @throws AppError NOT_FOUND */
export async function getProject(app: App, { userId }: Editor, id: string): Promise<Project> {
  const row = await findProject(app, userId, id)
  const shots = await readShots(app, userId, row.id)
  const takes = shots.flatMap((shot) => shot.takes.map(({ madeBy }) => madeBy))
  const makers = await makersOf(app, userId, [row.madeBy, row.changedBy, ...shots.map((s) => s.changedBy), ...takes])
  return { ...row, shots, makers }
}

/** @throws AppError NOT_FOUND */
export async function findProject({ sql }: App, userId: string, id: string): Promise<Row> {
  const [row] = isUuid(id)
    ? await sql<Row[]>`select ${columns(sql)} from kinora.project p where p.user_id = ${userId} and p.id = ${id}`
    : []
  if (!row) throw projectNotFound()
  return row
}

/** @throws AppError CONFLICT beyond PROJECTS_MAX; INVALID_REQUEST for a sound or settings that are of no use */
export async function makeProject(
  app: App,
  by: Editor,
  { shots = [], ...given }: Partial<ProjectFields> & { name: string; shots?: ShotDraft[] },
  key: RequestKey | null = null,
): Promise<Project> {
  const fields: ProjectFields = { ...{ aspectRatio: '16:9', fit: 'fit', sound: null }, ...given }
  await requireSound(app, by, fields.sound)
  const now = app.now()
  const id = newId(now)
  const made = part(app.sql, 'project_make', {
    userId: by.userId,
    project: { id, ...columnsOf(fields) },
    shots: newShots(shots, now),
    madeBy: actingId(by),
    max: PROJECTS_MAX,
    now,
  })
  const outcome = await once<'made' | 'too_many'>(app.sql, key, made, { id, done: 'made', now })
  if (outcome === 'too_many')
    throw new AppError('CONFLICT', `You have ${PROJECTS_MAX} projects, which is the most; delete one first.`)
  return getProject(app, by, id)
}

/**
 * @param change what is left out stays; `shots`: the ids of all its shots, in their new order
 * @throws AppError NOT_FOUND; CONFLICT when `version` is not the current one, with who made that and when; those of
 *   makeProject
 */
export async function changeProject(
  app: App,
  by: Editor,
  id: string,
  { version, shots, ...fields }: Partial<ProjectFields> & { version: number; shots?: string[] },
): Promise<Project> {
  if (!isUuid(id)) throw projectNotFound()
  await requireSound(app, by, fields.sound ?? null)
  const { userId } = by
  const outcome = await call(app.sql, 'project_change', {
    ...{ userId, id, version },
    change: columnsOf(fields),
    order: shots ?? null,
    changedBy: actingId(by),
    now: app.now(),
  })
  switch (outcome) {
    case 'changed':
      return getProject(app, by, id)
    case 'not_found':
      throw projectNotFound()
    case 'stale': {
      const { changedBy, updatedAt, ...current } = await findProject(app, userId, id)
      throw await changedMeanwhile(app, userId, 'project', {
        version: current.version,
        changedBy,
        changedAt: updatedAt,
      })
    }
    case 'other_shots':
      throw invalid('INVALID_REQUEST', 'shots', 'The order must have the id of each shot of the project once.')
  }
}

/**
 * Adds shots after another one, or at the end.
 * @throws AppError NOT_FOUND; CONFLICT beyond SHOTS_MAX; INVALID_REQUEST for `after` of no shot, and see newShots
 */
export async function addShots(
  app: App,
  by: Editor,
  projectId: string,
  { shots, after }: { shots: ShotDraft[]; after?: string },
  key: RequestKey | null = null,
): Promise<Project> {
  if (!isUuid(projectId)) throw projectNotFound()
  const now = app.now()
  const added = part(app.sql, 'shot_add', {
    ...{ userId: by.userId, projectId, madeBy: actingId(by), max: SHOTS_MAX, now },
    shots: newShots(shots, now),
    after: after ?? null,
  })
  type Outcome = 'added' | 'not_found' | 'no_such_shot' | 'too_many'
  const outcome = await once<Outcome>(app.sql, key, added, { id: projectId, done: 'added', now })
  switch (outcome) {
    case 'added':
      return getProject(app, by, projectId)
    case 'not_found':
      throw projectNotFound()
    case 'no_such_shot':
      throw invalid('INVALID_REQUEST', 'after', 'The project has no such shot.')
    case 'too_many':
      throw new AppError('CONFLICT', `A project has at most ${SHOTS_MAX} shots.`)
  }
}

/** Its takes stay, as films. @throws AppError NOT_FOUND, CONFLICT (see changeShot) */
export async function deleteShot(
  app: App,
  by: Editor,
  { projectId, id }: { projectId: string; id: string },
  version: number | null,
): Promise<Project> {
  if (!isUuid(projectId) || !isUuid(id)) throw shotNotFound()
  const { userId } = by
  const outcome = await call(app.sql, 'shot_delete', {
    ...{ userId, projectId, id, version, deletedBy: actingId(by), now: app.now() },
  })
  if (outcome === 'not_found') throw shotNotFound()
  if (outcome === 'stale') throw await changedMeanwhile(app, userId, 'shot', await findShot(app, userId, projectId, id))
  return getProject(app, by, projectId)
}

/** Its takes stay, as films. @throws AppError NOT_FOUND */
export async function deleteProject({ sql, now }: App, by: Editor, id: string): Promise<void> {
  const deletion = { userId: by.userId, id, actorId: actingId(by), now: now() }
  const outcome = isUuid(id) ? await call(sql, 'project_delete', deletion) : 'not_found'
  if (outcome === 'not_found') throw projectNotFound()
}

const columnsOf = ({ aspectRatio, ...rest }: Partial<ProjectFields>) => ({
  ...rest,
  ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
})

/** @returns the storage key of the sound; null without one @throws AppError INVALID_REQUEST */
export async function requireSound(
  { sql }: App,
  { userId }: Pick<Editor, 'userId'>,
  sound: Sound | null,
): Promise<string | null> {
  if (sound === null) return null
  const [found] = await sql<{ key: string }[]>`
    select key from kinora.asset where user_id = ${userId} and id = ${sound.asset} and state = 'kept' and kind = 'sound'
  `
  if (found) return found.key
  throw invalid('INVALID_REQUEST', 'sound.asset', 'You have no such sound; send it to POST /api/v1/asset.')
}
