/**
 * The new-user gift: granted once for each user and each mailbox, up to a cap for each network and day.
 * credit_grant_gift decides all of it in the transaction of the grant. A user whose gift waits or was refused is
 * notified once.
 */

import { type GiftLimits, giftLimits, needsVerifiedEmail } from '../account/gift-address.ts'
import { invitationOf } from '../account/invitation.ts'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { newId, testOwnerOf } from '../id.ts'
import { creditAdjust } from './ledger.ts'

export type GiftOutcome = 'granted' | 'none' | 'replayed' | 'waiting' | GiftRefusal
export type GiftRefusal = 'domain_denied' | 'address_used' | 'network_limit'

/** `decided`: granted, or this service gives none. `isSeen`: the user has been notified of this state. */
export type Gift = { state: 'decided' | 'waiting' | GiftRefusal; credits: number; isSeen: boolean }

const DAY_MS = 86_400_000

/**
 * Opens a new user's account and grants the gift of the user's invitation and the NEW_USER gift, unless it is decided
 * already or waits for a verified address.
 * @param ip the address of the request; null: the service or an administrator creates the user, and no network counts
 */
export async function grantGift(app: App, userId: string, ip: string | null): Promise<void> {
  const { sql, now, config } = app
  const at = now()
  // Nearly every sign-in ends here, because the gift is decided at the first.
  const [undecided] = await sql<{ email: string }[]>`
    select u.email
    from public."user" u
    where u.id = ${userId}
      and not exists (select from kinora.credit_account a where a.user_id = ${userId} and a.gift_at is not null)
  `
  if (!undecided) return
  const expiresAt = new Date(at.getTime() + config.newUserCreditsDays * DAY_MS)
  const collectsOwed = config.owed === 'collect'
  const invitation = await invitationOf(app, userId)
  if (invitation && invitation.credits > 0) {
    // Its id makes the gift one package, also when a sign-in repeats this while the new-user gift waits.
    const { id: packageId, credits, actorId: adminId } = invitation
    const source = `invitation:${packageId}`
    const gift = { userId, packageId, credits, expiresAt, source, remark: 'Invitation', adminId, idempotency: null }
    await creditAdjust(sql, { ...gift, collectsOwed, now: at })
  }
  await creditGrantGift(sql, {
    userId,
    packageId: newId(at),
    credits: invitation?.replacesGift ? 0 : config.newUserCredits,
    expiresAt,
    limits: giftLimits(app, undecided.email, ip),
    collectsOwed,
    now: at,
  })
}

/**
 * kinora.credit_grant_gift. `expiresAt`: of the package. `limits`: what the mailbox and the network have had; null: the
 * service or an administrator creates the user, and nothing counts.
 * @returns whether it was granted, had been decided before, waits for a verified address, or why it was refused
 */
export async function creditGrantGift(
  sql: Query,
  gift: {
    userId: string
    packageId: string
    credits: number
    expiresAt: Date
    limits?: GiftLimits | null
    collectsOwed?: boolean
    now: Date
  },
): Promise<GiftOutcome> {
  const outcome = await call(sql, 'credit_grant_gift', {
    userId: gift.userId,
    packageId: gift.packageId,
    credits: gift.credits,
    expiresAt: gift.expiresAt,
    now: gift.now,
    limits: gift.limits ?? null,
    collects: gift.collectsOwed ?? false,
  })
  return outcome as GiftOutcome
}

/** More than anybody's tests spend, of which nothing is ever sold, owed or summed. */
const TEST_CREDITS = 1_000_000_000
const TEST_YEARS = 100

/** Opens the account of an owner's test keys, with credits that are worth nothing. Idempotent. */
export async function openTestAccount({ sql, now }: App, ownerId: string): Promise<void> {
  const at = now()
  const expiresAt = new Date(at.getTime() + TEST_YEARS * 365 * DAY_MS)
  const gift = { packageId: newId(at), credits: TEST_CREDITS, expiresAt, now: at }
  await creditGrantGift(sql, { ...gift, userId: testOwnerOf(ownerId) })
}

/** What became of the user's gift. */
export async function giftOf({ sql, config }: App, userId: string): Promise<Gift> {
  const [row] = await sql<[{ giftAt: Date | null; refusal: GiftRefusal | null; seen: string | null }?]>`
    select gift_at, gift_refusal as refusal, gift_seen as seen from kinora.credit_account where user_id = ${userId}
  `
  const credits = config.newUserCredits
  const isWaiting = !row?.giftAt && credits > 0 && needsVerifiedEmail(config)
  const state = row?.refusal ?? (isWaiting ? 'waiting' : 'decided')
  return { state, credits, isSeen: state === 'decided' || row?.seen === state }
}

/** Records that the user has been notified of the present state. */
export async function markGiftSeen(app: App, userId: string): Promise<void> {
  const { state } = await giftOf(app, userId)
  await call(app.sql, 'credit_gift_seen', { userId, state, now: app.now() })
}
