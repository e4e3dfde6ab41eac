/**
 * The shots of a project: what each is generated from, its takes, and the cut of the chosen one. The settings of a shot
 * are a draft: what a generate request refuses is refused when the shot is generated.
 */
import { actingId, type Caller } from '../account/credential/credential.ts'
import { makersOf } from '../account/team/team.ts'
import type { App } from '../app.ts'
import { invalid } from '../catalogue/refusal.ts'
import { call } from '../db/call.ts'
import { videoColumns } from '../db/columns.ts'
import { AppError } from '../errors.ts'
import type { Row as VideoRow } from '../film/fields.ts'
import { isUuid, newId } from '../id.ts'
import { withPublished } from '../video/explore.ts'
import { shotNotFound } from '../video/generate.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { withLinks } from '../video/library.ts'

/** Who reads or changes projects of an owner. */
export type Editor = Pick<Caller, 'userId' | 'key' | 'actorId'>

export const SHOTS_MAX = 50
export const NOTES_CHARACTERS_MAX = 2000
/** As much as a prompt and a list of links of the longest kind take. */
const SETTINGS_BYTES_MAX = 64 * 1024
/** Takes of a shot that are read with it. */
export const TAKES_MAX = 12

/** A generate request as far as it is decided. */
export type Settings = Partial<Omit<FilmInput, 'n' | 'metadata' | 'shot' | 'webhookUrl' | 'webhookFormat'>>
export type ShotDraft = { settings: Settings; notes?: string }
type Take = ReturnType<typeof withLinks<VideoRow<'list'>>> & { isPublished: boolean }
/** `takeDeleted`: the chosen take is no video any more. `takes`: the newest ones first, and the chosen one. */
export type Shot = {
  id: string
  settings: Settings
  notes: string
  takeId: string | null
  takeDeleted: boolean
  inMs: number | null
  outMs: number | null
  version: number
  changedBy: string
  changedAt: Date
  takes: Take[]
}

/** The shots of a project in their order. */
export async function readShots(app: App, userId: string, projectId: string): Promise<Shot[]> {
  const { sql, now } = app
  const [shots, rows] = await Promise.all([
    sql<Omit<Shot, 'takes' | 'takeDeleted'>[]>`
      select s.id, s.settings, s.notes, s.take_id, s.in_ms, s.out_ms, s.version, s.changed_by, s.changed_at
      from kinora.shot s
      where s.user_id = ${userId} and s.project_id = ${projectId}
      order by s.position, s.id
    `,
    sql<(VideoRow<'list'> & { shotId: string })[]>`
      select s.id as shot_id, ${videoColumns(sql, 'list', now())}
      from kinora.shot s
      cross join lateral (
        select t.video_id
        from kinora.shot_take t
        where t.user_id = ${userId} and t.project_id = ${projectId} and t.shot_id = s.id
        order by t.video_id = s.take_id desc nulls last, t.video_id desc
        limit ${TAKES_MAX}
      ) t
      join kinora.video v on v.user_id = ${userId} and v.id = t.video_id
      where s.user_id = ${userId} and s.project_id = ${projectId} and v.deleted_at is null
      order by v.id desc
    `,
  ])
  const takes = await withPublished(
    app,
    userId,
    rows.map((row) => withLinks(app, row)),
  )
  const byShot = Map.groupBy(takes, ({ shotId }) => shotId)
  return shots.map((shot) => {
    const own = (byShot.get(shot.id) ?? []).map(({ shotId: _, ...take }) => take)
    return { ...shot, takeDeleted: isTakeDeleted(shot.takeId, own), takes: own }
  })
}

const isTakeDeleted = (takeId: string | null, takes: readonly Take[]): boolean =>
  takeId !== null && !takes.some(({ uuid }) => uuid === takeId)

/** The rows of new shots. @throws AppError INVALID_REQUEST for settings that are too large */
export const newShots = (shots: readonly ShotDraft[], now: Date) =>
  shots.map(({ settings, notes }, i) => {
    requireSize(settings, `shots.${i}.settings`)
    return { id: newId(now), settings, notes: notes ?? '' }
  })

function requireSize(settings: Settings, path: string): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= SETTINGS_BYTES_MAX) return
  throw invalid('INVALID_REQUEST', path, `The settings of a shot have at most ${SETTINGS_BYTES_MAX / 1024} kB.`)
}

/** What is left out stays. `takeId` null: no take is chosen; another take begins uncut. */
export type ShotChange = { settings?: Settings; notes?: string; takeId?: string | null } & {
  inMs?: number | null
  outMs?: number | null
}

/**
 * @throws AppError NOT_FOUND; CONFLICT when `version` is not the current one, with who made that and when;
 *   INVALID_REQUEST for a take of no film or of another shot, an end before the begin, and see newShots
 */
export async function changeShot(
  app: App,
  by: Editor,
  { projectId, id }: { projectId: string; id: string },
  { version, takeId, inMs, outMs, ...rest }: ShotChange & { version: number },
): Promise<Shot> {
  if (!isUuid(projectId) || !isUuid(id)) throw shotNotFound()
  const { userId } = by
  if (rest.settings) requireSize(rest.settings, 'settings')
  const change = { ...rest, take_id: takeId, in_ms: inMs, out_ms: outMs }
  const outcome = await call(app.sql, 'shot_change', {
    ...{ userId, projectId, id, version, change, changedBy: actingId(by), now: app.now() },
  })
  switch (outcome) {
    case 'changed':
      return findShot(app, userId, projectId, id)
    case 'not_found':
      throw shotNotFound()
    case 'stale':
      throw await changedMeanwhile(app, userId, 'shot', await findShot(app, userId, projectId, id))
    case 'no_take':
      throw invalid('INVALID_REQUEST', 'takeId', 'This is no film of yours, or a take of another shot.')
    case 'cut_backward':
      throw invalid('INVALID_REQUEST', 'outMs', 'The end of the cut must be after its begin.')
  }
}

export async function findShot(app: App, userId: string, projectId: string, id: string): Promise<Shot> {
  const shot = (await readShots(app, userId, projectId)).find((each) => each.id === id.toLowerCase())
  if (!shot) throw shotNotFound()
  return shot
}

export const projectNotFound = () => new AppError('NOT_FOUND', 'There is no such project.')

type Changed = { version: number; changedBy: string; changedAt: Date }

/** The error for a change that was made from a version that another change has replaced. */
export async function changedMeanwhile(
  app: App,
  userId: string,
  what: 'project' | 'shot',
  { version, changedBy, changedAt }: Changed,
): Promise<AppError> {
  const [maker] = await makersOf(app, userId, [changedBy])
  const name = maker?.name ?? null
  return new AppError(
    'CONFLICT',
    `${name ?? 'Another session'} has changed this ${what} meanwhile; read it again and repeat your change.`,
    { details: { version, changedBy: { id: changedBy, name }, changedAt: changedAt.toISOString() } },
  )
}
