/**
 * `npm run bench:claims`: 1, 2, 4, 8 and 16 worker processes on one backlog of due videos. Printed for each: the steps a second of all
 * workers, and the rows that they claimed out of the rows that PostgreSQL read for it. Options: `--seconds` of each run, `--runs`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { printLoadWarning } from './benchmark.ts'
import { cpuUsage, openEnvironment } from './environment.ts'
import { median } from './table.ts'
import { generateBody, seedUsers, USERS } from './users.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '3' } },
})
const [seconds, runs] = [Number(values.seconds), Number(values.runs)]
/** More than sixteen workers take in warm-up and measurement. */
const VIDEOS = 60_000
/** Steps of each worker before the measurement: its code is compiled then. */
const WARM_UP_STEPS = 600
const WORKERS = [1, 2, 4, 8, 16]
/** Sixteen workers share the hundred connections that PostgreSQL takes. */
const CONNECTIONS = '4'
const RATIO_TARGET = 0.8
/** Of the steps a second of one worker. Two runs of the same number differ by as much as the tenth that is left. */
const STEPS_TARGET = 0.9

type Result = { perSecond: number; ratio: number; databaseUs: number }

const usage = await cpuUsage()
const environment = await openEnvironment()
const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
try {
  await seedUsers(sql)
  const results = new Map<number, Result[]>(WORKERS.map((workers) => [workers, []]))
  for (let run = 0; run < runs; run += 1) {
    for (const workers of WORKERS) results.get(workers)?.push(await measure(workers))
  }
  printLoadWarning(usage)
  console.log('workers  steps/s (runs)                 of one worker  claimed ÷ read  PostgreSQL per step')
  const one = median(results.get(1)?.map(({ perSecond }) => perSecond) ?? [])
  let isMet = true
  for (const [workers, found] of results) {
    const perSecond = median(found.map((each) => each.perSecond))
    const ratio = median(found.map((each) => each.ratio))
    isMet &&= ratio >= RATIO_TARGET && perSecond >= one * STEPS_TARGET
    const all = found.map((each) => Math.round(each.perSecond)).join(' ')
    console.log(
      [
        `${workers}`.padEnd(7),
        `${Math.round(perSecond)} (${all})`.padEnd(29),
        (perSecond / one).toFixed(2).padEnd(13),
        ratio.toFixed(2).padEnd(14),
        `${Math.round(median(found.map((each) => each.databaseUs)))} µs`,
      ].join('  '),
    )
  }
  console.log(
    `\nTargets: claimed ÷ read at least ${RATIO_TARGET}, steps at least ${STEPS_TARGET} of one worker's: ${isMet ? 'met' : 'MISSED'}`,
  )
  process.exitCode = isMet ? 0 : 1
} finally {
  await sql.end()
  await environment.close()
}

/** The steps of some seconds, when every worker is warm. */
async function measure(workers: number): Promise<Result> {
  await sql.unsafe('truncate kinora.video')
  await seedVideos()
  const readBefore = await rowsRead()
  const processes = await Promise.all(Array.from({ length: workers }, openWorker))
  for (const { send } of processes) send('start')
  while (processes.some(({ claimed }) => claimed() < WARM_UP_STEPS)) await pause(20)
  const total = () => processes.reduce((sum, { claimed }) => sum + claimed(), 0)
  const [startSteps, startMs, startUs] = [total(), performance.now(), environment.databaseCpuUs()]
  await pause(seconds * 1000)
  const steps = total() - startSteps
  const perSecond = (steps * 1000) / (performance.now() - startMs)
  const databaseUs = (environment.databaseCpuUs() - startUs) / steps
  await Promise.all(processes.map(({ stop }) => stop()))
  const [left] = await sql`select count(*)::integer as videos from kinora.video where status = 'PENDING'`
  if (!left?.videos) throw new Error('The backlog ended before the measurement: raise VIDEOS.')
  // A session reports its statistics at its end.
  return { perSecond, ratio: total() / ((await rowsRead()) - readBefore), databaseUs }
}

/** Due videos of all users, a microsecond apart. They have no holds, which a submit does not read. */
async function seedVideos(): Promise<void> {
  await sql`
    insert into kinora.video (user_id, id, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, created_at,
      updated_at, due_at, deadline_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(1 + n % ${USERS}::integer), 12, '0'))::uuid, gen_random_uuid(),
           ${generateBody.prompt}, 'delta-1-5', 4, '16:9', '720p', 16, '{provider-b,provider-a}', 60, now(), now(),
           now() + n * interval '1 microsecond', now() + interval '1 hour'
    from generate_series(1, ${VIDEOS}::integer) n
  `
  await sql.unsafe('vacuum analyze kinora.video')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function openWorker() {
  const child = fork(new URL('claims-process.ts', import.meta.url), {
    env: { ...environment.env, DATABASE_CONNECTIONS: CONNECTIONS },
  })
  let claimed = 0
  child.on('message', (steps: number) => {
    claimed = steps
  })
  await once(child, 'message')
  return {
    claimed: () => claimed,
    send: (message: 'start' | 'stop') => child.send(message),
    stop: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

/** Rows that were fetched by the indexes of due videos, which claims alone use here. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_clear_snapshot()`
  const [row] = await sql`
    select sum(idx_tup_fetch)::integer as rows from pg_stat_user_indexes where indexrelname in ('video_due', 'video_due_bucket')
  `
  return row?.rows ?? 0
}
