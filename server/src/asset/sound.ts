/**
 * A film that is kept as its sound alone, under the same id and name; one that a video uses stays a film. `other_key`
 * names the second file before it is written and until it is removed; a process that dies leaves it to a repetition or
 * the sweep.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { withColumnNames } from '../db/columns.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { inspectAsset } from '../media/asset/inspect.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { type AssetRow, assetDueAt, assetNotFound, full, notStored, toAppError } from './asset.ts'

/** Whose films this process changes: each is copied to disk before it waits for its inspection. */
const changing = new Set<string>()

/**
 * @throws AppError CONFLICT for a film that a video uses, INVALID_REQUEST for one without a sound, NOT_FOUND,
 *   RATE_LIMITED while another one of the user changes, UNAVAILABLE
 */
export async function keepSoundAlone(app: App, userId: string, film: AssetRow, signal: AbortSignal): Promise<void> {
  if (changing.has(userId)) {
    const message = 'Another film of yours becomes its sound just now; wait for it.'
    throw new AppError('RATE_LIMITED', message, { retryAfterS: 5 })
  }
  changing.add(userId)
  try {
    await change(app, userId, film, signal)
  } finally {
    changing.delete(userId)
  }
}

async function change(app: App, userId: string, film: AssetRow, signal: AbortSignal): Promise<void> {
  const { sql, config } = app
  const { id } = film
  if (await call(sql, 'asset_is_used', { userId, key: film.key })) throw used()
  const dir = path.join(temporaryDir(config.dataDir), `sound-${newId(app.now())}`)
  const [file, outputFile] = [path.join(dir, 'film'), path.join(dir, 'sound')]
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    const stored = await app.storage.read(film.key, signal)
    if (!stored) throw assetNotFound()
    await pipeline(stored, createWriteStream(file, { mode: 0o640 }), { signal })
    const { extension, ...sound } = await inspectAsset(file, { userId, outputFile, signal, isSoundOnly: true })
    const key = `asset/${userId}/${id}.${extension}`
    // Kept for longer, too: a sweep that is due just now would remove the sound as a file that was left behind.
    await sql`
      update kinora.asset i set other_key = ${key}, due_at = greatest(i.due_at, ${assetDueAt(app.now())})
      where i.user_id = ${userId} and i.id = ${id} and i.key = ${film.key} and i.state = 'kept'
    `
    app.crashPoint('sound.recorded')
    await app.storage.put(key, outputFile, sound.contentType).catch(() => {
      throw notStored()
    })
    app.crashPoint('sound.stored')
    const outcome = await call(sql, 'asset_change_to_sound', {
      ...{ userId, id, bytesMax: config.assetBytes, dueAt: assetDueAt(app.now()), now: app.now() },
      // The film that is sent again is a film again.
      sound: withColumnNames({ ...sound, key, digest: randomBytes(32) }),
    })
    if (outcome === 'used') throw used()
    if (outcome === 'full') throw full(config.assetBytes)
    if (outcome === 'not_found') {
      // The row may have gone meanwhile; that of another process has the same sound.
      const named = await sql`
        select from kinora.asset i where i.user_id = ${userId} and i.id = ${id} and ${key} in (i.key, i.other_key)
      `
      if (named.length === 0) await app.storage.remove(key)
      throw assetNotFound()
    }
  } catch (error) {
    throw toAppError(app, userId, error, 'kind')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
  app.crashPoint('sound.changed')
  await app.storage.remove(film.key)
  await sql`
    update kinora.asset i set other_key = null where i.user_id = ${userId} and i.id = ${id} and i.other_key = ${film.key}
  `
}

const used = () =>
  new AppError(
    'CONFLICT',
    'A video uses it as a film, so it stays one; for its sound alone send the file again with ?kind=sound.',
  )
