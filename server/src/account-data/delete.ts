/**
 * Deletes an account. Sign-in, name and e-mail address go at once; the sweep (erase.ts) removes the rest. The books
 * stay, with the user id as a pseudonym.
 */

import type { Auth } from '../account/auth.ts'
import { emailHash } from '../account/gift-address.ts'
import { FRESH_SIGN_IN_MIN } from '../account/restrictions.ts'
import { noSuchTeam } from '../account/team/team.ts'
import { emailOf } from '../account/user.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { counted } from '../text/counted.ts'

/** `actorId`: the user, or an administrator, whose `reason` the audit log keeps. `owed`: credits known to be owed. */
export type Deletion = { userId: string; actorId: string; reason: string | null; owed: number; requestId: string }
type Outcome = 'deleted' | 'closed' | 'not_found' | 'last_administrator' | 'last_owner' | 'subscribed' | 'owed'

const CANCELLED = 'Cancelled, because the account was deleted.'
const NO_SUCH_USER = 'There is no user with this id.'

/** `signedInAt`: of the user's own session; null with an API key. */
export type Confirmation = { userId: string; password: string | undefined; signedInAt: Date | null }

/**
 * Confirms that the user deletes something for good: by the password, or by a fresh sign-in where the user has none and
 * signs in by a provider.
 * @throws AppError INVALID_REQUEST for a wrong password, FORBIDDEN for an old sign-in
 */
export async function confirmDeletion(app: App, auth: Auth, confirmation: Confirmation): Promise<void> {
  const { userId, password, signedInAt } = confirmation
  if (!(await auth.hasPassword(userId))) {
    const isFresh = signedInAt !== null && app.now().getTime() - signedInAt.getTime() <= FRESH_SIGN_IN_MIN * 60_000
    if (!isFresh) throw new AppError('FORBIDDEN', 'Your sign-in is a while ago. Sign in again, then delete it.')
  } else if (!(await auth.isPassword(userId, password ?? ''))) {
    throw new AppError('INVALID_REQUEST', 'This is not your password.', {
      details: [{ path: 'password', message: 'is not your password' }],
    })
  }
}

/** @throws AppError NOT_FOUND; CONFLICT when a subscription may still be charged, or for the last administrator */
export async function deleteAccount(app: App, deletion: Deletion): Promise<void> {
  const outcome = isUuid(deletion.userId) ? await accountDelete(app, deletion) : 'not_found'
  const isOwn = deletion.actorId === deletion.userId
  switch (outcome) {
    case 'deleted':
    case 'closed':
      app.log.info({ userId: deletion.userId, by: deletion.actorId }, 'an account was deleted')
      return
    case 'not_found':
      throw new AppError('NOT_FOUND', NO_SUCH_USER)
    case 'last_administrator':
      throw new AppError('CONFLICT', 'This is the last administrator: make another user an administrator first.')
    case 'last_owner':
      throw await lastOwner(app, deletion.userId, isOwn)
    case 'subscribed':
      throw new AppError(
        'CONFLICT',
        isOwn
          ? 'Your subscription still renews, or a payment of it may still come: cancel it on the plans page first, so that you are not charged again.'
          : 'The subscription of this user still renews, or a payment of it may still come: cancel it at the payment processor first.',
      )
    case 'owed':
      throw await owes(app, deletion.userId, isOwn ? 'You owe' : 'This user owes')
    default:
      throw new Error(`unknown outcome ${outcome satisfies never}`)
  }
}

/** The error for the last owner of teams, which it names: either way out of each is on the page of the team. */
async function lastOwner({ sql }: App, userId: string, isOwn: boolean): Promise<AppError> {
  const teamIsLastOwner = part(sql, 'team_is_last_owner', { teamId: sql`m.team_id`, userId })
  const teams = await sql<{ id: string; name: string }[]>`
    select t.id, t.name
    from kinora.team_member m
    join kinora.team t on t.id = m.team_id
    where m.user_id = ${userId} and m.role = 'owner' and ${teamIsLastOwner}
    order by t.id
  `
  // None: another one was made an owner meanwhile.
  const names = teams.map(({ name }) => `“${name}”`).join(', ') || 'it'
  return new AppError(
    'CONFLICT',
    `${isOwn ? 'You are' : 'This user is'} the last owner of a team: make another member of ${names} an owner, or delete the team first.`,
    { details: { teams } },
  )
}

/** The error for one who owes more than `owed` of the request: it names the amount to repeat the request with. */
async function owes({ sql }: App, userId: string, who: string): Promise<AppError> {
  const owed = await call(sql, 'credit_owed', { userId })
  const message = `${who} ${counted(owed, 'credit')} of payments that were returned. To delete it all the same, send this amount as owed.`
  return new AppError('CONFLICT', message, { details: { reason: 'owed', owed } })
}

async function accountDelete(app: App, deletion: Deletion): Promise<Outcome> {
  const { sql, now } = app
  const { userId, actorId, reason, owed, requestId } = deletion
  const hash = emailHash(app, await emailOf(app, userId))
  const outcome = (await call(sql, 'account_delete', {
    userId,
    actorId,
    emailHash: hash,
    cancelError: CANCELLED,
    grace: refundGrace(app),
    requestId,
    reason,
    owed,
    now: now(),
  })) as Outcome
  if (outcome === 'closed') {
    app.crashPoint('account.closed')
    await finishOrSweep(app, userId)
  }
  return outcome
}

/** The second transaction of a deletion, where another part of the database has the user. Repeatable. */
export async function finishDeletion(app: App, userId: string): Promise<void> {
  const { sql, now } = app
  await call(sql, 'account_clear', { userId, cancelError: CANCELLED, grace: refundGrace(app), now: now() })
  await passOnOwed(app, userId)
  await sql`update kinora.deleted_account set unfinished = null where user_id = ${userId} and unfinished is not null`
}

/** Lets those owe what a deleted team owes who have paid it. Repeated when its films end, whose credits pay first. */
export async function passOnOwed({ sql, now }: App, teamId: string): Promise<void> {
  await call(sql, 'team_pass_on_owed', { teamId, now: now() })
}

/**
 * Deletes a team, as an account is deleted: films in progress run to their end, the books stay. What it owes, its
 * payers owe. `reason`: of an administrator; null: the actor has to be an owner.
 * @throws AppError FORBIDDEN, NOT_FOUND; CONFLICT when a subscription may still be charged
 */
export async function deleteTeam(
  app: App,
  { userId: teamId, actorId, reason, owed, requestId }: Deletion,
): Promise<void> {
  const outcome = await call(app.sql, 'team_delete', {
    teamId,
    actorId,
    emailHash: emailHash(app, `team ${teamId}`),
    requestId,
    reason,
    owed,
    now: app.now(),
  })
  switch (outcome) {
    case 'deleted':
      app.log.info({ teamId, by: actorId }, 'a team was deleted')
      await finishOrSweep(app, teamId)
      return
    case 'not_found':
      throw noSuchTeam()
    case 'owed':
      throw await owes(app, teamId, 'This team owes')
    case 'forbidden':
      throw new AppError('FORBIDDEN', 'Only an owner of the team may do this.')
    case 'subscribed':
      throw new AppError(
        'CONFLICT',
        `The subscription of the team still renews, or a payment of it may still come: cancel it ${reason === null ? 'on the plans page' : 'at the payment processor'} first.`,
      )
  }
}

const finishOrSweep = (app: App, userId: string): Promise<void> =>
  finishDeletion(app, userId).catch((err: unknown) =>
    app.log.warn({ err, userId }, 'the deletion of an account is not finished; the sweep finishes it'),
  )

const refundGrace = ({ config }: App): string => `${config.refundGraceS} seconds`
