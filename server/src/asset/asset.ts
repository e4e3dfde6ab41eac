/**
 * Assets: what users upload as inputs of films, or Kinora fetches from their links. Each is received, inspected,
 * stored, and removed when no video uses it. Invariant: a row names the file's storage key before the file exists and
 * until it is removed, so a process that dies leaves no orphaned file.
 */

import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'
import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { inEach } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { type InspectedImage, inspectImage, isOverloaded, QueueFullError } from '../media/image/inspect.ts'
import { MediaRefused } from '../media/refusal.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { assetLink } from './asset-link.ts'

/** A picture as stored: sides in pixels; `url` is our own signed link, valid until `expiresAt`. */
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
/** Unused images of one user; beyond this number the least recently used are removed. */
export const UNUSED_MAX = 50
export const UNUSED_DAYS = 7

const DAY_MS = 86_400_000
const STORING_MS = 3600_000
const UNIQUE_VIOLATION = '23505'
const DISK_FULL = ['ENOSPC', 'EDQUOT']

export const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The image is larger than 15 MB; make it smaller and send it again.')

/** Receives an image (receiveAsset), and returns a link for its owner. */
export async function upload(
  app: App,
  reader: Reader,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<UploadedImage> {
  return toUploaded(app, await receiveAsset(app, reader, body, signal))
}

/**
 * Receives an image, inspects it and stores the re-encoded result. The same bytes from the same user, and subject,
 * return the same image.
 * @throws errors of the body; AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE (not an image of a supported kind),
 *   INVALID_REQUEST (an image that cannot be used), UNAVAILABLE (too many images at a time, or it cannot be stored)
 */
export async function receiveAsset(
  app: App,
  reader: Reader,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Row> {
  const { userId } = reader
  const subject = subjectOf(reader)
  // The check precedes the body; the queue may still fill up while it is.
  if (isOverloaded()) throw overloaded()
  const id = newId(app.now())
  const dir = path.join(temporaryDir(app.config.dataDir), `image-${id}`)
  const file = path.join(dir, 'upload')
  const outputFile = path.join(dir, 'output')
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    // The user id salts the digest, so it does not disclose that this user has a certain file.
    const digest = await receive(body, file, createHash('sha256').update(userId + (subject ?? '')))
    const existing = await findByDigest(app, userId, digest)
    if (existing) return existing
    const image = await inspectImage(file, { userId, outputFile, signal })
    return await store(app, userId, { id, subject, digest, image, outputFile })
  } catch (error) {
    if (error instanceof QueueFullError) throw overloaded()
    if (error instanceof Error && 'code' in error && DISK_FULL.includes(String(error.code))) {
      app.log.warn({ userId, reason: error.message }, 'there is no room for an asset')
      throw notStored()
    }
    throw error instanceof MediaRefused ? toAppError(app, userId, error) : error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const overloaded = () =>
  new AppError('UNAVAILABLE', 'Very many images are being looked at just now; try again shortly.', { retryAfterS: 5 })

const notStored = () =>
  new AppError('UNAVAILABLE', 'Files cannot be stored at the moment; send the image again later.', { retryAfterS: 30 })

/** Streams the body into a file up to the size limit. @returns its digest */
async function receive(body: AsyncIterable<Uint8Array>, file: string, hash: ReturnType<typeof createHash>) {
  const handle = await open(file, 'wx', 0o640)
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

/** Finds a stored image by its digest and keeps it for another `UNUSED_DAYS`; null when there is none. */
async function findByDigest({ sql, now }: App, userId: string, digest: Buffer): Promise<Row | null> {
  const [row] = await sql<Row[]>`
    update kinora.asset
    set due_at = ${assetDueAt(now())}
    where user_id = ${userId} and digest = ${digest} and state = 'kept'
    returning id, key, content_type, width, height, size_bytes
  `
  return row ?? null
}

/** Keeps an asset until `dueAt`. Returns false when it is no longer stored. */
export async function extendAsset(
  sql: App['sql'],
  asset: { userId: string; assetId: string; dueAt: Date },
): Promise<boolean> {
  return await call(sql, 'asset_extend', {
    userId: asset.userId,
    id: asset.assetId,
    dueAt: asset.dueAt,
  })
}

async function store(
  app: App,
  userId: string,
  {
    id,
    subject,
    digest,
    image,
    outputFile,
  }: { id: string; subject: string | null; digest: Buffer; image: InspectedImage; outputFile: string },
): Promise<Row> {
  const { sql } = app
  const key = `asset/${userId}/${id}.${image.extension}`
  const { contentType, width, height, sizeBytes } = image
  const now = app.now()
  await sql`
    insert into kinora.asset (
      user_id, id, kind, subject, digest, key, content_type, width, height, size_bytes, created_at, due_at
    ) values (
      ${userId}, ${id}, 'image', ${subject}, ${digest}, ${key}, ${contentType}, ${width}, ${height}, ${sizeBytes}, ${now},
      ${new Date(now.getTime() + STORING_MS)}
    )
  `
  app.crashPoint('asset.recorded')
  try {
    await app.storage.put(key, outputFile, contentType)
  } catch (error) {
    app.log.warn({ userId, reason: (error as Error).message }, 'an asset could not be stored')
    throw notStored()
  }
  app.crashPoint('asset.stored')
  try {
    await sql`
      update kinora.asset set state = 'kept', due_at = ${assetDueAt(app.now())}
      where user_id = ${userId} and id = ${id} and state = 'storing'
    `
  } catch (error) {
    // A concurrent upload of the same bytes won the unique key; its image is returned, and the sweep removes this file.
    if (!(error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION)) throw error
    const other = await findByDigest(app, userId, digest)
    if (!other) throw error
    return other
  }
  await evictUnused(app, userId)
  return { id, key, contentType, width, height, sizeBytes }
}

/**
 * Marks a user's unused images beyond `UNUSED_MAX` for the next sweep. The condition on `due_at` leaves an image alone
 * that is touched concurrently, because a video is about to use it.
 */
async function evictUnused({ sql, now }: App, userId: string): Promise<void> {
  await sql`
    update kinora.asset
    set state = 'going', due_at = ${now()}
    where user_id = ${userId} and state = 'kept' and (id, due_at) in (
      select i.id, i.due_at
      from kinora.asset i
      where i.user_id = ${userId} and i.state = 'kept' and not ${isUsed(sql)}
      order by i.due_at desc, i.id desc
      offset ${UNUSED_MAX}
    )
  `
}

/**
 * Sweeps due images: one that a video uses stays, any other is removed, file and row. Workers may sweep concurrently; a
 * file that cannot be removed is retried after an hour. @returns how many were due
 */
export async function sweepAssets(app: App, batch = 200): Promise<number> {
  let due = 0
  for await (const found of inEach(app, app.database.parts(), (sql) => sweepAssetsOf({ ...app, sql }, batch)))
    due += found
  return due
}

async function sweepAssetsOf(app: App, batch: number): Promise<number> {
  const { sql } = app
  const now = app.now()
  const due = await sql<{ userId: string; id: string; key: string; state: string }[]>`
    update kinora.asset i
    set state = case when i.state = 'kept' and ${isUsed(sql)} then 'kept' else 'going' end,
        due_at = case
          when i.state = 'kept' and ${isUsed(sql)} then ${assetDueAt(now)}::timestamptz
          else ${new Date(now.getTime() + STORING_MS)}::timestamptz
        end
    from (
      select d.user_id, d.id from kinora.asset d where d.due_at <= ${now} order by d.due_at limit ${batch}
    ) due
    where i.user_id = due.user_id and i.id = due.id and i.due_at <= ${now}
    returning i.user_id, i.id, i.key, i.state
  `
  for (const { userId, id, key } of due.filter(({ state }) => state === 'going')) {
    await app.storage.remove(key)
    await sql`delete from kinora.asset where user_id = ${userId} and id = ${id} and state = 'going'`
  }
  return due.length
}

/**
 * Whether a video uses asset `i`: one that is not deleted, or that is still in progress. A failed video does not count:
 * its credits were released, and free uploads must not fill the disk.
 */
const isUsed = (sql: App['sql']) => sql`exists (
  select from kinora.video v
  where v.user_id = i.user_id and v.made_of @> jsonb_build_array(jsonb_build_object('source', 'kinora:' || i.key))
    and (v.deleted_at is null and v.status <> 'FAILED' or v.due_at is not null)
)`

export const assetDueAt = (now: Date): Date => new Date(now.getTime() + UNUSED_DAYS * DAY_MS)

function toUploaded(app: App, { key, width, height, sizeBytes, contentType }: Row): UploadedImage {
  const { url, expiresAt } = assetLink(app, key)
  return { url, width, height, sizeBytes, contentType, expiresAt }
}

function toAppError(app: App, userId: string, error: MediaRefused): AppError {
  if (error.cause !== undefined) app.log.info({ userId, code: error.code, err: error }, 'an image was refused')
  const code = error.code === 'NOT_AN_IMAGE' ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_REQUEST'
  return new AppError(code, error.message, { details: [{ path: 'body', message: error.message, reason: error.code }] })
}
