/**
 * Retention of rows that no page shows any more: each table has its setting, and its oldest rows are deleted in
 * batches, so that no statement holds many locks or runs long. The books are not among them: packages, holds, history,
 * refund claims and payment events stay, as do the rows of videos.
 */
import type { App } from '../app.ts'
import type { Retention } from '../config/config.ts'
import { countInEach, type RemoveOldRows } from '../db/parts.ts'

/** Rows of one statement. Measured with 300,000 rows in each table: 1 to 180 ms a batchon a shared disk. */
const BATCH = 1000
const DAY_S = 86_400
/** Clients may rely on 24 hours. */
const IDEMPOTENCY_KEYS_S = 2 * DAY_S
/** Of administrators' grants and corrections: a script that stopped is run again after a weekend, or a month. */
const CREDIT_KEYS_S = 30 * DAY_S

/** A request that is under way with the token still finds its budget. */
const KEY_TOKENS_S = 3600
const EXPIRY_NOTICES_S = 30 * DAY_S
/** A network's gifts are counted by the day. */
const GIFT_NETWORKS_S = 2 * DAY_S
/** A year, to compare with. */
const MODERATION_COUNTS_S = 400 * DAY_S
/** The longest period of the costs page that is offered, and a week. */
const PROVIDER_BALANCES_S = 97 * DAY_S
/** An event that is being written holds the lock of its queue. */
const WEBHOOK_QUEUES_S = 3600
/** The caches of the API processes keep a credential for 30 s. */
const REVOCATIONS_S = 3600

/** `remove` goes by an index. */
type Rule = {
  keptS: (retention: Retention) => number | null
  /** Rows of users; without a mark: of no user, such as those of sign-in and payments. */
  isOfUsers?: boolean
  /** Rows with a user and rows without one. */
  isEverywhere?: boolean
  remove: RemoveOldRows
}

/** Deletes rows of a table of better-auth, the longest expired first. Other rules spell their table for a test. */
const expiredIn =
  (table: string): Rule['remove'] =>
  (sql, before, limit) => {
    // Not `sql(table)`, which writes names in snake case.
    const name = sql.unsafe(`public."${table}"`)
    return sql`
      delete from ${name}
      where "id" = any(array(select "id" from ${name} where "expiresAt" < ${before} order by "expiresAt" limit ${limit}))
    `
  }

const rules = {
  sessions: {
    keptS: ({ sessionsS }) => sessionsS,
    remove: expiredIn('session'),
  },
  verifications: {
    keptS: ({ verificationsS }) => verificationsS,
    remove: expiredIn('verification'),
  },
  oauthAccessTokens: {
    keptS: ({ sessionsS }) => sessionsS,
    remove: expiredIn('oauthAccessToken'),
  },
  oauthRefreshTokens: {
    keptS: ({ sessionsS }) => sessionsS,
    remove: expiredIn('oauthRefreshToken'),
  },
  // A callback without a signed reference finds its video by this row, so that of a video in progress stays.
  providerTasks: {
    isOfUsers: true,
    keptS: ({ providerTasksS }) => providerTasksS,
    remove: (sql, before, limit) => sql`
      delete from kinora.provider_task t
      using (
        select o.provider, o.task_id
        from kinora.provider_task o
        left join kinora.video v on v.user_id = o.user_id and v.id = o.video_id
        where o.created_at < ${before} and v.due_at is null
        order by o.created_at
        limit ${limit}
      ) old
      where t.provider = old.provider and t.task_id = old.task_id
    `,
  },
  videoLogs: {
    isOfUsers: true,
    keptS: ({ videoLogsS }) => videoLogsS,
    remove: (sql, before, limit) => sql`
      delete from kinora.video_log
      where ctid = any(array(select ctid from kinora.video_log where at < ${before} limit ${limit}))
    `,
  },
  // The event stays for ever: its id recognises a repeated delivery. An event that may still be applied
  // needs its body; a dismissed one keeps it as long after its dismissal.
  paymentBodies: {
    keptS: ({ paymentBodiesS }) => paymentBodiesS,
    remove: (sql, before, limit) => sql`
      update kinora.payment_event
      set body = ''
      where id = any(array(
        (
          select id
          from kinora.payment_event
          where received_at < ${before} and body <> '' and state in ('applied', 'ignored')
          order by received_at
          limit ${limit}
        )
        union all
        (
          select id
          from kinora.payment_event
          where dismissed_at < ${before} and body <> '' and state = 'dismissed'
          order by dismissed_at
          limit ${limit}
        )
        limit ${limit}
      ))
    `,
  },
  idempotencyKeys: {
    isOfUsers: true,
    keptS: () => IDEMPOTENCY_KEYS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.idempotency_key
      where ctid = any(array(
        select ctid from kinora.idempotency_key where created_at < ${before} and operation not like 'credits.%' limit ${limit}
      ))
    `,
  },
  creditKeys: {
    isOfUsers: true,
    keptS: () => CREDIT_KEYS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.idempotency_key
      where ctid = any(array(select ctid from kinora.idempotency_key where created_at < ${before} limit ${limit}))
    `,
  },
  keyTokens: {
    isOfUsers: true,
    keptS: () => KEY_TOKENS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.key_token
      where ctid = any(array(select ctid from kinora.key_token where expires_at < ${before} limit ${limit}))
    `,
  },
  webhookDeliveries: {
    isOfUsers: true,
    keptS: ({ webhookDeliveriesS }) => webhookDeliveriesS,
    remove: (sql, before, limit) => sql`
      delete from kinora.webhook_delivery
      where ctid = any(array(select ctid from kinora.webhook_delivery where created_at < ${before} limit ${limit}))
    `,
  },
  mails: {
    isEverywhere: true,
    keptS: ({ mailsS }) => mailsS,
    remove: (sql, before, limit) => sql`
      delete from kinora.mail
      where ctid = any(array(select ctid from kinora.mail where created_at < ${before} and state <> 'pending' limit ${limit}))
    `,
  },
  // The packages have expired by then.
  expiryNotices: {
    isOfUsers: true,
    keptS: () => EXPIRY_NOTICES_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.expiry_notice
      where ctid = any(array(select ctid from kinora.expiry_notice where created_at < ${before} limit ${limit}))
    `,
  },
  giftAddresses: {
    keptS: ({ giftAddressesS }) => giftAddressesS,
    remove: (sql, before, limit) => sql`
      delete from kinora.gift_address
      where ctid = any(array(select ctid from kinora.gift_address where created_at < ${before} limit ${limit}))
    `,
  },
  giftNetworks: {
    keptS: () => GIFT_NETWORKS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.gift_network
      where ctid = any(array(
        select ctid from kinora.gift_network where day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      ))
    `,
  },
  // Of codes that cannot be redeemed any more.
  redemptionMarks: {
    keptS: () => 0,
    remove: (sql, before, limit) => sql`
      delete from kinora.redemption_mark
      where (code_id, hash) in (
        select c.id, m.hash
        from kinora.redemption_code c
        cross join lateral (select hash from kinora.redemption_mark where code_id = c.id limit ${limit}) m
        where least(c.ended_at, c.expires_at) < ${before}
        limit ${limit}
      )
    `,
  },
  moderationCounts: {
    keptS: () => MODERATION_COUNTS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.moderation_count
      where ctid = any(array(
        select ctid from kinora.moderation_count where day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      ))
    `,
  },
  providerBalances: {
    keptS: () => PROVIDER_BALANCES_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.provider_balance
      where ctid = any(array(select ctid from kinora.provider_balance where hour < ${before} limit ${limit}))
    `,
  },
  // Those that have ended: nothing shows them, and they have an e-mail address.
  teamInvitations: {
    keptS: () => 0,
    remove: (sql, before, limit) => sql`
      delete from kinora.team_invitation
      where id = any(array(select id from kinora.team_invitation where expires_at < ${before} limit ${limit}))
    `,
  },
  // The endpoints are those that their user has deleted.
  deletedWebhooks: {
    isOfUsers: true,
    keptS: () => 0,
    remove: (sql, _before, limit) => sql`
      delete from kinora.webhook_delivery
      where ctid = any(array(
        select d.row_id
        from kinora.webhook_endpoint e
        cross join lateral (
          select ctid as row_id from kinora.webhook_delivery where user_id = e.user_id and endpoint_id = e.id limit ${limit}
        ) d
        where not e.is_registered and e.disabled_reason is not null
        limit ${limit}
      ))
    `,
  },
  // The rows of deleted endpoints, and the queues of webhookUrls: the next event makes a new one.
  webhookQueues: {
    isOfUsers: true,
    keptS: () => WEBHOOK_QUEUES_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.webhook_endpoint
      where (user_id, id) in (
        select e.user_id, e.id
        from kinora.webhook_endpoint e
        where not e.is_registered and e.updated_at < ${before}
          and not exists (
            select from kinora.webhook_delivery d where d.user_id = e.user_id and d.endpoint_id = e.id
          )
        limit ${limit}
        for update skip locked
      )
    `,
  },
  revocations: {
    keptS: () => REVOCATIONS_S,
    remove: (sql, before, limit) => sql`
      delete from kinora.credential_revocation
      where ctid = any(array(select ctid from kinora.credential_revocation where at < ${before} limit ${limit}))
    `,
  },
} satisfies Record<string, Rule>

/** Those of the product, and of what the database has beside it. */
const rulesOf = ({ database }: App): Record<string, Rule> => ({
  ...rules,
  administratorKeys: { keptS: rules.creditKeys.keptS, remove: database.removeOldKeys },
})

/**
 * Sweeps every table until no row is too old, or until `signal` aborts. A table that fails is logged, and the others
 * are swept.
 * @returns the number of rows removed of each table
 * @throws when the clock of this process is ahead of the database's: nothing is removed
 */
export async function sweepOldRows(
  app: App,
  { signal, batch = BATCH }: { signal?: AbortSignal | undefined; batch?: number | undefined } = {},
): Promise<Map<string, number>> {
  await app.sql`select kinora.check_clock(${app.now()})`
  const removed = new Map<string, number>()
  for (const [name, rule] of Object.entries(rulesOf(app))) {
    if (signal?.aborted) break
    try {
      const rows = await sweepTable(app, rule, batch, signal)
      removed.set(name, rows)
      if (rows > 0) app.log.info({ table: name, rows }, 'old rows were removed')
    } catch (err) {
      app.log.warn({ err, table: name }, 'old rows could not be removed; the next sweep tries again')
    }
  }
  return removed
}

async function sweepTable(app: App, rule: Rule, batch: number, signal?: AbortSignal): Promise<number> {
  const parts = rule.isEverywhere ? app.database.everywhere() : rule.isOfUsers ? app.database.parts() : [app.sql]
  return countInEach(app, parts, (sql) => sweepPart({ ...app, sql }, rule, batch, signal))
}

async function sweepPart({ sql, now, config }: App, rule: Rule, batch: number, signal?: AbortSignal): Promise<number> {
  const keptS = rule.keptS(config.retention)
  if (keptS === null) return 0
  const before = new Date(now().getTime() - keptS * 1000)
  for (let rows = 0; ; ) {
    const { count } = await rule.remove(sql, before, batch)
    rows += count
    if (count < batch || signal?.aborted) return rows
  }
}
