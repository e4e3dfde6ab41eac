/**
 * Invitations to a team, by mail. Invariants: an invitation counts for its address alone, and makes one member; the
 * database has a hash of its token only. A second invitation of the same address replaces the first. Where mail is set
 * up, the address is proved: by the account's verification, or by the link of the mail, whose token has a proof that
 * the link shown to the inviter has not.
 */

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../../app.ts'
import { call, part } from '../../db/call.ts'
import { AppError } from '../../errors.ts'
import { isUuid, newId } from '../../id.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { rateLimited } from '../../rate-limit/rate-limited.ts'
import { consumeMail, requireVerifiedEmail } from '../auth-mail.ts'
import { settleGiven } from './authority.ts'
import { type Role, requireRole } from './role.ts'
import { MEMBERS_MAX, noSuchTeam, readTeam } from './team.ts'

const DAYS = 7
/** With the proof or without. */
export const INVITATION_TOKEN = '^[\\w-]{43}([\\w-]{43})?$'
const TOKEN_CHARACTERS = 43
export const hashTeamInvitation = (token: string): Buffer =>
  hash('sha256', `team invitation: ${token.slice(0, TOKEN_CHARACTERS)}`, 'buffer')

/** What the mailed link has after the token: only who reads the mail, or has the secret of this service, knows it. */
const mailProof = ({ config }: App, token: string): string =>
  createHmac('sha256', config.authSecret).update(`mailed team invitation: ${token}`).digest('base64url')

/** @throws AppError FORBIDDEN */
async function requireAddress(app: App, userId: string, sent: string): Promise<void> {
  const token = sent.slice(0, TOKEN_CHARACTERS)
  const proof = Buffer.from(sent.slice(TOKEN_CHARACTERS))
  const expected = Buffer.from(mailProof(app, token))
  if (proof.length === expected.length && timingSafeEqual(proof, expected)) return
  await requireVerifiedEmail(app, userId)
}

export type TeamInvitation = {
  id: string
  email: string
  role: Role
  /** The member who invited, or invited again. */
  actorId: string
  inviter: string | null
  createdAt: Date
  expiresAt: Date
}
type NewInvitation = { teamId: string; actorId: string; actorRole: Role; email: string; role: Role }

/**
 * @returns a link, which nothing can show again; the mail has another one
 * @throws AppError FORBIDDEN for the role of an owner by another and for an inviter whose address is not verified,
 * NOT_FOUND for a team that was deleted, CONFLICT for a member and for a team that is full, RATE_LIMITED
 */
export async function inviteMember(
  app: App,
  { teamId, actorId, actorRole, email: sent, role }: NewInvitation,
): Promise<TeamInvitation & { link: string }> {
  const { sql, config } = app
  if (role === 'owner') requireRole(actorRole, 'owner')
  await requireVerifiedEmail(app, actorId)
  const email = sent.toLowerCase()
  const [{ isMember, members }] = await sql<[{ isMember: boolean; members: number }]>`
    select count(*) + (
             select count(*)
             from kinora.team_invitation i
             where i.team_id = ${teamId} and i.email <> ${email} and i.expires_at > ${app.now()}
           ) as members,
           coalesce(bool_or(u.email = ${email}), false) as is_member
    from kinora.team_member m
    join public."user" u on u.id = m.user_id::text
    where m.team_id = ${teamId}
  `
  if (isMember) throw new AppError('CONFLICT', 'A user with this address is a member already.')
  if (members >= MEMBERS_MAX) throw full()
  await countInvitation(app, actorId)
  await countInvitation(app, teamId)
  await consumeMail(app, email)
  const now = app.now()
  const token = randomBytes(32).toString('base64url')
  const invitation = { email, role, actorId, createdAt: now, expiresAt: new Date(now.getTime() + DAYS * 86_400_000) }
  const id = newId(now)
  // The lock waits for a deletion of the team, which would leave the invitation behind.
  const logged = part(sql, 'team_log', {
    teamId: sql`team_id`,
    actorId: sql`actor_id`,
    action: 'team.invite',
    subject: sql`id::text`,
    after: sql`jsonb_build_object('email', email, 'role', role)`,
    now,
  })
  const { count } = await sql`
    with made as (
      insert into kinora.team_invitation (id, team_id, email, role, token_hash, actor_id, created_at, expires_at)
      select ${id}, t.id, ${email}, ${role}, ${hashTeamInvitation(token)}, ${actorId}, ${now}, ${invitation.expiresAt}
      from kinora.team t
      where t.id = ${teamId}
      for key share
      on conflict (team_id, email) do update
      set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash, actor_id = excluded.actor_id,
          created_at = excluded.created_at, expires_at = excluded.expires_at
      returning *
    )
    select ${logged}
    from made
  `
  if (count === 0) throw noSuchTeam()
  await settleGiven(app, { teamId, userId: actorId, id })
  const link = `${config.publicUrl}/account#team-invitation=${token}`
  const inviter = await mailInvitation(app, { teamId, actorId, email, link: link + mailProof(app, token) })
  return { id, ...invitation, inviter, link }
}

/** Neither a member of many teams nor a team of many admins mails many strangers. @throws AppError RATE_LIMITED */
async function countInvitation({ rateLimiter }: App, key: string): Promise<void> {
  const { isAllowed, max, resetMs } = await rateLimiter.consume('invite', key)
  if (isAllowed) return
  throw rateLimited(`That is more than ${max} invitations in an hour`, resetMs)
}

async function mailInvitation(
  app: App,
  { teamId, actorId, email, link }: { teamId: string; actorId: string; email: string; link: string },
): Promise<string | null> {
  const [team, [people]] = await Promise.all([
    readTeam(app, teamId),
    app.sql<[{ inviter: string | null; userId: string | null }]>`
      select (select name from public."user" where id = ${actorId}) as inviter,
             (select id from public."user" where email = ${email}) as user_id
    `,
  ])
  const { inviter, userId } = people
  await enqueueMail(app, { kind: 'team.invitation', userId, to: email, link, data: { team: team.name, inviter } })
  return inviter
}

/** The invitations of a team that can still be accepted, the newest first. */
export const listTeamInvitations = ({ sql, now }: App, teamId: string): Promise<TeamInvitation[]> => sql<
  TeamInvitation[]
>`
  select i.id, i.email, i.role, i.actor_id, u.name as inviter, i.created_at, i.expires_at
  from kinora.team_invitation i
  left join public."user" u on u.id = i.actor_id::text
  where i.team_id = ${teamId} and i.expires_at > ${now()}
  order by i.id desc
`

/** @throws AppError NOT_FOUND */
export async function revokeTeamInvitation(
  { sql, now }: App,
  { teamId, actorId, id }: { teamId: string; actorId: string; id: string },
): Promise<void> {
  const logged = part(sql, 'team_log', {
    teamId: sql`team_id`,
    actorId,
    action: 'team.revoke-invitation',
    subject: sql`id::text`,
    before: sql`jsonb_build_object('role', role)`,
    now: now(),
  })
  const { count } = isUuid(id)
    ? await sql`
        with ended as (
          delete from kinora.team_invitation where team_id = ${teamId} and id = ${id} returning *
        )
        select ${logged}
        from ended
      `
    : { count: 0 }
  if (count === 0) throw new AppError('NOT_FOUND', 'The team has no such invitation.')
}

/**
 * Team, inviter and role of an invitation that its user can still accept.
 * @throws AppError FORBIDDEN without a proof of the address; NOT_FOUND, for users of other addresses too
 */
export async function openTeamInvitation(
  app: App,
  userId: string,
  token: string,
): Promise<{ team: string; inviter: string | null; role: Role }> {
  await requireAddress(app, userId, token)
  const { sql, now } = app
  const authorityMay = part(sql, 'authority_may', {
    teamId: sql`i.team_id`,
    userId: sql`i.actor_id`,
    role: sql`i.role`,
    now: now(),
  })
  const [invitation] = await sql<{ team: string; inviter: string | null; role: Role }[]>`
    select t.name as team, a.name as inviter, i.role
    from kinora.team_invitation i
    join kinora.team t on t.id = i.team_id
    join public."user" u on u.email = i.email and u.id = ${userId}
    left join public."user" a on a.id = i.actor_id::text
    where i.token_hash = ${hashTeamInvitation(token)} and i.expires_at > ${now()}
      and ${authorityMay}
  `
  if (!invitation) throw notOpen()
  return invitation
}

/** @returns the id of the team. @throws AppError as openTeamInvitation, CONFLICT for a team that is full */
export async function acceptTeamInvitation(app: App, userId: string, token: string): Promise<string> {
  await requireAddress(app, userId, token)
  const { sql, now } = app
  const row = await call(sql, 'team_invitation_accept', {
    tokenHash: hashTeamInvitation(token),
    userId,
    max: MEMBERS_MAX,
    now: now(),
  })
  switch (row.outcome) {
    case 'accepted':
      return row.teamId ?? ''
    case 'too_many':
      throw full()
    case 'not_found':
      throw notOpen()
  }
}

const notOpen = () =>
  new AppError(
    'NOT_FOUND',
    'This invitation was accepted, revoked or replaced, it has ended, it is for another e-mail address, or the member who sent it may not invite any more.',
  )
const full = () => new AppError('CONFLICT', `A team has at most ${MEMBERS_MAX} members, open invitations included.`)
