/**
 * A big ledger by SQL, because ten million calls would take hours: users with final videos, holds, slices, logs and a hash-chained
 * history, as the service's functions would have written them; `kinora verify` finds no difference. Each user's videos are spread
 * over two years, and rows are inserted in the order of their time, so that the rows of one user are as far apart as they would be.
 */
import type { Sql } from '../server/src/db/db.ts'

/** `films` videos for each of `users` users. The numbers of users are consecutive over all groups, from 1. */
export type UserGroup = { users: number; films: number }
export type SeedOptions = { groups: UserGroup[]; onStep?: (name: string, seconds: number) => void }

/** Every tenth video failed, and its credits were released. */
const FAILED_EVERY = 10
const PRICE = 16
/** More than any user has used. */
const SEEDED_CREDITS = 1_000_000_000
const DAYS = 730

/** SQL expression: the id of user `n` (an SQL expression). */
const seededUserId = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Prompts have a word that each has, and others that one in 300 and one in 20,000 has. */
export const WORDS = { common: 'paper boat', uncommon: 'violet', rare: 'heliotrope' }
const prompt = `
  'A paper boat in a rain gutter, the camera low above the water, reflections of shop signs ' || v.v || ' ' || u.n
    || case when v.v % 300 = 7 then ' in violet light' else '' end
    || case when (v.v * 31 + u.n) % 20000 = 77 then ' with a heliotrope' else '' end
`

/** Seeds empty tables. Their indexes are dropped first and built at the end, which is several times faster. */
export async function seedLedger(sql: Sql, { groups, onStep = () => {} }: SeedOptions): Promise<void> {
  const step = async (name: string, ...statements: string[]) => {
    const startMs = performance.now()
    for (const statement of statements) await sql.unsafe(statement)
    onStep(name, (performance.now() - startMs) / 1000)
  }
  // One time for all statements, because ids and the hash chain are made of it.
  const now = `'${new Date().toISOString()}'::timestamptz`
  const slices = Math.max(...groups.map(({ films }) => films).filter((films) => films <= 1000), 20)
  await step(
    'settings',
    'set synchronous_commit = off',
    `set maintenance_work_mem = '1GB'`,
    `set work_mem = '256MB'`,
    'set max_parallel_maintenance_workers = 2',
    // The sequence of the joins is that of the text: slices of time first.
    'set join_collapse_limit = 1',
    'set from_collapse_limit = 1',
    'create temporary table seeded_user (n bigint, user_id uuid, films integer)',
    ...groups.map(
      ({ users, films }) => `
        insert into seeded_user
        select t.n + s.n, ${seededUserId('t.n + s.n')}, ${films}
        from (select count(*) as n from seeded_user) t, generate_series(1, ${users}) s (n)
      `,
    ),
    'analyze seeded_user',
    `create temporary view seeded_video as
     select u.user_id, u.n, v.v, v.v % ${FAILED_EVERY} = 0 as has_failed, t.at, ${prompt} as prompt,
            case when v.v % 4 = 1 then 'alpha-2' else 'delta-1-5' end as model,
            -- The first 48 bits of a UUIDv7 are its time in milliseconds.
            (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0')
              || '7000' || '8' || lpad(to_hex(v.v % 4096), 3, '0') || lpad(to_hex(u.n * 1048576 + v.v % 1048576), 12, '0'))::uuid as id
     from generate_series(1, ${slices}) s (s)
     cross join seeded_user u
     cross join lateral generate_series(
       (u.films::bigint * (s.s - 1) / ${slices} + 1)::integer, (u.films::bigint * s.s / ${slices})::integer
     ) v (v)
     cross join lateral (
       select ${now} - interval '1 hour' - interval '${DAYS} days' * (1 - v.v::float8 / u.films) as at
     ) t`,
  )
  const indexes = await dropIndexes(sql)
  const used = `(u.films - u.films / ${FAILED_EVERY}) * ${PRICE}`
  const rows = `1 + u.films + u.films / ${FAILED_EVERY}`
  const pack = `('00000000-0000-7000-a000-' || lpad(to_hex(u.n), 12, '0'))::uuid`
  const start = `${now} - interval '${DAYS + 1} days'`
  await step(
    'accounts and packages',
    `insert into kinora.credit_account (
       user_id, available, used, total, transactions, next_expiry_at, created_at
     )
     select user_id, ${SEEDED_CREDITS} - ${used}, ${used}, ${SEEDED_CREDITS}, ${rows}, '2099-01-01', ${start}
     from seeded_user u`,
    `insert into kinora.credit_package (user_id, id, trans_type, source, initial, remaining, used, expires_at, created_at)
     select user_id, ${pack}, 'ORDER_PAY', 'bench', ${SEEDED_CREDITS}, ${SEEDED_CREDITS} - ${used}, ${used}, '2099-01-01', ${start}
     from seeded_user u`,
  )
  await step(
    'videos',
    `insert into kinora.video (
       user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, provider_task_id,
       submitted_at, accepted_at, result_at, error_code, error, video_key, thumbnail_key, size_bytes, film_duration_s, film_width,
       film_height, created_at, completed_at, updated_at, deadline_at
     )
     select user_id, id, case when has_failed then 'FAILED' else 'COMPLETED' end, prompt, model, 4, '16:9', '720p', ${PRICE},
            '{provider-b,provider-a}', 60, 'task-' || id, at, at, at + interval '60 seconds',
            case when has_failed then 'PROVIDER_FAILED' end, case when has_failed then 'No luck.' end,
            case when not has_failed then 'video/' || id || '.mp4' end, case when not has_failed then 'video/' || id || '.webp' end,
            1000000, 4, 1280, 720, at, at + interval '70 seconds', at + interval '70 seconds', at + interval '30 minutes'
     from seeded_video`,
  )
  await step(
    'holds and slices',
    `insert into kinora.credit_hold (user_id, id, credits, state, created_at, closed_at)
     select user_id, id, ${PRICE}, case when has_failed then 'released' else 'settled' end, at, at + interval '70 seconds'
     from seeded_video`,
    `insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
     select v.user_id, v.id, ('00000000-0000-7000-a000-' || lpad(to_hex(v.n), 12, '0'))::uuid, ${PRICE} from seeded_video v`,
  )
  await step(
    'logs',
    `insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
     select user_id, id, id, case when has_failed then 'failed' else 'completed' end, null, at from seeded_video`,
  )
  // Row n: the grant, then each freeze, and after every tenth its release.
  await step(
    'history',
    `insert into kinora.credit_transaction (
       user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, remark, created_at, source, expires_at,
       hash
     )
     select user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, remark, created_at, source,
            expires_at,
            kinora.history_chain(
              '\\x',
              kinora.history_text(
                p_n => n, p_id => id, p_trans_no => trans_no, p_trans_type => trans_type, p_credits => credits,
                p_balance_after => balance_after, p_package_id => package_id, p_video_id => video_id, p_order_no => null,
                p_remark => remark, p_actor_id => null, p_source => source, p_expires_at => expires_at, p_graces => null,
                p_created_at => created_at
              )
            ) over (partition by user_id order by n)
     from (
       select u.user_id, 1::bigint as n, ${pack} as id, kinora.credit_trans_no(p_account => a.number, p_n => 1) as trans_no,
              'ORDER_PAY' as trans_type,
              ${SEEDED_CREDITS}::bigint as credits, ${SEEDED_CREDITS}::bigint as balance_after, ${pack} as package_id,
              null::uuid as video_id, null as remark, ${start} as created_at, 'bench' as source,
              '2099-01-01'::timestamptz as expires_at
       from seeded_user u
       join kinora.credit_account a on a.user_id = u.user_id
       union all
       select v.user_id, r.n, v.id, kinora.credit_trans_no(p_account => a.number, p_n => r.n), r.type, r.credits,
              ${SEEDED_CREDITS} - ${PRICE} * (v.v - (v.v - 1) / ${FAILED_EVERY})
                + case when r.type = 'REFUND' then ${PRICE} else 0 end,
              null, v.id, 'delta-1-5, 4 s', v.at + case when r.type = 'REFUND' then interval '70 seconds' else interval '0' end, null,
              null
       from seeded_video v
       join kinora.credit_account a on a.user_id = v.user_id
       cross join lateral (
         select 1::bigint + v.v + (v.v - 1) / ${FAILED_EVERY} as n, 'VIDEO_CONSUME' as type, -${PRICE}::bigint as credits
         union all select 2::bigint + v.v + (v.v - 1) / ${FAILED_EVERY}, 'REFUND', ${PRICE}::bigint where v.has_failed
       ) r
     ) rows`,
  )
  for (const { name, text } of indexes) await step(name, text)
  await step(
    'counters',
    `insert into kinora.video_count (user_id, model, status, videos)
     select user_id, model, status, count(*) from kinora.video group by 1, 2, 3`,
    `insert into kinora.transaction_count (user_id, trans_type, transactions)
     select user_id, trans_type, count(*) from kinora.credit_transaction where trans_type <> 'VIDEO_CONSUME' group by 1, 2`,
  )
  await step(
    'heads of the hash chains',
    `update kinora.credit_account a
     set history_hash = t.hash
     from kinora.credit_transaction t
     where t.user_id = a.user_id and t.n = a.transactions`,
  )
  await step('statistics', 'vacuum (analyze)', 'checkpoint')
  await sql.unsafe('drop view seeded_video; drop table seeded_user').simple()
}

/** The big tables, in the sequence in which indexes are built. */
const TABLES = ['video', 'credit_hold', 'credit_slice', 'credit_transaction', 'video_log']

/** @returns the statements that build the indexes again */
async function dropIndexes(sql: Sql): Promise<{ name: string; text: string }[]> {
  const keys = await sql<{ name: string; table: string; text: string }[]>`
    select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as text
    from pg_constraint
    where contype in ('p', 'u') and conrelid = any(${TABLES.map((name) => `kinora.${name}`)}::regclass[])
    order by conrelid
  `
  const indexes = await sql<{ name: string; text: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as text
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(${TABLES.map((name) => `kinora.${name}`)}::regclass[])
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  `
  for (const { name, table } of keys) await sql.unsafe(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await sql.unsafe(`drop index kinora.${name}`)
  return [
    ...keys.map(({ name, table, text }) => ({ name, text: `alter table ${table} add constraint ${name} ${text}` })),
    ...indexes,
  ]
}

/**
 * Users who can sign in, newest last, the first `sessions` with a session, the first of all an administrator.
 */
export async function seedSignIns(
  sql: Sql,
  { users, sessions, token }: { users: number; sessions: number; token: string },
): Promise<void> {
  await sql.unsafe(`
    insert into public."user" ("id", "name", "email", "emailVerified", "role")
    select ${seededUserId('n')}::text, 'User ' || n || case when n % 20000 = 77 then ' Heliotrope' else '' end,
           'user-' || n || '@example.com', true, case when n = 1 then 'admin' else 'user' end
    from generate_series(1, ${users}) n
  `)
  await sql.unsafe(`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    select gen_random_uuid()::text, '${token}' || n, ${seededUserId('n')}::text, now() + interval '30 days', now()
    from generate_series(1, ${sessions}) n
  `)
  await sql.unsafe('vacuum (analyze)')
}
