/**
 * Assets: what users upload as inputs of films, or Kinora fetches from their links. Each is received, inspected,
 * stored, and removed when no video uses it. Invariant: a row names the file's storage key before the file exists and
 * until it is removed, so a process that dies leaves no orphaned file.
 */

import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'
import type { Caller } from '../account/credential/credential.ts'
import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { withColumnNames } from '../db/columns.ts'
import type { Query } from '../db/db.ts'
import { countInEach } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import type { Kind } from '../film/inputs.ts'
import { newId } from '../id.ts'
import { ASSET_FILM_BYTES_MAX, ASSET_IMAGE_BYTES_MAX, type Asset as InspectedAsset } from '../media/asset/asset.ts'
import { inspectAsset } from '../media/asset/inspect.ts'
import { inspectImage, isOverloaded, QueueFullError } from '../media/image/inspect.ts'
import { MediaRefused } from '../media/refusal.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { assetLink } from './asset-link.ts'

/**
 * An asset as its owner reads it. `width`, `height`: pixels, null for a sound. `durationS`: null for a picture. `url`:
 * our own signed link, valid until `urlExpiresAt`.
 */
export type Asset = Omit<AssetRow, 'key'> & { url: string; urlExpiresAt: Date }
export type AssetRow = Omit<InspectedAsset, 'extension'> & {
  id: string
  key: string
  name: string | null
  madeBy: string | null
  subject: string | null
  createdAt: Date
}

/** Pictures of one name. */
export const NAMED_MAX = 9
/** How long an asset is kept that has no name, and that no film uses. */
export const UNUSED_DAYS = 30

const DAY_MS = 86_400_000
const STORING_MS = 3600_000
const UNIQUE_VIOLATION = '23505'
const DISK_FULL = ['ENOSPC', 'EDQUOT']

/**
 * What an upload brings beside its bytes. `madeBy`: null for a file that Kinora fetches. `kind`: what it must be; of a
 * film for `sound` its sound is kept alone; null: any kind. `uploadId`: of an upload by several requests.
 */
export type Origin = Reader &
  Partial<Pick<Caller, 'team'>> & {
    madeBy: string | null
    name?: string | null
    kind?: Kind | null
    uploadId?: string
  }

/**
 * Receives a picture, film or sound, inspects it and stores what the inspection makes of it. The same bytes from the
 * same user, and subject, are the same asset.
 * @throws errors of the body; AppError PAYLOAD_TOO_LARGE (also beyond ASSET_BYTES), UNSUPPORTED_MEDIA_TYPE (not
 *   of `kind`), INVALID_REQUEST (one that cannot be used, or a name that too many have), FORBIDDEN (see requireOwn),
 *   CONTENT_REFUSED (it was taken down), UNAVAILABLE (too many at a time, or it cannot be stored)
 */
export async function receiveAsset(
  app: App,
  origin: Origin,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<AssetRow> {
  const { userId, kind = null } = origin
  const subject = subjectOf(origin)
  // The check precedes the body; the queue may still fill up while it is.
  if (isOverloaded()) throw overloaded()
  const id = newId(app.now())
  const dir = path.join(temporaryDir(app.config.dataDir), `asset-${id}`)
  const file = path.join(dir, 'upload')
  const outputFile = path.join(dir, 'output')
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    // The user id salts the digest, so it does not disclose that this user has a certain file.
    const hash = createHash('sha256').update(userId + (subject ?? ''))
    const plain = createHash('sha256')
    await receive(body, { file, bytesMax: assetBytesMax(kind), hashes: [hash, plain] })
    await refuseTakenDown(app, plain.digest())
    const sent = hash.digest()
    // A film is another asset than its sound.
    const digest = kind === 'sound' ? createHash('sha256').update(sent).update(kind).digest() : sent
    const existing = await findByDigest(app, userId, digest)
    if (existing && (kind === null || existing.kind === kind)) return await withName(app, origin, existing)
    const asset =
      kind === 'image'
        ? { ...NO_SOUND, ...(await inspectImage(file, { userId, outputFile, signal })) }
        : await inspectAsset(file, { userId, outputFile, signal, isSoundOnly: kind === 'sound' })
    if (kind !== null && asset.kind !== kind)
      throw new MediaRefused('NOT_AN_ASSET', `It is ${withArticle(asset.kind)}, and not ${withArticle(kind)}.`)
    return await store(app, origin, { id, subject, digest, asset, outputFile })
  } catch (error) {
    throw toAppError(app, userId, error)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
const withArticle = (kind: Kind) => `${kind === 'image' ? 'an' : 'a'} ${kind}`
/** What an upload may have that is to be of a kind; null: of any. Of a film the sound may be kept alone. */
export const assetBytesMax = (kind: Kind | null): number =>
  kind === 'image' ? ASSET_IMAGE_BYTES_MAX : ASSET_FILM_BYTES_MAX
const NO_SOUND = { kind: 'image', durationS: null, hasSound: null } as const

async function withName(app: App, { userId, name, madeBy, team }: Origin, row: AssetRow): Promise<AssetRow> {
  if (name === undefined || name === null || name === row.name) return row
  requireOwn({ actorId: madeBy, team }, row)
  await nameAsset(app, userId, row.id, name)
  return { ...row, name }
}

/** @throws AppError FORBIDDEN for a maker of a team who has not uploaded the asset */
export function requireOwn(
  { actorId, team }: { actorId: string | null; team?: Caller['team'] | undefined },
  { madeBy }: Pick<AssetRow, 'madeBy'>,
): void {
  if (team?.role === 'maker' && madeBy !== actorId)
    throw new AppError('FORBIDDEN', 'Another member made this asset; an admin or an owner of the team may change it.')
}

/** @throws AppError NOT_FOUND; INVALID_REQUEST for a name that NAMED_MAX others have */
export async function nameAsset(app: App, userId: string, id: string, name: string | null): Promise<void> {
  const now = app.now()
  const outcome = await call(app.sql, 'asset_name', {
    ...{ userId, id, name, namedMax: NAMED_MAX, dueAt: assetDueAt(now), now },
  })
  if (outcome === 'not_found') throw assetNotFound()
  if (outcome === 'too_many') throw tooManyNamed(name ?? '')
}

export const assetNotFound = () => new AppError('NOT_FOUND', 'There is no such asset.')
const tooManyNamed = (name: string) => {
  const message = `You have ${NAMED_MAX} assets named @${name}, which is the most; delete one of them first.`
  return new AppError('INVALID_REQUEST', message, { details: [{ path: 'name', message }] })
}
export const full = (bytesMax: number) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `Your assets would have more than ${Math.round(bytesMax / 1e6).toLocaleString('en')} MB; delete some that you do not need.`,
  )

const overloaded = () =>
  new AppError('UNAVAILABLE', 'Very many files are being looked at just now; try again shortly.', { retryAfterS: 5 })

export const notStored = () =>
  new AppError('UNAVAILABLE', 'Files cannot be stored at the moment; send the file again later.', { retryAfterS: 30 })

/** @throws AppError CONTENT_REFUSED for the bytes of a film that administrators have taken down, of any user */
async function refuseTakenDown({ sql }: App, sha256: Buffer): Promise<void> {
  if (!(await call(sql, 'takedown_has', { sha256 }))) return
  throw new AppError('CONTENT_REFUSED', 'This file was taken down, so it cannot be used here; choose another one.', {
    details: { categories: ['taken_down'] },
  })
}

/** Streams the body into a file up to the size limit, and into the hashes. */
async function receive(
  body: AsyncIterable<Uint8Array>,
  { file, bytesMax, hashes }: { file: string; bytesMax: number; hashes: ReturnType<typeof createHash>[] },
): Promise<void> {
  await using handle = await open(file, 'wx', 0o640)
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax)
    for (const hash of hashes) hash.update(chunk)
    await handle.writeFile(chunk)
  }
}

export const tooLarge = (bytesMax = ASSET_IMAGE_BYTES_MAX) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The ${bytesMax === ASSET_IMAGE_BYTES_MAX ? 'image' : 'file'} is larger than ${bytesMax / 1024 ** 2} MB; make it smaller and send it again.`,
  )

/** Finds an asset by its digest and keeps it for another `UNUSED_DAYS`; null when there is none. */
async function findByDigest({ sql, now }: App, userId: string, digest: Buffer): Promise<AssetRow | null> {
  const [row] = await sql<AssetRow[]>`
    update kinora.asset
    set due_at = ${assetDueAt(now())}
    where user_id = ${userId} and digest = ${digest} and state = 'kept'
    returning ${assetColumns(sql)}
  `
  return row ?? null
}

export const assetColumns = (sql: Query) =>
  sql`id, key, kind, name, made_by, subject, content_type, width, height, duration_s, has_sound, size_bytes, created_at`

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

type NewAsset = { id: string; subject: string | null; digest: Buffer; asset: InspectedAsset; outputFile: string }

async function store(
  app: App,
  origin: Origin,
  { id, subject, digest, asset, outputFile }: NewAsset,
): Promise<AssetRow> {
  const { sql, config } = app
  const { userId, madeBy, name = null, uploadId = null } = origin
  const { extension, ...found } = asset
  const key = `asset/${userId}/${id}.${extension}`
  const now = app.now()
  const row = { id, key, name, madeBy, subject, ...found, createdAt: now }
  const outcome = await call(sql, 'asset_add', {
    userId,
    asset: withColumnNames({ ...row, digest }),
    bytesMax: config.assetBytes,
    namedMax: NAMED_MAX,
    dueAt: new Date(now.getTime() + STORING_MS),
    now,
    uploadId,
  })
  if (outcome === 'full') throw full(config.assetBytes)
  if (outcome === 'too_many') throw tooManyNamed(name ?? '')
  app.crashPoint('asset.recorded')
  try {
    await app.storage.put(key, outputFile, asset.contentType)
  } catch (error) {
    app.log.warn({ userId, reason: (error as Error).message }, 'an asset could not be stored')
    throw notStored()
  }
  app.crashPoint('asset.stored')
  try {
    await call(sql, 'asset_keep', { userId, id, dueAt: assetDueAt(app.now()), now: app.now() })
  } catch (error) {
    // A concurrent upload of the same bytes won the unique key; its asset is returned, and the sweep removes this file.
    if (!(error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION)) throw error
    const other = await findByDigest(app, userId, digest)
    if (!other) throw error
    return await withName(app, origin, other)
  }
  return row
}

/**
 * Sweeps due assets: one that has a name or that a video uses stays, any other is removed, file and row. Workers may
 * sweep concurrently; a file that cannot be removed is retried after an hour. @returns how many were due
 */
export const sweepAssets = (app: App, batch = 200): Promise<number> =>
  countInEach(app, app.database.parts(), (sql) => sweepAssetsOf({ ...app, sql }, batch))

async function sweepAssetsOf(app: App, batch: number): Promise<number> {
  const { sql } = app
  const now = app.now()
  const isUsed = part(sql, 'asset_is_used', { userId: sql`i.user_id`, key: sql`i.key` })
  const due = await sql<{ userId: string; id: string; key: string; otherKey: string | null; state: string }[]>`
    update kinora.asset i
    set state = case when i.state = 'kept' and (i.name is not null or ${isUsed}) then 'kept' else 'going' end,
        due_at = case
          when i.state = 'kept' and (i.name is not null or ${isUsed}) then ${assetDueAt(now)}::timestamptz
          else ${new Date(now.getTime() + STORING_MS)}::timestamptz
        end
    from (
      select d.user_id, d.id from kinora.asset d where d.due_at <= ${now} order by d.due_at limit ${batch}
    ) due
    where i.user_id = due.user_id and i.id = due.id and i.due_at <= ${now}
    returning i.user_id, i.id, i.key, i.other_key, i.state
  `
  for (const { userId, id, key, otherKey, state } of due) {
    // A process that died has left it (sound.ts).
    if (otherKey !== null) {
      await app.storage.remove(otherKey)
      await sql`
        update kinora.asset set other_key = null where user_id = ${userId} and id = ${id} and other_key = ${otherKey}
      `
    }
    if (state !== 'going') continue
    await app.storage.remove(key)
    await sql`delete from kinora.asset where user_id = ${userId} and id = ${id} and state = 'going'`
  }
  return due.length
}

export const assetDueAt = (now: Date): Date => new Date(now.getTime() + UNUSED_DAYS * DAY_MS)

export function shownAsset(app: App, { key, ...row }: AssetRow): Asset {
  const { url, expiresAt } = assetLink(app, key)
  return { ...row, url, urlExpiresAt: expiresAt }
}

/** What the sender is told of an error. @param path the part of the request that is at fault */
export function toAppError(app: App, userId: string, error: unknown, path = 'body'): unknown {
  if (error instanceof QueueFullError) return overloaded()
  if (error instanceof Error && 'code' in error && DISK_FULL.includes(String(error.code))) {
    app.log.warn({ userId, reason: error.message }, 'there is no room for an asset')
    return notStored()
  }
  if (!(error instanceof MediaRefused)) return error
  if (error.cause !== undefined) app.log.info({ userId, code: error.code, err: error }, 'an asset was refused')
  const code =
    error.code === 'NOT_AN_IMAGE' || error.code === 'NOT_AN_ASSET' ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_REQUEST'
  return new AppError(code, error.message, { details: [{ path, message: error.message, reason: error.code }] })
}
