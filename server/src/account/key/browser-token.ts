/**
 * Browser tokens: a program that holds an API key gives a visitor's page a token for some minutes, with fewer scopes
 * and a budget of its own. The key's budget counts as well, under the lock of the account (server/sql/api_key.sql). A
 * token ends with its key: it is looked up with it. Invariant: a token reaches what its subject made and nothing else
 * (video/made-by.ts), and the routes that say `token` alone.
 */
import type { App } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { seal, unseal } from '../../config/seal.ts'
import { isBanned } from '../../db/banned.ts'
import { part } from '../../db/call.ts'
import { once, type RequestKey } from '../../db/idempotency.ts'
import { isOpenTeam } from '../../db/set-calls.ts'
import { AppError } from '../../errors.ts'
import { keyOwnerOf, newId, uuidBytes, uuidOf } from '../../id.ts'
import { counted } from '../../text/counted.ts'
import type { Scope } from './scope.ts'

export const TOKEN_PREFIX = 'kint_'
export const TOKEN_SECONDS_MAX = 600
export const TOKEN_SCOPES = ['read', 'generate'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** A subject is part of a URL, a header's value and a cell of a table, and none of these needs it escaped. */
export const SUBJECT_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$'
/** Of a token without a subject: no customer can name this one. */
const ownSubject = (id: string): string => `token:${id}`

/** The token of a request; `subject`: whose films it makes and reaches. */
export type TokenOfKey = { id: string; subject: string }

const SEAL = { purpose: 'browser token', owner: '' }

type TokenId = { userId: string; id: string }

type NewToken = {
  userId: string
  keyId: string
  subject: string | undefined
  scopes: readonly TokenScope[]
  budget: number
  seconds: number
}

/** `budget`: the credits that the token may spend, once. */
export async function createToken(
  app: App,
  made: NewToken,
  key: RequestKey | null = null,
): Promise<{ token: string; subject: string; expiresAt: Date }> {
  const at = app.now()
  const { userId, keyId, scopes, budget, seconds } = made
  const id = newId(at)
  const { subject = ownSubject(id) } = made
  const expiresAt = new Date(at.getTime() + seconds * 1000)
  const token = part(app.sql, 'key_token_make', {
    ...{ userId, id, keyId, subject, scopes: [...new Set(scopes)], budget, expiresAt, now: at },
  })
  await once(app.sql, key, token, { id, done: 'made', now: at })
  return { token: textOf(app.config, { userId, id }), subject, expiresAt }
}

/** What createToken has returned. @throws AppError NOT_FOUND */
export async function createdToken({ sql, config }: App, { userId, id }: TokenId) {
  const [row] = await sql<{ subject: string; expiresAt: Date }[]>`
    select subject, expires_at from kinora.key_token where user_id = ${userId} and id = ${id}
  `
  if (row) return { token: textOf(config, { userId, id }), ...row }
  throw new AppError('NOT_FOUND', 'There is no such token.')
}

type FoundToken = { keyId: string; subject: string; scopes: Scope[]; expiresAt: Date; isSuspended: boolean }

/** A token with what it may do, of what its key may; null: the token or its key does not count any more. */
export async function findToken(app: App, { userId, id }: TokenId): Promise<(FoundToken & { isTeam: boolean }) | null> {
  const { sql, now } = app
  const at = now()
  const keyOwner = keyOwnerOf(userId)
  // Without a budget a token reads only; one that makes films reads them.
  const [token] = await sql<FoundToken[]>`
    select t.key_id, t.subject, t.expires_at, a.suspended_at is not null as is_suspended,
           case
             when not t.scopes && a.scopes then '{}'
             when t.budget > 0 and 'generate' = any(t.scopes) and 'generate' = any(a.scopes) then '{read,generate}'
             else '{read}'
           end::text[] as scopes
    from kinora.key_token t
    join kinora.api_key a on a.user_id = ${keyOwner} and a.id = t.key_id
    where t.user_id = ${userId} and t.id = ${id} and t.expires_at > ${at}
  `
  if (!token) return null
  const [key] = await sql<{ isTeam: boolean }[]>`
    select u.id is null as is_team
    from public.apikey k
    left join public."user" u on u.id = k."referenceId"
    where k.id = ${token.keyId} and k."referenceId" = ${keyOwner} and k.enabled and coalesce(k."expiresAt" > ${at}, true)
      and case when u.id is null then ${isOpenTeam(sql, sql`k."referenceId"`)} else not ${isBanned(sql, at)} end
  `
  return key ? { ...token, isTeam: key.isTeam } : null
}

type TokenBudget = { budget: number; used: number; expiresAt: Date }

/** What a token has and has used; null: there is no such token. */
export async function tokenBudget({ sql }: App, { userId, id }: TokenId): Promise<TokenBudget | null> {
  const [row] = await sql<TokenBudget[]>`
    select budget, used, expires_at from kinora.key_token where user_id = ${userId} and id = ${id}
  `
  return row ?? null
}

/** The error for a request that a token cannot pay: its own budget, or without a figure the key's or account's. */
export const tokenBudgetExceeded = (required: number, { budget, used }: TokenBudget): AppError => {
  const why =
    budget - used < required
      ? `this token has used ${used} of its ${budget}; get a new one from the site that gave it`
      : 'the site that gave this token cannot pay for it now; try again later'
  const message = `This costs ${counted(required, 'credit')}, and ${why}.`
  return new AppError('KEY_BUDGET_EXCEEDED', message, { details: { required, budget, used } })
}

/** The token is the ids of user and row, sealed: no query is sent for a text that this service has not made. */
const textOf = (config: Pick<Config, 'authSecret'>, { userId, id }: TokenId): string =>
  TOKEN_PREFIX + seal(config, SEAL, Buffer.concat([uuidBytes(userId), uuidBytes(id)])).toString('base64url')

/** @returns null for a text that this service has not made */
export function readToken(config: Pick<Config, 'authSecret'>, text: string): TokenId | null {
  const ids = unseal(config, SEAL, Buffer.from(text.slice(TOKEN_PREFIX.length), 'base64url'))
  return ids && { userId: uuidOf(ids.subarray(0, 16)), id: uuidOf(ids.subarray(16)) }
}
