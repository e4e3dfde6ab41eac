/**
 * What is left on the accounts at AI providers, where their vendors tell: asked once an hour by one worker, kept as
 * rows of kinora.provider_balance, and told to administrators by mail before it is used up. Invariant: a vendor that
 * fails, hangs or answers at length is a reason in its row, and nothing else.
 */
import type { App } from '../app.ts'
import { unitUsdOf } from '../catalogue/price.ts'
import { enqueueMail } from '../mail/outbox.ts'
import type { Balance, Provider } from '../provider/provider.ts'

const HOUR_MS = 3600_000
const DAY_S = 86_400
/** It is low when it does not last as long at the rate of the last day. */
const LOW_S = 3 * DAY_S
/** A mail that a crash has prevented is written at one of the next questions. */
const MAIL_WITHIN_MS = DAY_S * 1000

export type ProviderBalance = {
  /** What it was told to be last, in `USD` or the vendor's unit; null: never. */
  amount: number | null
  unit: string | null
  usd: number | null
  toldAt: Date | null
  /** Why the last question has no answer; null: it has, or none was asked yet. */
  problem: string | null
  /** What it fell by within a day. */
  spentLastDay: number
  /** Null: nothing was spent within a day. */
  secondsLeft: number | null
}

/** Asks the vendors that no worker has asked within this hour. @returns how many */
export async function askBalances(app: App, signal: AbortSignal): Promise<number> {
  const now = app.now()
  const opened = await Promise.all(
    app.providers.ids.map(async (id) => [id, (await app.providers.open(id))?.readBalance] as const),
  )
  const readers = new Map(opened.flatMap(([id, read]) => (read ? [[id, read] as const] : [])))
  if (readers.size === 0) return 0
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const asked = await app.sql<{ account: string }[]>`
    insert into kinora.provider_balance (account, hour, asked_at)
    select account, ${hour}, ${now} from unnest(${[...readers.keys()]}::text[]) account
    on conflict do nothing
    returning account
  `
  await Promise.all(
    asked.map(async ({ account }) => {
      const read = readers.get(account)
      if (read) await ask(app, { account, hour, read, signal })
    }),
  )
  return asked.length
}

type Question = { account: string; hour: Date; read: NonNullable<Provider['readBalance']>; signal: AbortSignal }

async function ask(app: App, { account, hour, read, signal }: Question): Promise<void> {
  const balance = await read({ signal }).catch((err: unknown): Balance => {
    app.log.error({ err, provider: account }, 'the adapter of a provider failed')
    return { kind: 'untold', reason: 'its adapter failed' }
  })
  if (balance.kind === 'told') return record(app, { account, hour, ...balance })
  const problem = withoutKey(app, account, balance.reason)
  app.log.warn({ provider: account, reason: problem }, 'a provider did not tell what is left on its account')
  await app.sql`update kinora.provider_balance set problem = ${problem} where account = ${account} and hour = ${hour}`
}

/** A vendor may quote the key that it refuses. */
function withoutKey({ config }: App, account: string, reason: string): string {
  const { apiKey = '', webhookKey } = config.providers[account] ?? {}
  return [apiKey, ...apiKey.split(':'), webhookKey ?? '']
    .filter((secret) => secret.length > 7)
    .reduce((text, secret) => text.replaceAll(secret, '…'), reason)
}

type Told = { account: string; hour: Date; amount: number; unit: string }

/** A rise to a balance that is not low is a refill; one that stays low is what a failed task gave back. */
async function record(app: App, { account, hour, amount, unit }: Told): Promise<void> {
  const now = app.now()
  const [row] = await app.sql<{ lowSince: Date | null; secondsLeft: number | null }[]>`
    with last as (
      select amount, low_since
      from kinora.provider_balance
      where account = ${account} and hour < ${hour} and unit = ${unit}
      order by hour desc
      limit 1
    ),
    day as (
      select (
               select coalesce(sum(spent), 0)
               from kinora.provider_balance
               where account = ${account} and hour < ${hour} and unit = ${unit} and asked_at > ${dayBefore(now)}
             ) + coalesce((select greatest(0, amount - ${amount}::numeric) from last), 0) as spent
    ),
    known as (
      select case
               when ${amount}::numeric <= 0 then 0
               when spent > 0 then ${amount}::numeric / spent * ${DAY_S}::numeric
             end as seconds_left
      from day
    )
    update kinora.provider_balance b
    set amount = ${amount}, unit = ${unit}, problem = null,
        spent = (select greatest(0, amount - ${amount}::numeric) from last),
        low_since = case
          when k.seconds_left < ${LOW_S} then coalesce((select low_since from last), ${now})
          when ${amount}::numeric <= (select amount from last) then (select low_since from last)
        end
    from known k
    where b.account = ${account} and b.hour = ${hour}
    returning b.low_since, k.seconds_left::float8 as seconds_left
  `
  const { lowSince = null, secondsLeft = null } = row ?? {}
  const isLow = secondsLeft !== null && secondsLeft < LOW_S
  if (lowSince && isLow && now.getTime() - lowSince.getTime() < MAIL_WITHIN_MS)
    await mailLow(app, { account, amount, unit, secondsLeft }, lowSince)
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_S * 1000)

async function mailLow(
  app: App,
  data: { account: string; amount: number; unit: string; secondsLeft: number },
  lowSince: Date,
): Promise<void> {
  const administrators = await app.sql<{ id: string; email: string }[]>`
    select id, email from public."user"
    where role = 'admin' and "emailVerified" and banned is not true
  `
  const onceKey = `provider.low ${data.account} ${lowSince.toISOString()}`
  for (const { id, email } of administrators)
    await enqueueMail(app, { kind: 'provider.low', userId: id, to: email, data, onceKey })
}

type Row = Omit<ProviderBalance, 'usd' | 'secondsLeft'> & { account: string }

/** By account; null: its vendor has no call that tells. */
export async function readBalances(app: App): Promise<Map<string, ProviderBalance | null>> {
  const { ids } = app.providers
  const rows = await app.sql<Row[]>`
    select a.account, t.amount::float8 as amount, t.unit, t.asked_at as told_at, l.problem, coalesce(d.spent, 0)::float8 as spent_last_day
    from unnest(${[...ids]}::text[]) as a (account)
    left join lateral (
      select problem from kinora.provider_balance where account = a.account and (amount is not null or problem is not null)
      order by hour desc
      limit 1
    ) l on true
    left join lateral (
      select amount, unit, asked_at from kinora.provider_balance where account = a.account and amount is not null
      order by hour desc
      limit 1
    ) t on true
    left join lateral (
      select sum(spent) as spent from kinora.provider_balance
      where account = a.account and unit = t.unit and asked_at > ${dayBefore(app.now())}
    ) d on true
  `
  const tells = await Promise.all(ids.map(async (id) => (await app.providers.open(id))?.readBalance !== undefined))
  return new Map(
    ids.map((id, i) => {
      const row = rows.find(({ account }) => account === id)
      return [id, row && tells[i] ? withWorth(app, row) : null] as const
    }),
  )
}

function withWorth({ config }: App, { account, ...row }: Row): ProviderBalance {
  const { amount, unit, spentLastDay } = row
  if (amount === null || unit === null) return { ...row, usd: null, secondsLeft: null }
  const unitUsd = unitUsdOf(config.providers[account], unit)
  const ofDays = spentLastDay > 0 ? Math.round((Math.max(0, amount) / spentLastDay) * DAY_S) : null
  return {
    ...row,
    usd: unitUsd === null ? null : Math.round(amount * unitUsd * 1e4) / 1e4,
    secondsLeft: amount <= 0 ? 0 : ofDays,
  }
}
