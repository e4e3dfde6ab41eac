/**
 * Whose films and folders a caller reaches. A browser token: the films that its subject made, and the others do not
 * exist for it. A member of a team reads all; a maker changes the own ones, an admin and an owner those of all.
 * `made_by` and `subject` never change.
 */
import type { Caller } from '../account/credential/credential.ts'
import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'

/** Who changes films or folders of an owner. */
export type Changer = Pick<Caller, 'userId' | 'key' | 'actorId' | 'team' | 'impersonation'>

/** SQL condition on a video `v` of the owner, to be one that the caller reaches. */
export const isReached = (sql: App['sql'], reader: Reader) => {
  const subject = subjectOf(reader)
  return subject === null ? sql`true` : sql`v.subject = ${subject}`
}

/** @throws AppError NOT_FOUND when another subject, or none, made one of the videos */
export async function requireReached({ sql }: Pick<App, 'sql'>, reader: Reader, videoIds: string[]): Promise<void> {
  const subject = subjectOf(reader)
  if (subject === null) return
  const others = await sql`
    select from kinora.video
    where user_id = ${reader.userId} and id = any(${videoIds.filter(isUuid)}::uuid[]) and subject is distinct from ${subject}
    limit 1
  `
  if (others.length > 0) throw notFound()
}

export const notFound = () => new AppError('NOT_FOUND', 'There is no such video.')

/** @throws AppError FORBIDDEN when another member made one of the videos; those of requireReached */
export async function requireMade(app: App, by: Changer, videoIds: string[]): Promise<void> {
  const { userId, actorId, team } = by
  await requireReached(app, by, videoIds)
  if (team?.role !== 'maker') return
  const others = await app.sql`
    select from kinora.video
    where user_id = ${userId} and id = any(${videoIds.filter(isUuid)}::uuid[]) and deleted_at is null
      and (made_by = ${actorId}::uuid or made_by = any(array(
        select id from kinora.api_key where user_id = ${userId} and connected_by = ${actorId}::uuid
      ))) is not true
    limit 1
  `
  if (others.length > 0) throw madeByAnother('film')
}

/** @throws AppError FORBIDDEN as requireMade, for a folder */
export async function requireMadeFolder({ sql }: App, { userId, actorId, team }: Changer, id: string): Promise<void> {
  if (team?.role !== 'maker') return
  const others = await sql`
    select from kinora.video_folder where user_id = ${userId} and id = ${id} and made_by <> ${actorId}
  `
  if (others.length > 0) throw madeByAnother('folder')
}

const madeByAnother = (what: 'film' | 'folder') =>
  new AppError('FORBIDDEN', `Another member made this ${what}; an admin or an owner of the team may change it.`)
