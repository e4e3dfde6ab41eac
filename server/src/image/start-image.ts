/**
 * Start images that users upload: received, checked, kept, and let go again when no video uses them. The rule: a row says
 * where an image's file is before the file is there and until it is gone, so that nothing is left behind by a process
 * that dies.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { ImageRefused, type InspectedImage, inspectImage, isCrowded } from '../media/image.ts'
import { partsDir } from '../storage/temporary-files.ts'
import { imageLink, imageName } from './start-image-link.ts'

/** `url` is our own signed link, good until `expiresAt`; sides in pixels. All of the image as it is kept. */
export type UploadedImage = {
  url: string
  width: number
  height: number
  sizeBytes: number
  contentType: InspectedImage['contentType']
  expiresAt: Date
}

type Row = { id: string; key: string } & Pick<InspectedImage, 'contentType' | 'width' | 'height' | 'sizeBytes'>

export const IMAGE_BYTES_MAX = 15 * 1024 * 1024
/** Images of one user that no video uses; of more than these the ones that were touched longest ago go. */
export const UNUSED_MAX = 50
export const UNUSED_DAYS = 7

const DAY_MS = 86_400_000
const STORING_MS = 3600_000
const UNIQUE_VIOLATION = '23505'

export const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The image is larger than 15 MB; make it smaller and send it again.')

/**
 * Receives an image and keeps what was made of it. The same bytes again answer the same image.
 * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE (no image of a kind that is taken), INVALID_REQUEST (an image
 *   that cannot be used), UNAVAILABLE (too many at once)
 */
export async function upload(
  app: App,
  userId: string,
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<UploadedImage> {
  if (isCrowded()) {
    const message = 'Very many images are being looked at just now; try again shortly.'
    throw new AppError('UNAVAILABLE', message, { retryAfterS: 5 })
  }
  const id = newId(app.now())
  const dir = path.join(partsDir(app.config.dataDir), `image-${id}`)
  const file = path.join(dir, 'sent')
  const keptFile = path.join(dir, 'kept')
  try {
    await mkdir(dir, { recursive: true })
    // With the user's id in it, the digest tells nobody else that this user has a certain file.
    const digest = await receive(body, file, createHash('sha256').update(userId))
    const known = await touch(app, userId, { digest })
    if (known) return toUploaded(app, known)
    const image = await inspectImage(file, { keptFile, signal })
    return toUploaded(app, await keep(app, userId, { id, digest, image, keptFile }))
  } catch (error) {
    throw error instanceof ImageRefused ? refusal(app, userId, error) : error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Writes what arrives to a file, never more than allowed, and answers its digest. */
async function receive(body: AsyncIterable<Buffer>, file: string, hash: ReturnType<typeof createHash>) {
  const handle = await open(file, 'wx')
  try {
    let sizeBytes = 0
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > IMAGE_BYTES_MAX) throw tooLarge()
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  return hash.digest()
}

/** The kept image of a digest or an id, for another `UNUSED_DAYS` from now; null when there is none. */
export async function touch(
  { sql, now }: App,
  userId: string,
  which: { digest: Buffer } | { id: string },
): Promise<Row | null> {
  const isIt = 'id' in which ? sql`id = ${which.id}` : sql`digest = ${which.digest}`
  const [row] = await sql<Row[]>`
    update kinora.video_image
    set due_at = ${startImageDueAt(now())}
    where user_id = ${userId} and ${isIt} and state = 'kept'
    returning id, key, content_type, width, height, size_bytes
  `
  return row ?? null
}

async function keep(
  app: App,
  userId: string,
  { id, digest, image, keptFile }: { id: string; digest: Buffer; image: InspectedImage; keptFile: string },
): Promise<Row> {
  const { sql } = app
  const key = `image/${userId}/${id}.${image.extension}`
  const { contentType, width, height, sizeBytes } = image
  const now = app.now()
  await sql`
    insert into kinora.video_image (
      user_id, id, digest, key, content_type, width, height, size_bytes, created_at, due_at
    ) values (
      ${userId}, ${id}, ${digest}, ${key}, ${contentType}, ${width}, ${height}, ${sizeBytes}, ${now},
      ${new Date(now.getTime() + STORING_MS)}
    )
  `
  app.crashPoint('image.noted')
  await app.storage.put(key, keptFile, contentType)
  app.crashPoint('image.stored')
  try {
    await sql`
      update kinora.video_image set state = 'kept', due_at = ${startImageDueAt(app.now())}
      where user_id = ${userId} and id = ${id} and state = 'storing'
    `
  } catch (error) {
    // The same image came twice at the same time: the other one is it, and the sweep removes this one's file.
    if (!(error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION)) throw error
    const other = await touch(app, userId, { digest })
    if (!other) throw error
    return other
  }
  await pushOut(app, userId)
  return { id, key, contentType, width, height, sizeBytes }
}

/**
 * What a user has beyond `UNUSED_MAX` goes with the next sweep. Compared with the time it was found at, because one that is
 * touched at this moment is about to begin a video.
 */
async function pushOut({ sql, now }: App, userId: string): Promise<void> {
  await sql`
    update kinora.video_image
    set state = 'going', due_at = ${now()}
    where user_id = ${userId} and state = 'kept' and (id, due_at) in (
      select i.id, i.due_at
      from kinora.video_image i
      where i.user_id = ${userId} and i.state = 'kept' and not ${isUsed(sql)}
      order by i.due_at desc, i.id desc
      offset ${UNUSED_MAX}
    )
  `
}

/**
 * Looks at images whose time has come: one that a video uses stays, any other goes, file and row. Any number of workers
 * may do so at once; a file that cannot be removed now is tried again in an hour. Answers how many were looked at.
 */
export async function sweepImages(app: App, batch = 200): Promise<number> {
  const { sql } = app
  const now = app.now()
  const seen = await sql<{ userId: string; id: string; key: string; state: string }[]>`
    update kinora.video_image i
    set state = case when i.state = 'kept' and ${isUsed(sql)} then 'kept' else 'going' end,
        due_at = case
          when i.state = 'kept' and ${isUsed(sql)} then ${startImageDueAt(now)}::timestamptz
          else ${new Date(now.getTime() + STORING_MS)}::timestamptz
        end
    from (
      select d.user_id, d.id from kinora.video_image d where d.due_at <= ${now} order by d.due_at limit ${batch}
    ) due
    where i.user_id = due.user_id and i.id = due.id and i.due_at <= ${now}
    returning i.user_id, i.id, i.key, i.state
  `
  for (const { userId, id, key } of seen.filter(({ state }) => state === 'going')) {
    await app.storage.remove(key)
    await sql`delete from kinora.video_image where user_id = ${userId} and id = ${id} and state = 'going'`
  }
  return seen.length
}

/**
 * Whether a video begins with image `i`: one that its owner still has, or that is still being made. A failed one gave its
 * credits back, and what costs nothing must not fill the disk.
 */
const isUsed = (sql: App['sql']) => sql`exists (
  select from kinora.video v
  where v.user_id = i.user_id and v.start_image_url = 'kinora:' || i.key and v.start_image_url like 'kinora:%'
    and (v.deleted_at is null and v.status <> 'FAILED' or v.due_at is not null)
)`

export const startImageDueAt = (now: Date): Date => new Date(now.getTime() + UNUSED_DAYS * DAY_MS)

function toUploaded(app: App, { key, width, height, sizeBytes, contentType }: Row): UploadedImage {
  const { url, expiresAt } = imageLink(app, imageName(key))
  return { url, width, height, sizeBytes, contentType, expiresAt }
}

function refusal(app: App, userId: string, error: ImageRefused): AppError {
  if (error.cause !== undefined) app.log.info({ userId, code: error.code, err: error }, 'an image was refused')
  const code = error.code === 'NOT_AN_IMAGE' ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_REQUEST'
  return new AppError(code, error.message, { details: [{ path: 'body', message: error.message, reason: error.code }] })
}
