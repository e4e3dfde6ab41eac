/**
 * Redemption codes: an administrator makes a text, for which each of a number of users gets credits once. Invariant: a
 * use of a code and its credits are one transaction (credit_redeem). Capitals, hyphens and spaces of what a user types
 * do not count.
 */

import { randomBytes } from 'node:crypto'
import { type RedemptionLimits, redemptionLimits } from '../account/gift-address.ts'
import { emailOf } from '../account/user.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { once, type RequestKey } from '../db/idempotency.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'

const DAY_MS = 86_400_000
/** Without those that are read for another one: I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GENERATED_CHARACTERS = 16
/** Letters and digits of an administrator's own text. */
export const CODE_CHARACTERS_MIN = 8
export const CODE_CHARACTERS_MAX = 40

export type CodeState = 'open' | 'used_up' | 'ended' | 'expired'
export type RedemptionCode = {
  id: string
  code: string
  credits: number
  /** How long the credits last after they were redeemed. */
  creditDays: number
  usesMax: number
  uses: number
  newCustomers: boolean
  /** How many users of one network may redeem it; null: any number. */
  networkMax: number | null
  note: string | null
  state: CodeState
  /** The nil UUID for an operator at a terminal. */
  actorId: string
  createdAt: Date
  expiresAt: Date
}

/** `actorId`: null for an operator at a terminal. */
type Actor = { actorId: string | null; requestId: string | null; now: Date }
/** `code`: an own text; null: a random one of 80 bits. `days`: how long it can be redeemed. */
export type NewCode = Actor & {
  code: string | null
  credits: number
  creditDays: number
  usesMax: number
  newCustomers: boolean
  networkMax: number | null
  days: number
  note: string | null
}

/** @throws AppError INVALID_REQUEST for an own text that is no code, CONFLICT when there is one like it */
/** @param key of an administrator's request */
export async function createCode(
  sql: Query,
  { code: own, credits, creditDays, usesMax, newCustomers, networkMax, days, note, actorId, requestId, now }: NewCode,
  key: RequestKey | null = null,
): Promise<{ id: string; code: string; expiresAt: Date }> {
  const code = own === null ? randomCode() : ownCode(own)
  const id = newId(now)
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const created = part(sql, 'code_create', {
    id,
    code,
    credits,
    creditDays,
    usesMax,
    newCustomers,
    networkMax,
    note,
    expiresAt,
    actorId,
    requestId,
    now,
  })
  const deed = { id, done: 'created' as const, now, isOfNoUser: true as const }
  const outcome = await once<'created' | 'taken'>(sql, key, created, deed)
  switch (outcome) {
    case 'created':
      return { id, code, expiresAt }
    case 'taken':
      throw new AppError('CONFLICT', 'There is a code with these letters and digits already; choose another text.')
  }
}

/** What createCode has returned. @throws AppError NOT_FOUND */
export async function createdCode(sql: Query, id: string): Promise<{ id: string; code: string; expiresAt: Date }> {
  const [code] = await sql<{ id: string; code: string; expiresAt: Date }[]>`
    select id, code, expires_at from kinora.redemption_code where id = ${id}
  `
  if (code) return code
  throw new AppError('NOT_FOUND', 'There is no such code.')
}

function randomCode(): string {
  const characters = Array.from(randomBytes(GENERATED_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

function ownCode(text: string): string {
  const code = text.trim().toUpperCase()
  const { length } = lettersAndDigits(code)
  if (/^[A-Z0-9-]+$/.test(code) && length >= CODE_CHARACTERS_MIN && length <= CODE_CHARACTERS_MAX) return code
  const message = `A code has ${CODE_CHARACTERS_MIN} to ${CODE_CHARACTERS_MAX} letters A to Z and digits, and hyphens where you like.`
  throw new AppError('INVALID_REQUEST', message, { details: [{ path: 'code', message }] })
}

const lettersAndDigits = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** What was redeemed stays. @throws AppError NOT_FOUND */
export async function endCode(sql: Query, id: string, { actorId, requestId, now }: Actor): Promise<void> {
  const outcome = isUuid(id) ? await codeEnd(sql, id, { actorId, requestId, now }) : 'not_found'
  switch (outcome) {
    case 'ended':
    case 'unchanged':
      return
    case 'not_found':
      throw new AppError('NOT_FOUND', 'There is no code with this id.')
  }
}

async function codeEnd(
  sql: Query,
  id: string,
  { actorId, requestId, now }: Actor,
): Promise<'ended' | 'unchanged' | 'not_found'> {
  return await call(sql, 'code_end', { id, actorId, requestId, now })
}

/** Newest first. @throws AppError INVALID_REQUEST for an invalid cursor */
export async function listCodes(sql: Query, { now, ...query }: PageQuery & { now: Date }) {
  const { rows: codes, ...page } = await readPage(sql, query, {
    sequence: by('id', 'id'),
    rows: (_, { where, order, limit }) => sql<RedemptionCode[]>`
      select id, code, credits, credit_days, uses_max, uses, new_customers, network_max, note, actor_id, created_at, expires_at,
             case
               when ended_at is not null then 'ended'
               when uses = uses_max then 'used_up'
               when expires_at <= ${now} then 'expired'
               else 'open'
             end as state
      from kinora.redemption_code
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { codes, ...page }
}

export type RedeemOutcome =
  | 'redeemed'
  | 'replayed'
  | 'unknown'
  | 'ended'
  | 'used_up'
  | 'person_used'
  | 'not_new'
  | 'network_limit'

/**
 * Grants the credits of a code to a user, once, and once for all accounts of one mailbox. The same user's repetition
 * returns what the first request returned, also after the code's end.
 * @throws AppError NOT_FOUND; CONFLICT when it has ended or is not for this user (any more); `details.reason` says
 * which
 */
export async function redeemCode(
  app: App,
  { userId, code, requestId, ip }: { userId: string; code: string; requestId: string; ip: string },
): Promise<{ credits: number; expiryDate: Date; isReplay: boolean }> {
  const { sql, now, config } = app
  const { outcome, credits, expiresAt } = await creditRedeem(sql, {
    userId,
    code: lettersAndDigits(code),
    limits: redemptionLimits(app, await emailOf(app, userId), ip),
    requestId,
    collectsOwed: config.owed === 'collect',
    now: now(),
  })
  switch (outcome) {
    case 'redeemed':
    case 'replayed':
      return { credits, expiryDate: expiresAt, isReplay: outcome === 'replayed' }
    case 'unknown':
      throw new AppError('NOT_FOUND', 'There is no such code. Check its letters and digits.', {
        details: { reason: 'code_unknown' },
      })
    default:
      throw new AppError('CONFLICT', refusals[outcome], { details: { reason: `code_${outcome}` } })
  }
}

const refusals: Record<Exclude<RedeemOutcome, 'redeemed' | 'replayed' | 'unknown'>, string> = {
  ended: 'This code has ended.',
  used_up: 'This code was redeemed as often as it may be.',
  person_used: 'Another account with your e-mail address has redeemed this code, which counts once for each person.',
  not_new: 'This code is for those who have bought nothing here yet.',
  network_limit: 'This code was redeemed from your network as often as it may be.',
}

/** `credits` and `expiresAt`: of the package that it has brought; null with the other outcomes. */
type Redeemed = { outcome: RedeemOutcome; credits: number; expiresAt: Date }

export async function creditRedeem(
  sql: Query,
  redemption: {
    userId: string
    code: string
    limits: RedemptionLimits | null
    requestId: string | null
    collectsOwed: boolean
    now: Date
  },
): Promise<Redeemed> {
  const { userId, code, requestId, collectsOwed, now } = redemption
  const row = await call(sql, 'credit_redeem', {
    userId,
    code,
    packageId: newId(now),
    now,
    limits: redemption.limits,
    requestId,
    collects: collectsOwed,
  })
  return row as Redeemed
}
