/**
 * `node bench/costs.ts`: the statement of the costs report with a million films of 20,000 users in 90 days, which SQL
 * writes: the CPU time of PostgreSQL for each grouping and period, which other load does not change. `--films 100000`
 * takes fewer.
 */
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { type CostsQuery, costs } from '../server/src/admin/costs.ts'
import { openDb } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { openEnvironment } from './environment.ts'

const { values } = parseArgs({
  options: { films: { type: 'string', default: '1000000' } },
})
const films = Number(values.films)
const DAYS = 90
const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

const environment = await openEnvironment()
try {
  const admin = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await admin`
    insert into kinora.video (
      user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, error, error_code, video_key,
      size_bytes, film_duration_s, film_width, film_height, submitted_at, accepted_at, result_at, result_url, provider_task_id, route_model,
      catalogue_usd, final_cost, cost_unit, unit_usd, created_at, completed_at, updated_at, deadline_at
    )
    select ('01900000-0000-7000-8000-' || lpad(to_hex((n * 7919) % 20000), 12, '0'))::uuid, gen_random_uuid(),
           case when n % 20 = 0 then 'FAILED' else 'COMPLETED' end, repeat('A paper boat in a rain gutter, dawn. ', 6), 'model-' || n % 30,
           4 + n % 8, '16:9', '720p', 16, array['account-' || n % 7], 60, 'e', 'PROVIDER_ERROR', repeat('k', 120),
           1000000, 5.04, 1280, 720, t, t, t + (20 + n % 200) * interval '1 second', repeat('u', 120), 'task-' || n, 'vendor/' || n % 30,
           0.5, case when n % 3 = 0 then 0.45 + (n % 20) * 0.01 end, case when n % 3 = 0 then 'USD' end, case when n % 3 = 0 then 1 end,
           t, t + interval '5 minutes', t, t
    from generate_series(1, ${films}::bigint) n,
         lateral (select now() - interval '5 minutes' - ${DAYS} * interval '1 day' * (1 - n::float8 / ${films}::bigint) as t) time
  `
  // Each user's completed films are paid by four packages in turn, each of a payment of its own.
  await admin`
    insert into kinora.credit_hold (user_id, id, credits, state, package_ids, package_credits, created_at, closed_at)
    select user_id, id, credits, 'settled', array[md5(user_id::text || get_byte(uuid_send(id), 0) % 4)::uuid], array[credits], created_at, completed_at
    from kinora.video where status = 'COMPLETED'
  `
  await admin`
    insert into kinora.credit_package (user_id, id, trans_type, source, initial, remaining, used, expires_at, created_at)
    select user_id, package_ids[1], 'ORDER_PAY', 'payment-a:' || package_ids[1], sum(credits), 0, sum(credits), max(closed_at), min(created_at)
    from kinora.credit_hold group by 1, 2
  `
  await admin`
    insert into kinora.payment (
      user_id, processor, source, chain, trans_type, order_no, remark, currency, credits, cap, value, total, paid, covered, rest, low, high,
      at, valid_from, expires_at, sort_key, money, worth, granted, packages
    )
    select user_id, 'payment-a', source, source, 'ORDER_PAY', id, '', 'USD', initial, initial, 1490, 1490, 1490, 0, 0, 1, 1,
           created_at, created_at, expires_at, '', 1490, initial, initial, 1
    from kinora.credit_package
  `
  await admin`vacuum analyze kinora.video, kinora.credit_hold, kinora.credit_package, kinora.payment`
  const [size] = await admin`
    select pg_size_pretty(pg_table_size('kinora.video')) as "table", pg_size_pretty(pg_relation_size('kinora.video_ended')) as "index"
  `
  console.log(`${films} films: table ${size?.table}, index ${size?.index}`)

  const sql = openDb(environment.databaseUrl, { connections: 1, name: 'bench costs', statementTimeoutMs: 0 })
  const app = { sql, database: onePart(sql), log: console, now: () => new Date() } as never
  for (const [name, query] of Object.entries<CostsQuery>({
    'a day, by account and model': { from: day(0), groupBy: ['account', 'model'] },
    '30 days, by day': { groupBy: ['day'] },
    '90 days, by day': { from: day(DAYS), groupBy: ['day'] },
    '90 days, by route': { from: day(DAYS), groupBy: ['route'] },
    '90 days, by user': { from: day(DAYS), groupBy: ['user'] },
    '90 days, by day, route and user': { from: day(DAYS), groupBy: ['day', 'route', 'user'] },
  })) {
    const times: number[] = []
    let found = ''
    for (let run = 0; run < 3; run++) {
      const startedAtUs = environment.databaseCpuUs()
      const { rows, total, isComplete } = await costs(app, query)
      times.push((environment.databaseCpuUs() - startedAtUs) / 1000)
      found = `${rows.length}${isComplete ? '' : '+'} rows, ${total.films + total.failed} films`
    }
    console.log(`${name}: ${times.map((ms) => Math.round(ms)).join(', ')} ms of CPU; ${found}`)
  }
  await sql.end()
  await admin.end()
} finally {
  await environment.close()
}
