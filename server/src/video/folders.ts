/**
 * A user's folders of videos: list, create, rename, delete. A folder that another user has is as unknown as one that
 * does not exist. Deleting one deletes no video.
 */

import { actingId, type Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { once, type RequestKey } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import { type Changer, requireMadeFolder } from './made-by.ts'

export const FOLDERS_MAX = 200
export const FOLDER_NAME_CHARACTERS_MAX = 60
/** The number of a folder's videos is counted to here, so that the list of folders reads a bounded number of rows. */
export const FOLDER_COUNT_MAX = 1000
/** Videos that one statement takes out of a folder. */
const BATCH = 1000

export type Folder = { id: string; name: string; videos: number; madeBy: string; createdAt: Date }

/** By name. */
export const listFolders = async (app: App, userId: string): Promise<Folder[]> => [...(await readFolders(app, userId))]

/** @throws AppError CONFLICT for a name that is taken, and beyond FOLDERS_MAX */
export async function createFolder(app: App, by: Caller, name: string, key: RequestKey | null = null): Promise<Folder> {
  const { userId } = by
  const now = app.now()
  const id = newId(now)
  const created = part(app.sql, 'video_folder_create', {
    userId,
    id,
    name,
    madeBy: actingId(by),
    max: FOLDERS_MAX,
    now,
  })
  type Outcome = 'created' | 'taken' | 'too_many'
  const outcome = await once<Outcome>(app.sql, key, created, { id, done: 'created', now })
  if (outcome === 'taken') throw nameTaken()
  if (outcome === 'too_many') {
    throw new AppError('CONFLICT', `You have ${FOLDERS_MAX} folders, which is the most; delete one first.`)
  }
  return getFolder(app, userId, id)
}

/** @throws AppError NOT_FOUND; CONFLICT for a name that is taken; those of requireMadeFolder */
export async function renameFolder(app: App, by: Changer, id: string, name: string): Promise<Folder> {
  if (!isUuid(id)) throw folderNotFound()
  const { userId } = by
  await requireMadeFolder(app, by, id)
  const outcome = await call(app.sql, 'video_folder_rename', { userId, id, name, now: app.now() })
  if (outcome === 'taken') throw nameTaken()
  return getFolder(app, userId, id)
}

/** Its videos stay, in no folder. @throws AppError NOT_FOUND; those of requireMadeFolder */
export async function deleteFolder(app: App, by: Caller, id: string): Promise<void> {
  if (!isUuid(id)) throw folderNotFound()
  const { sql, now } = app
  const { userId } = by
  await requireMadeFolder(app, by, id)
  for (let isDeleted = false; !isDeleted; ) {
    const outcome = await call(sql, 'video_folder_delete', {
      userId,
      id,
      batch: BATCH,
      actorId: actingId(by),
      now: now(),
    })
    if (outcome === 'not_found') throw folderNotFound()
    isDeleted = outcome === 'deleted'
  }
}

/** @throws AppError NOT_FOUND */
export async function getFolder(app: App, userId: string, id: string): Promise<Folder> {
  const [folder] = await readFolders(app, userId, id)
  if (!folder) throw folderNotFound()
  return folder
}

const readFolders = ({ sql }: App, userId: string, id: string | null = null) => sql<Folder[]>`
  select f.id, f.name, f.made_by, f.created_at, (
           select count(*)::integer
           from (
             select
             from kinora.video v
             where v.user_id = ${userId} and v.folder_id = f.id and v.deleted_at is null
             limit ${FOLDER_COUNT_MAX}
           ) counted
         ) as videos
  from kinora.video_folder f
  where f.user_id = ${userId} ${id === null ? sql`` : sql`and f.id = ${id}`}
  order by lower(f.name), f.id
`

const nameTaken = () => new AppError('CONFLICT', 'You have a folder of this name already; choose another name.')
export const folderNotFound = () => new AppError('NOT_FOUND', 'There is no such folder.')
