/**
 * What administrators do for a user or a team without acting as them. Each change is one statement that also writes its
 * entry of the audit log, with the reason; what changes nothing has no entry. A user is told by mail of a change of the
 * ways to sign in.
 */

import type { Auth } from '../account/auth.ts'
import { type Budget, ownerBudget } from '../account/key/api-key.ts'
import { passwordProblem } from '../account/password-policy.ts'
import { listTeamKeys } from '../account/team/key.ts'
import { emailOf } from '../account/user.ts'
import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import type { Fragment, Query } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { ownersOf, requireOwner } from './owner.ts'

/** The names of these changes in the audit log. */
export const DESK_ACTIONS = [
  'key.revoke',
  'user.change-address',
  'user.send-password',
  'user.set-password',
  'user.revoke-sessions',
  'user.remove-factor',
  'limits.set',
  'tags.set',
  'note.add',
  'note.delete',
] as const
type DeskAction = (typeof DESK_ACTIONS)[number]

/** Who does it to whom, and why. */
export type By = { ownerId: string; actorId: string; reason: string; requestId: string }
export type Limits = { inProgress: number | null; requestsPerMinute: number | null; budget: Budget | null }
export type Note = { id: string; text: string; actorId: string; actorEmail: string | null; createdAt: Date }

/** @throws AppError NOT_FOUND */
export async function deskOf(app: App, id: string) {
  const { sql } = app
  const ownerId = await requireOwner(app, id)
  const [apiKeys, [limits], budget, tags, notes] = await Promise.all([
    listTeamKeys(app, ownerId),
    sql<Omit<Limits, 'budget'>[]>`
      select max_in_progress as in_progress, max_requests as requests_per_minute
      from kinora.api_key
      where user_id = ${ownerId} and id = ${ownerId}
    `,
    ownerBudget(app, ownerId),
    sql<{ tag: string }[]>`select tag from kinora.owner_tag where user_id = ${ownerId} order by tag`,
    sql<Omit<Note, 'actorEmail'>[]>`
      select id, text, actor_id, created_at from kinora.owner_note where user_id = ${ownerId} order by id desc limit ${NOTES_MAX}
    `,
  ])
  const ownerOf = await ownersOf(
    app,
    notes.map(({ actorId }) => actorId),
  )
  return {
    apiKeys,
    limits: { inProgress: null, requestsPerMinute: null, ...limits, budget },
    tags: tags.map(({ tag }) => tag),
    notes: notes.map((note): Note => ({ ...note, actorEmail: ownerOf(note.actorId).email })),
  }
}

/** Of one user or team; the newest are kept. */
const NOTES_MAX = 200
export const TAGS_MAX = 20

/**
 * Makes a change with its entry of the audit log.
 * @param changed CTEs, of which the last is `changed (subject, before, after)`, with one row for a change
 * @returns whether it changed something
 */
async function change({ sql, now }: App, action: DeskAction, by: By, changed: Fragment): Promise<boolean> {
  const entry = { ...by, action }
  const audited = part(sql, 'audit_add', {
    actorId: entry.actorId,
    action: entry.action,
    userId: entry.ownerId,
    subject: sql`subject`,
    before: sql`before`,
    after: sql`after`,
    requestId: entry.requestId,
    reason: entry.reason,
    now: now(),
  })
  const { count } = await sql`with ${changed} select ${audited} from changed`
  return count > 0
}

/** Deletes an API key, which is refused within a second. @throws AppError NOT_FOUND */
export async function revokeKey(app: App, by: By, keyId: string): Promise<void> {
  const { sql } = app
  const isRevoked = await change(
    app,
    'key.revoke',
    by,
    sql`changed as (
      delete from public.apikey
      where id = ${keyId} and "referenceId" = ${by.ownerId}
      returning id as subject, jsonb_build_object('name', name, 'start', start) as before, null::jsonb as after
    )`,
  )
  if (!isRevoked) throw new AppError('NOT_FOUND', 'There is no such API key; it may have been deleted meanwhile.')
  await tell(app, by, 'key')
}

/**
 * Gives a user another e-mail address, which is to be verified; the links of mails to the old one end.
 * @throws AppError CONFLICT for the address of another user; those of requireUser
 */
export async function changeAddress(app: App, auth: Auth, by: By, address: string): Promise<void> {
  const { sql, now } = app
  const old = await requireUser(app, by)
  const email = address.toLowerCase()
  const { ownerId } = by
  const isChanged = await change(
    app,
    'user.change-address',
    by,
    sql`ended as (
      delete from public.verification where identifier = ${old} or value = ${ownerId}
    ), changed as (
      update public."user"
      set email = ${email}, "emailVerified" = false, "updatedAt" = ${now()}
      where id = ${ownerId} and email = ${old} and email <> ${email}
      returning null::text as subject, jsonb_build_object('email', ${old}::text) as before, jsonb_build_object('email', email) as after
    )`,
  ).catch((error: { code?: string }) => {
    if (error.code !== UNIQUE_VIOLATION) throw error
    throw new AppError('CONFLICT', 'Another user has this e-mail address.')
  })
  if (!isChanged) return
  await tell(app, by, 'address', old)
  await auth.api.sendVerificationEmail({ body: { email } })
}
const UNIQUE_VIOLATION = '23505'

/**
 * Sets a password, and ends the sessions that began with another one; without `password` mails a link to choose one.
 * @throws AppError INVALID_REQUEST for one that is refused; those of requireUser
 */
export async function setPassword(app: App, auth: Auth, by: By, password: string | null): Promise<void> {
  const { sql } = app
  const email = await requireUser(app, by)
  if (password === null) {
    await auth.api.requestPasswordReset({ body: { email } })
    await change(app, 'user.send-password', by, unchanged(sql))
    return
  }
  if (passwordProblem(password, email)) {
    throw new AppError(
      'INVALID_REQUEST',
      'Too many people have this password, or it is the e-mail address: choose another.',
    )
  }
  const { password: passwords, internalAdapter } = await auth.context()
  const hash = await passwords.hash(password)
  const { ownerId: userId } = by
  if (await internalAdapter.findCredentialAccount(userId)) await internalAdapter.updatePassword(userId, hash)
  else await internalAdapter.createAccount({ userId, providerId: 'credential', accountId: userId, password: hash })
  await change(
    app,
    'user.set-password',
    by,
    sql`ended as (delete from public.session where "userId" = ${userId}), ${unchanged(sql)}`,
  )
  await tell(app, by, 'password')
}

/** Ends all sessions of a user, within a second. @throws AppError those of requireUser */
export async function endSessions(app: App, by: By): Promise<void> {
  const { sql } = app
  await requireUser(app, by)
  await change(
    app,
    'user.revoke-sessions',
    by,
    sql`ended as (
      delete from public.session where "userId" = ${by.ownerId} returning id
    ), changed as (
      select null::text as subject, jsonb_build_object('sessions', count(*)) as before, null::jsonb as after from ended having count(*) > 0
    )`,
  )
}

/**
 * Removes a second factor that its user has lost: the app with its recovery codes, and with `passkeys` these too. All
 * sessions end. @throws AppError CONFLICT when there is none; those of requireUser
 */
export async function removeFactor(app: App, by: By, { passkeys }: { passkeys: boolean }): Promise<void> {
  const { sql } = app
  await requireUser(app, by)
  const { ownerId } = by
  const isRemoved = await change(
    app,
    'user.remove-factor',
    by,
    sql`codes as (
      delete from public."twoFactor" where "userId" = ${ownerId} returning id
    ), keys as (
      delete from public.passkey where "userId" = ${ownerId} and ${passkeys} returning id
    ), removed as (
      select (select count(*) from codes) as codes, (select count(*) from keys) as passkeys
    ), unmarked as (
      update public."user" set "twoFactorEnabled" = false where id = ${ownerId} and "twoFactorEnabled"
    ), ended as (
      delete from public.session where "userId" = ${ownerId} and (select codes + passkeys > 0 from removed)
    ), changed as (
      select null::text as subject, to_jsonb(removed) as before, null::jsonb as after from removed where codes + passkeys > 0
    )`,
  )
  if (!isRemoved) throw new AppError('CONFLICT', 'This user has no such second factor.')
  await tell(app, by, 'second-factor')
}

/** Sets all limits of a user or a team; null: as the service. They count in every process within a second. */
export async function setLimits(app: App, by: By, limits: Limits): Promise<void> {
  const { sql, now } = app
  const { ownerId } = by
  const { inProgress, requestsPerMinute, budget } = limits
  await change(
    app,
    'limits.set',
    by,
    sql`old as (
      select ${limitsOf(sql)} as limits from kinora.api_key k where user_id = ${ownerId} and id = ${ownerId}
    ), revoked as (
      insert into kinora.credential_revocation (user_id)
      select ${ownerId}::text union select user_id::text from kinora.team_member where team_id = ${ownerId}
      on conflict do nothing
    ), changed as (
      insert into kinora.api_key as k (user_id, id, scopes, budget, budget_period, max_in_progress, max_requests, created_at)
      values (
        ${ownerId}, ${ownerId}, '{}', ${budget?.credits ?? null}, ${budget?.period ?? null}, ${inProgress}, ${requestsPerMinute}, ${now()}
      )
      on conflict (user_id, id) do update
      set budget = excluded.budget, budget_period = excluded.budget_period, max_in_progress = excluded.max_in_progress,
          max_requests = excluded.max_requests
      returning null::text as subject, (select limits from old) as before, ${limitsOf(sql)} as after
    )`,
  )
}

const limitsOf = (sql: Query) => sql`
  jsonb_build_object(
    'inProgress', k.max_in_progress, 'requestsPerMinute', k.max_requests, 'credits', k.budget, 'period', k.budget_period
  )
`

/** Sets all tags of a user or a team. */
export async function setTags(app: App, by: By, tags: readonly string[]): Promise<void> {
  const { sql } = app
  const { ownerId } = by
  const wanted = [...new Set(tags)]
  await change(
    app,
    'tags.set',
    by,
    sql`old as (
      select coalesce(jsonb_agg(tag order by tag), '[]') as tags from kinora.owner_tag where user_id = ${ownerId}
    ), removed as (
      delete from kinora.owner_tag where user_id = ${ownerId} and tag <> all(${wanted}::text[]) returning tag
    ), added as (
      insert into kinora.owner_tag (user_id, tag) select ${ownerId}, unnest(${wanted}::text[]) on conflict do nothing returning tag
    ), changed as (
      select null::text as subject, jsonb_build_object('tags', old.tags) as before, jsonb_build_object('tags', ${wanted}::text[]) as after
      from old
      where exists (select from removed) or exists (select from added)
    )`,
  )
}

/** Adds a note. The entry of the audit log names it, and does not repeat it: it goes with the account. */
export async function addNote(app: App, by: By, text: string): Promise<void> {
  const { sql, now } = app
  const at = now()
  await change(
    app,
    'note.add',
    by,
    sql`changed as (
      insert into kinora.owner_note (user_id, id, text, actor_id, created_at)
      values (${by.ownerId}, ${newId(at)}, ${text}, ${by.actorId}, ${at})
      returning id::text as subject, null::jsonb as before, null::jsonb as after
    )`,
  )
}

/** @throws AppError NOT_FOUND */
export async function deleteNote(app: App, by: By, noteId: string): Promise<void> {
  const { sql } = app
  const isDeleted = await change(
    app,
    'note.delete',
    by,
    sql`changed as (
      delete from kinora.owner_note
      where user_id = ${by.ownerId} and id = ${noteId}
      returning id::text as subject, null::jsonb as before, null::jsonb as after
    )`,
  )
  if (!isDeleted) throw new AppError('NOT_FOUND', 'There is no such note; it may have been deleted meanwhile.')
}

/** The tags in use, with the number of users and teams of each. */
export async function listTags({ sql }: App): Promise<{ tag: string; owners: number }[]> {
  return await sql<{ tag: string; owners: number }[]>`
    select tag, count(*) as owners from kinora.owner_tag group by tag order by tag limit ${LISTED_MAX}
  `
}
const LISTED_MAX = 500

/** A change that the entry alone shows. */
const unchanged = (sql: Query) =>
  sql`changed as (select null::text as subject, null::jsonb as before, null::jsonb as after)`

/** @returns the e-mail address. @throws AppError CONFLICT for a team, and for an account that was deleted */
async function requireUser(app: App, { ownerId }: By): Promise<string> {
  const email = await emailOf(app, ownerId)
  if (email === '') throw new AppError('CONFLICT', 'This is a team, or an account that was deleted: it has no sign-in.')
  return email
}

/** Mails a user what changed; nothing to a team. @param to default: the address of the account */
async function tell(app: App, { ownerId: userId }: By, what: string, to?: string): Promise<void> {
  const recipient = to ?? (await emailOf(app, userId))
  if (recipient !== '') await enqueueMail(app, { kind: 'account.changed', userId, to: recipient, data: { what } })
}
