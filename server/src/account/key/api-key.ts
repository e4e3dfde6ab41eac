/**
 * API keys: what they may do (scopes), what they may spend (budget), and what they have used. better-auth has the keys
 * themselves (auth.ts). Invariant: kinora.credit_freeze_holds enforces a budget under the lock of the account; what is
 * read here is for people.
 */

import type { App } from '../../app.ts'
import { part } from '../../db/call.ts'
import { AppError } from '../../errors.ts'
import { isTestOwner, testOwnerOf } from '../../id.ts'
import { counted } from '../../text/counted.ts'
import type { Caller } from '../credential/credential.ts'
import { tokenBudget, tokenBudgetExceeded } from './browser-token.ts'
import type { Scope } from './scope.ts'

export const BUDGET_PERIODS = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]
export type Budget = { credits: number; period: BudgetPeriod }

/** `used`: credits frozen or spent in the UTC day, ISO week and calendar month. */
export type KeyState = {
  scopes: Scope[]
  /** `resetAt`: when the next period begins. */
  budget: (Budget & { used: number; resetAt: Date }) | null
  used: { day: number; week: number; month: number }
}

type NewKey = {
  userId: string
  id: string
  scopes: readonly Scope[]
  budget: Budget | null
  isTest: boolean
  /** Of a team: its member, and the name for its log. */
  madeBy?: string
  name?: string
}

/**
 * Stores what a new key may do, and its maker; of a test key once more for the account that it spends from.
 * When this fails, there is no key: its owner has not got it yet.
 */
export async function limitKey({ sql, now }: App, key: NewKey): Promise<void> {
  const { userId, id, scopes, budget, isTest, madeBy = null, name = null } = key
  const owners = isTest ? [userId, testOwnerOf(userId)] : [userId]
  const at = now()
  try {
    const logged = part(sql, 'team_log', {
      teamId: sql`user_id`,
      actorId: madeBy,
      action: 'team.create-key',
      subject: sql`id::text`,
      after: sql`jsonb_build_object('name', ${name}::text, 'scopes', scopes, 'budget', budget, 'period', budget_period)`,
      now: at,
    })
    await sql`
      with made as (
        insert into kinora.api_key (user_id, id, scopes, budget, budget_period, made_by, created_at)
        select user_id, ${id}, ${[...new Set(scopes)]}::text[], ${budget?.credits ?? null}::bigint, ${budget?.period ?? null}, ${madeBy}::uuid, ${at}
        from unnest(${owners}::uuid[]) user_id
        returning *
      )
      select ${logged}
      from made
      where user_id = ${userId}
    `
  } catch (error) {
    await sql`delete from public.apikey where id = ${id}`
    throw error
  }
}

/** What changes of a key; a field that is left out stays. `budget` null: none; `expiresAt` null: it never expires. */
export type KeyChange = { scopes?: readonly Scope[]; budget?: Budget | null; expiresAt?: Date | null }

/** The name of a key; null: the user has no such key. */
export async function nameOfKey({ sql }: App, userId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(name, '') as name from public.apikey where id = ${id} and "referenceId" = ${userId}
  `
  return row?.name ?? null
}

/**
 * Changes what a key of the user may do, in every process within a second.
 * Invariant: nothing changes when the user has no such key.
 */
export async function changeKey({ sql }: App, key: { userId: string; id: string; change: KeyChange }): Promise<void> {
  const { userId, id, change } = key
  const { scopes, budget, expiresAt } = change
  await sql`
    with k as (
      update public.apikey
      set "expiresAt" = case when ${expiresAt !== undefined} then ${expiresAt ?? null}::timestamptz else "expiresAt" end
      where id = ${id} and "referenceId" = ${userId}
      returning id
    ), limits as (
      update kinora.api_key a
      set scopes = case when ${scopes !== undefined} then ${[...new Set(scopes)]}::text[] else a.scopes end,
          budget = case when ${budget !== undefined} then ${budget?.credits ?? null}::bigint else a.budget end,
          budget_period = case when ${budget !== undefined} then ${budget?.period ?? null}::text else a.budget_period end
      from k
      where a.user_id = any(${[userId, testOwnerOf(userId)]}::uuid[]) and a.id = k.id::uuid
    )
    insert into kinora.credential_revocation (user_id) select ${userId} from k on conflict do nothing
  `
}

type StateRow = {
  id: string
  scopes: Scope[]
  budget: number | null
  period: BudgetPeriod | null
  used: number | null
  resetAt: Date | null
  day: number
  week: number
  month: number
}

/** The states of keys of a user, or of members of a team, by id; without stored limits: no scopes, no budget. */
export async function keyStates(
  { sql, now }: App,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, KeyState>> {
  const at = now()
  const apiKeyPeriodEnd = part(sql, 'api_key_period_end', { period: sql`k.budget_period`, time: at })
  const rows = await sql<StateRow[]>`
    select r.id, coalesce(k.scopes, '{}') as scopes, k.budget, k.budget_period as period,
           ${part(sql, 'api_key_used', { userId, keyId: sql`r.id`, period: sql`k.budget_period`, time: at })} as used,
           ${apiKeyPeriodEnd}::timestamp at time zone 'utc' as reset_at,
           ${part(sql, 'api_key_used', { userId, keyId: sql`r.id`, period: 'day', time: at })} as day,
           ${part(sql, 'api_key_used', { userId, keyId: sql`r.id`, period: 'week', time: at })} as week,
           ${part(sql, 'api_key_used', { userId, keyId: sql`r.id`, period: 'month', time: at })} as month
    from unnest(${[...ids]}::uuid[]) r (id)
    left join kinora.api_key k on k.user_id = ${userId} and k.id = r.id
  `
  return new Map(
    rows.map(({ id, scopes, budget, period, used, resetAt, day, week, month }) => [
      id,
      {
        scopes,
        budget:
          budget !== null && period !== null && resetAt !== null
            ? { credits: budget, period, used: used ?? 0, resetAt }
            : null,
        used: { day, week, month },
      },
    ]),
  )
}

export type KeyDetail = KeyState & {
  id: string
  name: string
  test: boolean
  start: string
  expiresAt: Date | null
  createdAt: Date
}

/** The key of a request. @throws AppError NOT_FOUND: the request has a session, or the key was deleted meanwhile */
export async function describeKey(app: App, { userId, key }: Caller): Promise<KeyDetail> {
  const [row] =
    key && !key.isMember
      ? await app.sql<{ name: string | null; start: string | null; expiresAt: Date | null; createdAt: Date }[]>`
        select name, start, "expiresAt" as expires_at, "createdAt" as created_at from public.apikey where id = ${key.id}
      `
      : []
  const state = key && (await keyStates(app, userId, [key.id])).get(key.id)
  if (!row || !state) {
    throw new AppError('NOT_FOUND', 'This request was not made with an API key; send one to read about it.')
  }
  const { name, start, ...times } = row
  return {
    id: key.id,
    name: name ?? '',
    test: isTestOwner(userId),
    start: start ?? '',
    ...times,
    ...state,
    scopes: [...key.scopes],
  }
}

export type TokenDetail = { subject: string; scopes: Scope[]; budget: number; left: number; expiresAt: Date }

/** The browser token of a request. @throws AppError UNAUTHENTICATED: it has ended meanwhile */
export async function describeToken(app: App, { userId, key }: Spender): Promise<TokenDetail> {
  const row = key?.token ? await tokenBudget(app, { userId, id: key.token.id }) : null
  if (!key?.token || !row) {
    throw new AppError('UNAUTHENTICATED', 'This token has ended; get a new one from the site that gave it.')
  }
  const { budget, used, expiresAt } = row
  return { subject: key.token.subject, scopes: [...key.scopes], budget, left: budget - used, expiresAt }
}

const PERIOD_NAMES: Record<BudgetPeriod, string> = { day: 'today', week: 'this week', month: 'this month' }

/**
 * The error for a request that the budget of its key does not cover, with the state of the budget after the refusal.
 * Its owner may have removed the budget or the key since: UNAVAILABLE, which clients repeat.
 */
export async function keyBudgetExceeded(app: App, { userId, key }: Spender, required: number): Promise<AppError> {
  const token = key?.token ? await tokenBudget(app, { userId, id: key.token.id }) : null
  if (token) return tokenBudgetExceeded(required, token)
  const budgets = await budgetsOf(app, { userId, key })
  const budget = budgets.find(({ credits, used }) => credits - used < required) ?? budgets[0]
  if (!budget) {
    const message = 'The budget has just changed; send the request again.'
    return new AppError('UNAVAILABLE', message, { retryAfterS: 1 })
  }
  const { credits, used, period, resetAt, of } = budget
  const [who, whose] = of === 'member' ? ['you have', 'your'] : [`this ${of} has`, 'its']
  const reset = `${resetAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return new AppError(
    'KEY_BUDGET_EXCEEDED',
    `This film costs ${counted(required, 'credit')}, and ${who} used ${used} of ${whose} ${credits} ${PERIOD_NAMES[period]}; ` +
      `${whose} budget begins anew at ${reset}.`,
    { details: { required, budget: credits, used, period, resetAt } },
  )
}

/**
 * What an API key and its browser token still leave of a user's credits. `shown`: what the caller is told; a token is
 * on a stranger's page, and is told of its own budget alone.
 */
export async function withinBudgets(
  app: App,
  { userId, key }: Spender,
  available: number,
): Promise<{ left: number; shown: number }> {
  const [budgets, token] = await Promise.all([
    budgetsOf(app, { userId, key }),
    key?.token ? tokenBudget(app, { userId, id: key.token.id }) : null,
  ])
  const ofToken = token && token.budget - token.used
  const each = budgets.map(({ credits, used }) => credits - used)
  const left = Math.max(0, Math.min(available, ...each, ofToken ?? available))
  return { left, shown: ofToken ?? left }
}

/** `resetAt`: when the next period begins; null for a token, whose budget is spent once. */
export type BudgetLeft = {
  of: 'token' | 'API key' | 'member' | 'program' | 'account'
  credits: number
  left: number
  resetAt: Date | null
}

/** The budgets that a request spends from, beside the balance. A token reads its own alone. */
export async function budgetsLeft(app: App, spender: Spender): Promise<BudgetLeft[]> {
  if (spender.key?.token) {
    const { budget: credits, left } = await describeToken(app, spender)
    return [{ of: 'token', credits, left, resetAt: null }]
  }
  const budgets = await budgetsOf(app, spender)
  return budgets.map(({ of, credits, used, resetAt }) => ({ of, credits, left: Math.max(0, credits - used), resetAt }))
}

/** The limit that an administrator has set for an owner, as a budget; null: none. */
export async function ownerBudget({ sql, now }: App, userId: string): Promise<KeyState['budget']> {
  const own = { period: sql`budget_period`, time: now() }
  const [row] = await sql<NonNullable<KeyState['budget']>[]>`
    select budget as credits, budget_period as period, ${part(sql, 'api_key_owner_used', { userId, ...own })} as used,
           ${part(sql, 'api_key_period_end', own)}::timestamp at time zone 'utc' as reset_at
    from kinora.api_key
    where user_id = ${userId} and id = ${userId} and budget is not null
  `
  return row ?? null
}

/** The limit of the account, the budget of the key, and that of the member for whom a program acts in a team. */
async function budgetsOf(app: App, { userId, key }: Spender) {
  const own = await ownerBudget(app, userId)
  const ofAccount = own ? [{ ...own, of: 'account' as BudgetLeft['of'] }] : []
  if (!key) return ofAccount
  const { id, memberId, isMember, audience } = key
  const states = await keyStates(app, userId, memberId ? [id, memberId] : [id])
  const ofKeys = [...states].flatMap(([each, { budget }]) => {
    const of: BudgetLeft['of'] = isMember || each === memberId ? 'member' : audience ? 'program' : 'API key'
    return budget ? [{ ...budget, of }] : []
  })
  return [...ofAccount, ...ofKeys]
}

/** Who pays for a video: the user, within the budget of the API key, if the request has one. */
export type Spender = Pick<Caller, 'userId' | 'key'>
