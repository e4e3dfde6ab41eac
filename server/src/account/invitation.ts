/**
 * Invitations to sign up. Invariants: an invitation makes one account; the database has a hash of its token only. A
 * browser keeps the token in a cookie from the opening of the link to the creation of the account, because a sign-up at
 * a provider comes back without it.
 */

import { hash, randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'

const DAY_MS = 86_400_000
const HOUR_S = 3600
const cookiePattern = /(?:^|;\s*)(?:__Host-)?kinora\.invitation=([\w-]{43})(?:;|$)/

export const hashInvitation = (token: string): Buffer => hash('sha256', `invitation: ${token}`, 'buffer')

export type InvitationState = 'open' | 'used' | 'revoked' | 'expired'
/** `credits`: the gift, 0: none. `replacesGift`: it replaces the new-user gift, else it is added. */
export type Invitation = {
  id: string
  email: string | null
  credits: number
  replacesGift: boolean
  state: InvitationState
  /** The nil UUID for an operator at a terminal. */
  actorId: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  usedBy: string | null
}

/** `actorId`: null for an operator at a terminal. */
type Actor = { actorId: string | null; requestId: string | null; now: Date }
export type NewInvitation = Actor & { email: string | null; credits: number; replacesGift: boolean; days: number }

/** @returns the link, which nothing can show again */
export async function createInvitation(
  { sql, config }: { sql: Query; config: Pick<Config, 'publicUrl'> },
  { email, credits, replacesGift, days, actorId, requestId, now }: NewInvitation,
): Promise<{ id: string; link: string; expiresAt: Date }> {
  const id = newId(now)
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  await call(sql, 'invitation_create', {
    id,
    tokenHash: hashInvitation(token),
    email: email?.toLowerCase() ?? null,
    credits,
    replacesGift,
    expiresAt,
    actorId,
    requestId,
    now,
  })
  return { id, link: `${config.publicUrl}/sign-up#invitation=${token}`, expiresAt }
}

export type RevokeOutcome = 'revoked' | 'unchanged' | 'used' | 'not_found'

/** @throws AppError NOT_FOUND, CONFLICT */
export async function revokeInvitation(sql: Query, id: string, { actorId, requestId, now }: Actor): Promise<void> {
  const outcome = isUuid(id) ? await invitationRevoke(sql, id, { actorId, requestId, now }) : 'not_found'
  switch (outcome) {
    case 'revoked':
    case 'unchanged':
      return
    case 'used':
      throw new AppError('CONFLICT', 'This invitation was used: its account can be locked or deleted.')
    case 'not_found':
      throw new AppError('NOT_FOUND', 'There is no invitation with this id.')
  }
}

async function invitationRevoke(sql: Query, id: string, { actorId, requestId, now }: Actor): Promise<RevokeOutcome> {
  return await call(sql, 'invitation_revoke', { id, actorId, requestId, now })
}

/** Newest first. @throws AppError INVALID_REQUEST for an invalid cursor */
export async function listInvitations(sql: Query, { now, ...query }: PageQuery & { now: Date }) {
  const isAdministrator = part(sql, 'is_administrator', { userId: sql`actor_id`, now })
  const { rows: invitations, ...page } = await readPage(sql, query, {
    sequence: by('id', 'id'),
    rows: (_, { where, order, limit }) => sql<Invitation[]>`
      select id, email, credits, replaces_gift, actor_id, created_at, expires_at, used_at, used_by,
             case
               when used_at is not null then 'used'
               when revoked_at is not null or not ${isAdministrator} then 'revoked'
               when expires_at <= ${now} then 'expired'
               else 'open'
             end as state
      from kinora.invitation
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { invitations, ...page }
}

/** The invitation of a link that may still be used, as its guest sees it; null: none. */
export async function findInvitation(
  { sql, now }: Pick<App, 'sql' | 'now'>,
  token: string,
): Promise<Pick<Invitation, 'email' | 'credits' | 'replacesGift' | 'expiresAt'> | null> {
  const [row] = await sql<Pick<Invitation, 'email' | 'credits' | 'replacesGift' | 'expiresAt'>[]>`
    select email, credits, replaces_gift, expires_at
    from kinora.invitation
    where token_hash = ${hashInvitation(token)} and used_at is null and revoked_at is null and expires_at > ${now()}
      and ${part(sql, 'is_administrator', { userId: sql`actor_id`, now: now() })}
  `
  return row ?? null
}

/** The Set-Cookie header that keeps the token. */
export function invitationCookie({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-kinora.invitation' : 'kinora.invitation'
  return `${name}=${token}; Path=/; Max-Age=${HOUR_S}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export type SignUpRefusal = 'SIGN_UP_CLOSED' | 'INVITATION_NEEDED'

/**
 * Decides about the creation of an account by a request, whichever way it signs up, and takes the invitation that the
 * request has.
 * @param cookies the Cookie header
 * @returns the id that the new user must have, because the invitation names it
 */
export async function admitNewUser(
  { sql, config, now }: App,
  email: string,
  cookies: string | null,
): Promise<{ id: string } | { refusal: SignUpRefusal }> {
  if (config.signIn.signUp === 'closed') return { refusal: 'SIGN_UP_CLOSED' }
  const at = now()
  const id = newId(at)
  const token = cookiePattern.exec(cookies ?? '')?.[1]
  if (token && (await invitationTake(sql, { token, email, userId: id, now: at }))) return { id }
  return config.signIn.signUp === 'invite' ? { refusal: 'INVITATION_NEEDED' } : { id }
}

async function invitationTake(
  sql: Query,
  { token, email, userId, now }: { token: string; email: string; userId: string; now: Date },
): Promise<boolean> {
  return await call(sql, 'invitation_take', {
    tokenHash: hashInvitation(token),
    email: email.toLowerCase(),
    userId,
    now,
  })
}

/** The invitation by which the user has signed up; null: none. */
export async function invitationOf(
  { sql }: Pick<App, 'sql'>,
  userId: string,
): Promise<Pick<Invitation, 'id' | 'credits' | 'replacesGift' | 'actorId'> | null> {
  const [row] = await sql<Pick<Invitation, 'id' | 'credits' | 'replacesGift' | 'actorId'>[]>`
    select id, credits, replaces_gift, actor_id from kinora.invitation where used_by = ${userId}
  `
  return row ?? null
}
