/**
 * A user's assets: list, read, name, delete. An asset of another user, or of another subject than a browser token's, is
 * as unknown as one that does not exist.
 */
import { Type } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import { type Reader, subjectOf } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { assetNameOf, KINDS, type Kind } from '../film/inputs.ts'
import { isUuid } from '../id.ts'
import { type Asset, type AssetRow, assetColumns, assetNotFound, nameAsset, requireOwn, shownAsset } from './asset.ts'
import { keepSoundAlone } from './sound.ts'

type Changer = Pick<Caller, 'userId' | 'key' | 'actorId' | 'team'>

export const assetFilters = {
  kind: filter(
    Type.Enum([...KINDS], { description: 'Only assets of this kind' }),
    (sql, kind) => sql`a.kind = ${kind}`,
  ),
  name: filter(
    Type.String({ maxLength: 41, description: 'Only assets of this name' }),
    (sql, name) => sql`a.name = ${assetNameOf(name)}`,
  ),
  named: filter(Type.Boolean({ description: 'Only assets with a name, or with false all others' }), (sql, named) =>
    named ? sql`a.name is not null` : sql`a.name is null`,
  ),
}

export const NAME_PATTERN = '^@?[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,39}$'
/**
 * A name as a prompt has it, `@mara`, without its sign and in small letters. None is an id: inputs name assets by
 * either.
 * @throws AppError INVALID_REQUEST
 */
export function readName(written: string): string {
  const name = assetNameOf(written)
  if (new RegExp(NAME_PATTERN, 'u').test(written) && !isUuid(name)) return name
  const message = 'A name has letters, digits, - and _, at most 40 of them, such as mara; it is no id.'
  throw new AppError('INVALID_REQUEST', message, { details: [{ path: 'name', message }] })
}

/** The newest first. */
export async function listAssets(app: App, reader: Reader, query: QueryOf<typeof assetFilters> & PageQuery) {
  const { rows, ...page } = await readPage(app.sql, query, {
    sequence: by('a.id', 'id'),
    where: (sql) => matches(sql, assetFilters, query),
    rows: (sql, { where, order, limit }) => sql<AssetRow[]>`
      select ${assetColumns(sql)}
      from kinora.asset a
      where a.user_id = ${reader.userId} and a.state = 'kept' and ${isReached(sql, reader)} and ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { assets: rows.map((row) => shownAsset(app, row)), ...page }
}

/** @throws AppError NOT_FOUND */
export async function getAsset(app: App, reader: Reader, id: string): Promise<Asset> {
  return shownAsset(app, await findAsset(app, reader, id))
}

async function findAsset(app: App, reader: Reader, id: string): Promise<AssetRow> {
  const [row] = isUuid(id)
    ? await app.sql<AssetRow[]>`
        select ${assetColumns(app.sql)}
        from kinora.asset a
        where a.user_id = ${reader.userId} and a.id = ${id} and a.state = 'kept' and ${isReached(app.sql, reader)}
      `
    : []
  if (!row) throw assetNotFound()
  return row
}

/**
 * Names an asset, or keeps the sound of a film alone.
 * @throws AppError NOT_FOUND; FORBIDDEN for a maker of a team whose asset it is not; INVALID_REQUEST for a kind that it
 *   cannot become; those of nameAsset and keepSoundAlone
 */
export async function changeAsset(
  app: App,
  changer: Changer,
  id: string,
  { name, kind, signal }: { name?: string | null; kind?: Kind; signal: AbortSignal },
): Promise<Asset> {
  const row = await findAsset(app, changer, id)
  requireOwn(changer, row)
  if (kind !== undefined && kind !== row.kind) {
    if (kind !== 'sound' || row.kind !== 'film') throw otherKind(row.kind, kind)
    await keepSoundAlone(app, changer.userId, row, signal)
  }
  if (name !== undefined) await nameAsset(app, changer.userId, id, name)
  return getAsset(app, changer, id)
}

function otherKind(from: Kind, to: Kind): AppError {
  const message = `The ${from} cannot become ${to === 'image' ? 'an' : 'a'} ${to}: only a film can, the sound in it.`
  return new AppError('INVALID_REQUEST', message, { details: [{ path: 'kind', message }] })
}

/** Films that were made of it stay. @throws AppError NOT_FOUND, FORBIDDEN */
export async function deleteAsset(app: App, changer: Changer, id: string): Promise<void> {
  requireOwn(changer, await getAsset(app, changer, id))
  const outcome = await call(app.sql, 'asset_delete', { userId: changer.userId, id, now: app.now() })
  if (outcome === 'not_found') throw assetNotFound()
}

const isReached = (sql: Query, reader: Reader) => {
  const subject = subjectOf(reader)
  return subject === null ? sql`true` : sql`a.subject = ${subject}`
}
