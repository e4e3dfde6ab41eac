/**
 * What grows: the processor time of PostgreSQL for reports of a year, lists and searches in a database of a million
 * films (`--films`), which SQL writes so that its books are right: one account has a tenth of them, one 2,000 payments.
 * Each report of films is measured in pairs, before and after the sweep has summed the year.
 */
import { sumFilms } from '../server/src/admin/film-sums.ts'
import { forEachConcurrently } from '../server/src/async/for-each-concurrently.ts'
import { openDb } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { type Bench, type Server, startServer } from './environment.ts'
import { purchaseOf, SECRETS } from './payments.ts'
import type { Line } from './table.ts'
import { tokenOf, USERS, userIdOf, userIdSql } from './users.ts'

const [PAYER, LARGE, ADMINISTRATOR] = [1, 2, 3]
const PAYMENTS = 2_000
const DAYS = 365
/** Calls of what takes little: CPU time is counted in 10 ms. */
const CALLS = 10
const LITTLE_MS = 500
const LIMIT_MS = 100
/** A row for each user and day of the first month of the period. */
const BY_USER_LIMIT_MS = 150

export async function million({ environment, sql, films, runs }: Bench): Promise<Line[]> {
  await writeFilms(sql, films)
  await sql`update public."user" set role = 'admin' where id = ${userIdOf(ADMINISTRATOR)}`
  const server = await startServer(environment, { ...SECRETS, RATE_LIMITS: 'off' })
  try {
    await pay(server)
    await sql.unsafe('vacuum analyze')
    const lines: Line[] = []
    const measureAll = async (paths: Record<string, [user: number, path: string]>, note: string, limit?: number) => {
      for (const [what, [user, path]] of Object.entries(paths)) {
        const times: number[] = []
        for (let run = 0; run < runs; run++) times.push(await costOf(environment, () => get(server, user, path)))
        lines.push({
          what: `${what}${note}`,
          unit: 'ms',
          runs: times,
          ...(limit ? { limit: what.endsWith('by user') ? BY_USER_LIMIT_MS : limit } : {}),
        })
      }
    }
    await measureAll(reports(), ', from the films')
    const startUs = environment.databaseCpuUs()
    const summing = openDb(environment.databaseUrl, { connections: 1, name: 'kinora bench', statementTimeoutMs: 0 })
    const app = { database: onePart(summing), log: console as never, now: () => new Date() }
    while (await isBehind(sql)) await sumFilms(app)
    lines.push({ what: 'summing the year', unit: 'ms', runs: [(environment.databaseCpuUs() - startUs) / 1000] })
    await summing.end()
    await sql.unsafe('vacuum analyze')
    await measureAll(reports(), ', summed', LIMIT_MS)
    await measureAll(await lists(server, films), '')
    return lines
  } finally {
    await server.stop()
  }
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Whether days are over that are not summed; of the usage the last two stay. */
async function isBehind(sql: Bench['sql']): Promise<boolean> {
  const [state] = await sql<{ until: string; usage: string }[]>`
    select until::text, usage_until::text as usage from kinora.film_sum_state
  `
  return !state || state.until < dayBefore(1) || state.usage < dayBefore(2)
}

function reports(): Record<string, [number, string]> {
  const year = `from=${dayBefore(DAYS)}`
  const ofAll = (path: string): [number, string] => [ADMINISTRATOR, `/api/v1/admin/${path}`]
  return {
    'overview of a year': ofAll(`overview?${year}`),
    'costs of a year by day': ofAll(`costs?${year}&groupBy=day`),
    'costs of a year by model': ofAll(`costs?${year}&groupBy=model`),
    'costs of a year by account': ofAll(`costs?${year}&groupBy=account`),
    'costs of a year by route': ofAll(`costs?${year}&groupBy=route`),
    'costs of a year by user': ofAll(`costs?${year}&groupBy=user`),
    'costs of a year of an account by model': ofAll(`costs?${year}&groupBy=model&account=account-1`),
    'usage of a year of the large account by day': [LARGE, `/api/v1/credit/usage?${year}&by=day`],
    'usage of a year of the large account by model': [LARGE, `/api/v1/credit/usage?${year}&by=model`],
  }
}

async function lists(server: Server, films: number): Promise<Record<string, [number, string]>> {
  const { nextCursor } = await get(server, LARGE, `/api/v1/video/list?page=${Math.ceil(films / 2000)}&pageSize=100`)
  const year = `from=${dayBefore(DAYS)}`
  return {
    'failed films of a year': [ADMINISTRATOR, `/api/v1/admin/videos/ended?${year}&outcome=failed`],
    'failed films of a year with a rare text': [
      ADMINISTRATOR,
      `/api/v1/admin/videos/ended?${year}&outcome=failed&q=rare`,
    ],
    'library of the large account, first page': [LARGE, '/api/v1/video/list?pageSize=20'],
    'its page behind a cursor in the middle': [LARGE, `/api/v1/video/list?pageSize=20&cursor=${nextCursor}`],
    'its search of three characters, in one of 10,000 prompts': [LARGE, '/api/v1/video/list?q=zqv'],
    'its search of two characters, in one of 10,000 prompts': [LARGE, '/api/v1/video/list?q=zq'],
    'its search of two characters, in no prompt': [LARGE, '/api/v1/video/list?q=qz'],
    'its search of two characters, in each prompt': [LARGE, '/api/v1/video/list?q=a%20'],
    'its search of one character, in no prompt': [LARGE, '/api/v1/video/list?q=%C2%A7'],
    'its history, first page': [LARGE, '/api/v1/credit/history'],
    [`packages of an account with ${PAYMENTS.toLocaleString('en')} payments`]: [PAYER, '/api/v1/credit/packages'],
  }
}

async function get(server: Server, user: number, path: string): Promise<{ nextCursor?: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${tokenOf(user)}` },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text.slice(0, 500)}`)
  return JSON.parse(text).data
}

/** Milliseconds of a call. */
async function costOf(environment: Bench['environment'], call: () => Promise<unknown>): Promise<number> {
  const measured = async (calls: number) => {
    const startUs = environment.databaseCpuUs()
    for (let n = 0; n < calls; n++) await call()
    return (environment.databaseCpuUs() - startUs) / 1000 / calls
  }
  const once = await measured(1)
  return once > LITTLE_MS ? once : await measured(CALLS)
}

async function pay(server: Server): Promise<void> {
  await forEachConcurrently(Array(PAYMENTS).keys(), 16, async () => {
    const { body, signature } = purchaseOf(userIdOf(PAYER))
    const response = await fetch(`http://127.0.0.1:${server.port}/api/webhooks/payment-b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
    if (response.status !== 200) throw new Error(`a webhook was not accepted: ${await response.text()}`)
  })
}

/** Ended films of a year with their holds and the history, as the functions of the ledger leave them. */
async function writeFilms(sql: Bench['sql'], films: number): Promise<void> {
  const run = (text: string) =>
    sql.unsafe(
      text
        .replaceAll(':films', String(films))
        .replaceAll(
          ':user',
          userIdSql.replaceAll(':n', `case when g % 10 = 0 then ${LARGE} else 3 + g % ${USERS - 2} end`),
        ),
    )
  // The accounts are older than their films.
  await run(`
    update kinora.credit_package set created_at = created_at - interval '400 days';
    update kinora.credit_account
    set created_at = created_at - interval '400 days', gift_at = gift_at - interval '400 days';
  `)
  await run(`
    create unlogged table public.bench_film as
    select g, :user as user_id, kinora.uuid_v7(at) as id, at as created_at, at + interval '2 minutes' as completed_at,
           g % 50 > 0 as is_made, 8 + g % 9 as credits,
           'A ' || (array['paper boat', 'red fox', 'glass city', 'slow river', 'tin robot'])[1 + g % 5] || ' in '
             || (array['rain', 'snow', 'the dawn', 'a storm', 'neon light'])[1 + g / 5 % 5] || ', take ' || g
             || ' of the long film, the camera low above the water, reflections of shop signs'
             || case when g % 100000 = 0 then ' zqv' else '' end as prompt
    from generate_series(1, :films) g
    cross join lateral (
      select date_trunc('milliseconds', now() - interval '1 hour' - ${DAYS} * interval '1 day' * (1 - g::float8 / :films)) as at
    ) t
  `)
  await run(`
    insert into kinora.video (
      user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, error, error_code,
      video_key, size_bytes, film_duration_s, film_width, film_height, submitted_at, accepted_at, result_at, result_url,
      provider_task_id, route_model, catalogue_usd, final_cost, cost_unit, unit_usd, created_at, completed_at, updated_at,
      deadline_at
    )
    select user_id, id, case when is_made then 'COMPLETED' else 'FAILED' end, prompt, 'model-' || g % 30, 4 + g % 8, '16:9', '720p',
           credits, array['account-' || g % 7], 60, case when is_made then null else 'the provider failed' end,
           case when is_made then null else 'PROVIDER_ERROR' end,
           case when is_made then repeat('k', 120) end, 1000000, 5.04, 1280, 720, created_at, created_at,
           created_at + (20 + g % 100) * interval '1 second', repeat('u', 120), 'task-' || g, 'vendor/' || g % 30, 0.5,
           case when g % 3 = 0 then 0.45 + (g % 20) * 0.01 end, case when g % 3 = 0 then 'USD' end, case when g % 3 = 0 then 1 end,
           created_at, completed_at, completed_at, completed_at
    from public.bench_film
  `)
  await run(`
    insert into kinora.credit_hold (user_id, id, credits, state, package_ids, package_credits, created_at, closed_at)
    select f.user_id, f.id, f.credits, case when f.is_made then 'settled' else 'released' end, array[p.id], array[f.credits],
           f.created_at, f.completed_at
    from public.bench_film f
    join kinora.credit_package p on p.user_id = f.user_id
  `)
  await writeHistory(run)
  await run(`
    update kinora.credit_package p
    set used = s.credits, remaining = p.remaining - s.credits
    from (select user_id, sum(credits) as credits from public.bench_film where is_made group by user_id) s
    where s.user_id = p.user_id
  `)
  await run(`
    insert into kinora.video_count (user_id, model, status, videos)
    select user_id, model, status, count(*) from kinora.video group by 1, 2, 3
  `)
  await run(`
    insert into kinora.transaction_count (user_id, trans_type, transactions)
    select user_id, 'REFUND', count(*) from public.bench_film where not is_made group by 1
  `)
  await run('drop table public.bench_film, public.bench_row')
  await run('vacuum analyze')
}

/** The rows of the grants again, which are older now, and two of each film that failed, one of all others. */
async function writeHistory(run: (text: string) => PromiseLike<unknown>): Promise<void> {
  await run(`
    create unlogged table public.bench_row as
    select m.*, row_number() over w as n, sum(m.credits) over w as balance_after
    from (
      select user_id, id, trans_type, credits, package_id, null::uuid as video_id, remark, source, expires_at,
             created_at - interval '400 days' as created_at
      from kinora.credit_transaction
      union all
      select user_id, kinora.uuid_v7(created_at), 'VIDEO_CONSUME', -credits, null, id, 'bench', null, null, created_at
      from public.bench_film
      union all
      select user_id, kinora.uuid_v7(completed_at), 'REFUND', credits, null, id, 'bench', null, null, completed_at
      from public.bench_film where not is_made
    ) m
    window w as (partition by m.user_id order by m.created_at, m.id rows unbounded preceding)
  `)
  await run(`
    truncate kinora.credit_transaction;
    insert into kinora.credit_transaction (
      user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, remark, source, expires_at,
      created_at, hash
    )
    select r.user_id, r.n, r.id, r.trans_no, r.trans_type, r.credits, r.balance_after, r.package_id, r.video_id, r.remark, r.source,
           r.expires_at, r.created_at,
           kinora.history_chain('\\x', kinora.history_text(row(
             r.user_id, r.n, r.id, r.trans_no, r.trans_type, r.credits, r.balance_after, r.package_id, r.video_id, null, r.remark,
             null, r.created_at, r.source, r.expires_at, null, null
           )::kinora.credit_transaction)) over (partition by r.user_id order by r.n)
    from (
      select b.*, kinora.credit_trans_no(p_account => a.number, p_n => b.n) as trans_no
      from public.bench_row b
      join kinora.credit_account a on a.user_id = b.user_id
    ) r
  `)
  await run(`
    update kinora.credit_account a
    set transactions = t.n, history_hash = t.hash, moved_at = t.created_at, available = t.balance_after,
        used = a.total - t.balance_after
    from (select distinct on (user_id) * from kinora.credit_transaction order by user_id, n desc) t
    where t.user_id = a.user_id
  `)
}
