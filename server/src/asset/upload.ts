/**
 * Uploads that arrive by more than one request: what has arrived lies in storage in pieces, so that any process goes on
 * where another one stopped. Its last piece is never stored: the request that brings it makes the asset, and until then
 * the upload ends before it. So an upload that is complete has its asset, and a process that dies in between has the
 * last piece sent again.
 *
 * Invariant: a row names a piece before it is written and until it is removed. The request that came last receives; an
 * earlier one, whose client has lost its connection, records nothing more.
 */
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { actingId, type Caller } from '../account/credential/credential.ts'
import { subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { withColumnNames } from '../db/columns.ts'
import { countInEach } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import type { Kind } from '../film/inputs.ts'
import { isUuid, newId } from '../id.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { assetBytesMax, full, notStored, receiveAsset, tooLarge } from './asset.ts'

type Sender = Pick<Caller, 'userId' | 'actorId' | 'key' | 'team'>
export type Upload = {
  id: string
  kind: Kind | null
  name: string | null
  sizeBytes: number
  receivedBytes: number
  pieces: number[]
  assetId: string | null
  dueAt: Date
}

/** Of an owner, that are not complete. */
export const OPEN_UPLOADS_MAX = 20
/** How long an upload is kept after what arrived last, and how long what it has become can be read there. */
export const UPLOAD_HOURS = 24
/** What a process that dies loses of an upload, and the fewest bytes of a request that is not the last one. */
export const PIECE_BYTES = 8 * 1024 ** 2
/** A client that sends very little at a time would make a file of each. */
const PIECES_MAX = 400

/** @throws AppError PAYLOAD_TOO_LARGE (also beyond ASSET_BYTES), RATE_LIMITED */
export async function openUpload(
  app: App,
  sender: Sender,
  { id = newId(app.now()), sizeBytes, kind, name }: Pick<Upload, 'sizeBytes' | 'kind' | 'name'> & { id?: string },
): Promise<Upload> {
  const bytesMax = assetBytesMax(kind)
  if (sizeBytes > bytesMax) throw tooLarge(bytesMax)
  const now = app.now()
  const upload = { id, kind, name, sizeBytes, receivedBytes: 0, pieces: [], assetId: null, dueAt: dueAt(app) }
  const outcome = await call(app.sql, 'asset_upload_open', {
    userId: sender.userId,
    upload: withColumnNames({ id, kind, name, sizeBytes, madeBy: actingId(sender), subject: subjectOf(sender) }),
    bytesMax: app.config.assetBytes,
    openMax: OPEN_UPLOADS_MAX,
    dueAt: upload.dueAt,
    now,
  })
  if (outcome === 'full') throw full(app.config.assetBytes)
  if (outcome === 'too_many') {
    const message = `You have ${OPEN_UPLOADS_MAX} uploads that are not complete; end or delete one of them first.`
    throw new AppError('RATE_LIMITED', message, { retryAfterS: 60 })
  }
  return upload
}

/** @throws AppError NOT_FOUND, also for the upload of another user, member, key or subject */
export async function readUpload(app: App, sender: Sender, id: string): Promise<Upload> {
  const [row] = isUuid(id)
    ? await app.sql<Upload[]>`
        select ${columns(app)} from kinora.asset_upload u where u.user_id = ${sender.userId} and ${isOf(app, sender, id)}
      `
    : []
  if (!row) throw new AppError('NOT_FOUND', 'There is no such upload.')
  return row
}

/** What arrived stays in storage for the sweep where it cannot be removed now. @throws AppError NOT_FOUND */
export async function deleteUpload(app: App, sender: Sender, id: string): Promise<void> {
  await readUpload(app, sender, id)
  await giveUp(app, sender.userId, id)
}

/**
 * Receives what follows `offset`. What arrived stays when the connection breaks, but for less than a piece when the
 * process dies. With the last byte it becomes an asset; a file that is refused ends the upload.
 * @throws AppError NOT_FOUND, CONFLICT (it has another offset, or a later request receives), PAYLOAD_TOO_LARGE (more
 *   than was declared), those of the body and of receiveAsset
 */
export async function receiveUpload(
  app: App,
  sender: Sender,
  part: { id: string; offset: number; body: AsyncIterable<Buffer> },
  signal: AbortSignal,
): Promise<Upload> {
  const leaseId = newId(app.now())
  const upload = await takeUpload(app, sender, { ...part, leaseId })
  if (upload.assetId !== null) return upload
  const dir = path.join(temporaryDir(app.config.dataDir), `upload-${leaseId}`)
  const of = { userId: sender.userId, leaseId, file: path.join(dir, 'piece') }
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    if (await receivePieces(app, upload, of, part.body)) return await finish(app, sender, upload, of.file, signal)
    return upload
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Removes uploads that were not completed in time, and what is kept of those that were. @returns how many */
export const sweepUploads = (app: App, batch = 100): Promise<number> =>
  countInEach(app, app.database.parts(), (sql) => sweepUploadsOf({ ...app, sql }, batch))

async function sweepUploadsOf(app: App, batch: number): Promise<number> {
  const due = await app.sql<{ userId: string; id: string }[]>`
    select user_id, id from kinora.asset_upload where due_at <= ${app.now()} order by due_at limit ${batch}
  `
  let removed = 0
  for (const { userId, id } of due) if (await giveUp(app, userId, id, { isDue: true })) removed += 1
  return removed
}

type Receiving = { userId: string; leaseId: string; file: string }

const dueAt = (app: App): Date => new Date(app.now().getTime() + UPLOAD_HOURS * 3600_000)
const columns = ({ sql }: App) =>
  sql`u.id, u.kind, u.name, u.size_bytes, u.received_bytes, u.pieces, u.asset_id, u.due_at`
const isOf = ({ sql, now }: App, sender: Sender, id: string) => sql`
  u.id = ${id} and u.made_by = ${actingId(sender)}
    and u.subject is not distinct from ${subjectOf(sender)} and u.due_at > ${now()}
`
const pieceKey = (userId: string, id: string, n: number) => `upload/${userId}/${id}.${n}`

/** @throws AppError NOT_FOUND, CONFLICT */
async function takeUpload(
  app: App,
  sender: Sender,
  { id, offset, leaseId }: { id: string; offset: number; leaseId: string },
): Promise<Upload> {
  const [row] = isUuid(id)
    ? await app.sql<Upload[]>`
        update kinora.asset_upload u set lease_id = ${leaseId}, due_at = ${dueAt(app)}
        where u.user_id = ${sender.userId} and ${isOf(app, sender, id)} and u.received_bytes = ${offset}
        returning ${columns(app)}
      `
    : []
  if (row) return row
  const { receivedBytes } = await readUpload(app, sender, id)
  throw new AppError('CONFLICT', `${receivedBytes} bytes of this upload have arrived; go on with that Upload-Offset.`)
}

const taken = () => new AppError('CONFLICT', 'A later request receives this upload.')

/**
 * Stores pieces as they fill. @returns whether the upload is complete: its last piece is in the file, and not stored
 */
async function receivePieces(app: App, upload: Upload, of: Receiving, body: AsyncIterable<Buffer>): Promise<boolean> {
  await using handle = await open(of.file, 'w', 0o640)
  let waiting = 0
  const store = async () => {
    if (waiting === 0) return
    await storePiece(app, upload, of, waiting)
    waiting = 0
    await handle.truncate(0)
  }
  try {
    for await (const chunk of body) {
      if (upload.receivedBytes + waiting + chunk.length > upload.sizeBytes)
        throw new AppError('PAYLOAD_TOO_LARGE', `The upload was declared with ${upload.sizeBytes} bytes.`)
      await handle.write(chunk, 0, chunk.length, waiting)
      waiting += chunk.length
      if (upload.receivedBytes + waiting < upload.sizeBytes && waiting >= PIECE_BYTES) await store()
    }
  } catch (error) {
    // What arrived before the connection broke is kept; of a body that is too long nothing more.
    if (!(error instanceof AppError && error.code === 'INVALID_REQUEST')) throw error
    await store()
    throw error
  }
  if (upload.receivedBytes + waiting === upload.sizeBytes) return true
  await store()
  return false
}

async function storePiece(app: App, upload: Upload, of: Receiving, sizeBytes: number): Promise<void> {
  const { sql } = app
  const { userId, leaseId, file } = of
  const isMine = sql`id = ${upload.id} and lease_id = ${leaseId}`
  const [reserved] = await sql<[{ n: number }?]>`
    update kinora.asset_upload set pieces = pieces || 0, due_at = ${dueAt(app)}
    where user_id = ${userId} and ${isMine} and cardinality(pieces) < ${PIECES_MAX}
    returning cardinality(pieces) as n
  `
  if (!reserved) throw upload.pieces.length < PIECES_MAX ? taken() : tooManyPieces()
  const key = pieceKey(userId, upload.id, reserved.n)
  app.crashPoint('upload.reserved')
  try {
    await app.storage.put(key, file, 'application/octet-stream')
  } catch (error) {
    app.log.warn({ userId, reason: (error as Error).message }, 'a piece of an upload could not be stored')
    throw notStored()
  }
  app.crashPoint('upload.stored')
  const [row] = await sql<Pick<Upload, 'receivedBytes' | 'pieces' | 'dueAt'>[]>`
    update kinora.asset_upload
    set pieces[${reserved.n}::integer] = ${sizeBytes}, received_bytes = received_bytes + ${sizeBytes}, due_at = ${dueAt(app)}
    where user_id = ${userId} and ${isMine}
    returning received_bytes, pieces, due_at
  `
  if (row) {
    Object.assign(upload, row)
    return
  }
  // The row may have gone meanwhile.
  await app.storage.remove(key)
  throw taken()
}

const tooManyPieces = () =>
  new AppError('INVALID_REQUEST', `This upload came in ${PIECES_MAX} pieces, the most; begin again with larger ones.`)

async function finish(app: App, sender: Sender, upload: Upload, file: string, signal: AbortSignal): Promise<Upload> {
  const { userId, key, team } = sender
  const { id, name, kind } = upload
  const origin = { userId, key, team, madeBy: actingId(sender), name, kind, uploadId: id }
  let assetId: string
  try {
    ;({ id: assetId } = await receiveAsset(app, origin, contentOf(app, userId, upload, file, signal), signal))
  } catch (error) {
    const isRefused = error instanceof AppError && error.code !== 'UNAVAILABLE' && !signal.aborted
    if (isRefused) await giveUp(app, userId, id)
    throw error
  }
  app.crashPoint('upload.kept')
  const [row] = await app.sql<Upload[]>`
    update kinora.asset_upload u
    set asset_id = ${assetId}, received_bytes = size_bytes, lease_id = null, due_at = ${dueAt(app)}
    where user_id = ${userId} and id = ${id}
    returning ${columns(app)}
  `
  app.crashPoint('upload.finished')
  if (row && (await removePieces(app, userId, row)))
    await app.sql`update kinora.asset_upload set pieces = '{}' where user_id = ${userId} and id = ${id}`
  return row ?? { ...upload, receivedBytes: upload.sizeBytes, assetId }
}

/** Its pieces in their order, then the last one. @throws AppError UNAVAILABLE when a piece cannot be read */
async function* contentOf(app: App, userId: string, upload: Upload, last: string, signal: AbortSignal) {
  for (const [index, sizeBytes] of upload.pieces.entries()) {
    if (sizeBytes === 0) continue
    const piece = await app.storage.read(pieceKey(userId, upload.id, index + 1), signal).catch(() => null)
    if (!piece) throw notStored()
    yield* piece
  }
  yield* createReadStream(last) as AsyncIterable<Buffer>
}

/**
 * Ends an upload: no request finds it from now on. What cannot be removed is left to the sweep.
 * @param options.isDue only when nothing arrived lately
 * @returns whether nothing of it is left
 */
async function giveUp(app: App, userId: string, id: string, { isDue = false } = {}): Promise<boolean> {
  const { sql } = app
  // Long ago: the clocks of processes differ.
  const [row] = await sql<Pick<Upload, 'id' | 'pieces'>[]>`
    update kinora.asset_upload set lease_id = null, due_at = ${new Date(0)}
    where user_id = ${userId} and id = ${id} ${isDue ? sql`and due_at <= ${app.now()}` : sql``}
    returning id, pieces
  `
  if (!row || !(await removePieces(app, userId, row))) return false
  await sql`delete from kinora.asset_upload where user_id = ${userId} and id = ${id} and due_at = ${new Date(0)}`
  return true
}

/** @returns false: not all could be removed */
async function removePieces(app: App, userId: string, { id, pieces }: Pick<Upload, 'id' | 'pieces'>): Promise<boolean> {
  try {
    for (const index of pieces.keys()) await app.storage.remove(pieceKey(userId, id, index + 1))
    return true
  } catch (err) {
    app.log.warn({ err, userId }, 'pieces of an upload could not be removed; the sweep tries again')
    return false
  }
}
