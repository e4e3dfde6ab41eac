/** Whose films and folders a member of a team may change: a maker the own ones, an admin and an owner those of all. `made_by` never changes. */
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'

/** Who changes films or folders of an owner. */
export type Changer = Pick<Caller, 'userId' | 'actorId' | 'team'>

/** @throws AppError FORBIDDEN when a member made one of the videos whose films the caller may not change */
export async function requireMade({ sql }: App, { userId, actorId, team }: Changer, videoIds: string[]): Promise<void> {
  if (team?.role !== 'maker') return
  const others = await sql`
    select from kinora.video
    where user_id = ${userId} and id = any(${videoIds.filter(isUuid)}::uuid[]) and deleted_at is null
      and made_by is distinct from ${actorId}::uuid
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
