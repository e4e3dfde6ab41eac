/**
 * Shares: the public link to one film. A film is not shared until its owner shares it, and revoking removes the row.
 * Invariant: every request for a shared page, film or thumbnail reads the rows, so a link of a share that is revoked,
 * or of a video or account that is deleted or locked, stops working at once.
 *
 * The link's token is the ids of user and video, sealed with AES-256-GCM by a key that HKDF derives from AUTH_SECRET. A
 * forged token costs no query, a copy of the database holds no link, the link reveals no id, and the owner can read it
 * again. The nonce is stored: a new share has another one, so that the link of a revoked share never works again.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import { isBanned } from '../db/banned.ts'
import { call } from '../db/call.ts'
import { videoColumns } from '../db/columns.ts'
import { isOpenTeam } from '../db/set-calls.ts'
import { AppError } from '../errors.ts'
import type { Row } from '../film/fields.ts'
import { isUuid, uuidBytes, uuidOf } from '../id.ts'
import { get } from './library.ts'
import { type Changer, notFound, requireMade } from './made-by.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const IDS_BYTES = 32
const TAG_BYTES = 16
/** Base64url of 60 bytes, without padding. */
const TOKEN_PATTERN = /^[\w-]{80}$/

/** What the page shows beside the film. */
export type ShareChoice = { showsPrompt: boolean; allowsDownload: boolean }
export type Share = ShareChoice & { url: string; administratorId: string | null; createdAt: Date }

/**
 * What viewers of the link may read; `prompt` is null unless the owner shows it. The storage keys contain the user id
 * and are not for responses.
 */
export type SharedFilm = Omit<Row<'share'>, 'prompt'> & {
  prompt: string | null
  allowsDownload: boolean
  videoKey: string
  thumbnailKey: string
}

type ShareRow = ShareChoice & { nonce: Buffer; administratorId: string | null; createdAt: Date }

/**
 * Shares a film, or changes what its share shows; the link of a film that is shared already stays, and its owner takes
 * over one of an administrator.
 * @throws AppError NOT_FOUND; CONFLICT while there is no film to show; those of requireMade
 */
export async function shareVideo(
  app: App,
  by: Changer,
  videoId: string,
  { showsPrompt, allowsDownload }: ShareChoice,
): Promise<Share> {
  const { userId } = by
  await requireMade(app, by, [videoId])
  const { videoUrl } = await get(app, by, videoId)
  const [row] = await app.sql<ShareRow[]>`
    insert into kinora.video_share as s (user_id, video_id, nonce, shows_prompt, allows_download, administrator_id, created_at)
    select user_id, id, ${randomBytes(NONCE_BYTES)}, ${showsPrompt}, ${allowsDownload}, ${by.impersonation?.actorId ?? null}, ${app.now()}
    from kinora.video
    where user_id = ${userId} and id = ${videoId} and status = 'COMPLETED' and deleted_at is null and files_removed_at is null
    on conflict (user_id, video_id) do update
    set shows_prompt = excluded.shows_prompt, allows_download = excluded.allows_download,
        administrator_id = case when excluded.administrator_id is not null then s.administrator_id end
    returning nonce, shows_prompt, allows_download, administrator_id, created_at
  `
  if (row) return describe(app, { userId, videoId }, row)
  throw new AppError(
    'CONFLICT',
    videoUrl ? 'The film was changed meanwhile; read the video again.' : 'Only a completed film can be shared.',
  )
}

/** @returns null when the video is not shared. @throws AppError NOT_FOUND */
export async function shareOf(app: App, userId: string, videoId: string): Promise<Share | null> {
  const { sql } = app
  const [row] = isUuid(videoId)
    ? await sql<(ShareRow | { nonce: null })[]>`
        select s.nonce, s.shows_prompt, s.allows_download, s.administrator_id, s.created_at
        from kinora.video v left join kinora.video_share s on s.user_id = v.user_id and s.video_id = v.id
        where v.user_id = ${userId} and v.id = ${videoId} and v.deleted_at is null
      `
    : []
  if (!row) throw notFound()
  return row.nonce === null ? null : describe(app, { userId, videoId }, row)
}

/** Idempotent. @throws AppError NOT_FOUND; those of requireMade */
export async function revokeShare(app: App, by: Changer, videoId: string): Promise<void> {
  const { userId } = by
  await requireMade(app, by, [videoId])
  await shareOf(app, userId, videoId)
  await app.sql`delete from kinora.video_share where user_id = ${userId} and video_id = ${videoId}`
}

/** The film of a link, also of one that does not work any more; null for a token that this service did not seal. */
export const filmOfShare = ({ config }: Pick<App, 'config'>, token: string): Ids | null => {
  const ids = openToken(config.authSecret, token)
  return ids && { userId: ids.userId, videoId: ids.videoId }
}

/** @returns null for a forged token, and for a film that is not shared or not kept any more */
export async function readSharedFilm({ sql, config, now }: App, token: string): Promise<SharedFilm | null> {
  const ids = openToken(config.authSecret, token)
  if (!ids) return null
  const [film] = await sql<
    (SharedFilm & { showsPrompt: boolean; isOfTeam: boolean; administratorId: string | null })[]
  >`
    select ${videoColumns(sql, 'share', now())}, s.shows_prompt, s.allows_download, u.id is null as is_of_team, s.administrator_id
    from kinora.video_share s
    join kinora.video v on v.user_id = s.user_id and v.id = s.video_id
    left join public."user" u on u.id = s.user_id::text
    where s.user_id = ${ids.userId} and s.video_id = ${ids.videoId} and s.nonce = ${ids.nonce}
      and v.status = 'COMPLETED' and v.deleted_at is null and v.files_removed_at is null
      and (u.id is null or not ${isBanned(sql, now())})
      and not exists (select from kinora.deleted_account d where d.user_id = s.user_id)
  `
  if (!film || (film.isOfTeam && !(await isOfOpenTeam(sql, ids.userId)))) return null
  if (film.administratorId && !(await isAdministratorNow(sql, film.administratorId, now()))) return null
  return { ...film, prompt: (film.showsPrompt && film.prompt) || null }
}

/** Asked apart from the film, which may be in another part of the database. */
async function isOfOpenTeam(sql: App['sql'], teamId: string): Promise<boolean> {
  const [row] = await sql<[{ isOpen: boolean }]>`select ${isOpenTeam(sql, sql`${teamId}::text`)} as is_open`
  return row.isOpen
}

/** Apart from the film too. A former administrator has no shares; this is for one made at that moment. */
async function isAdministratorNow(sql: App['sql'], userId: string, now: Date): Promise<boolean> {
  return await call(sql, 'is_administrator', { userId, now })
}

type Ids = { userId: string; videoId: string }

function describe({ config }: App, ids: Ids, { nonce, ...share }: ShareRow): Share {
  return { url: sharePageUrl(config.publicUrl, sealToken(config.authSecret, ids, nonce)), ...share }
}

export const sharePageUrl = (publicUrl: string, token: string): string => `${publicUrl}/share/${token}`

/** Nonce, ciphertext and tag. A nonce seals the ids of its own row only, so no two texts are sealed with one. */
function sealToken(authSecret: string, { userId, videoId }: Ids, nonce: Buffer): string {
  const cipher = createCipheriv(CIPHER, keyOf(authSecret), nonce)
  const ids = Buffer.concat([uuidBytes(userId), uuidBytes(videoId)])
  return Buffer.concat([nonce, cipher.update(ids), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @returns whose film the link is of; null for a token that this service did not seal */
export function openToken(authSecret: string, token: string): (Ids & { nonce: Buffer }) | null {
  if (!TOKEN_PATTERN.test(token)) return null
  const sealed = Buffer.from(token, 'base64url')
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, keyOf(authSecret), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES + IDS_BYTES))
  const ids = decipher.update(sealed.subarray(NONCE_BYTES, NONCE_BYTES + IDS_BYTES))
  try {
    decipher.final()
  } catch {
    return null
  }
  return { nonce, userId: uuidOf(ids.subarray(0, 16)), videoId: uuidOf(ids.subarray(16)) }
}

const keyOf = (authSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', authSecret, '', 'kinora share links v1', 32))
