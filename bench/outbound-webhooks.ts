/**
 * `npm run bench:outbound-webhooks`: deliveries a second by one worker to a fast endpoint, with the CPU time of each; and the
 * latency of 199 endpoints, from the event to the receiver, beside one that is idle and beside one that hangs with a backlog.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import postgres from 'postgres'
import { openApp } from '../server/src/app.ts'
import { composeWebhook } from '../server/src/compatible/wire-formats.ts'
import { readConfig } from '../server/src/config/config.ts'
import { openLog } from '../server/src/process/log.ts'
import { catalogue, providersOf } from '../server/src/video/catalogue.ts'
import { dispatchWebhooks } from '../server/src/webhook/dispatcher.ts'
import { newSecret, sealSecret } from '../server/src/webhook/secret.ts'
import { runBenchmark } from './benchmark.ts'
import type { BenchEnvironment } from './environment.ts'
import { type Line, median, quantile } from './table.ts'
import { userIdOf } from './users.ts'

const ENDPOINTS = 200
const BACKLOG = 10_000
const EVENTS_PER_SECOND = 100
const PER_SECOND_TARGET = 1500
/** p99 beside an endpoint that hangs, over p99 beside one that does not. */
const P99_RATIO_TARGET = 1.1

type WebhookReceiver = { url: string; takeLatenciesMs: () => Promise<number[]>; close: () => void }

await runBenchmark(10, async (environment, { seconds, runs }) => {
  const receiver = await startReceiver()
  const worker = await startDispatcher(environment, receiver)
  const sql = postgres(environment.databaseUrl, { max: 4, onnotice: () => {} })
  const perSecond: number[] = []
  const cpuUs: number[] = []
  const databaseCpuUs: number[] = []
  const idleP99Ms: number[] = []
  const hangingP99Ms: number[] = []
  try {
    for (let run = 0; run < runs; run += 1) {
      await write(sql, userIdOf(1), BACKLOG)
      const before = { cpu: process.cpuUsage(), databaseUs: environment.databaseCpuUs(), ms: performance.now() }
      await worker.run(async () => until(async () => (await pendingOf(sql, userIdOf(1))) === 0))
      const used = process.cpuUsage(before.cpu)
      perSecond.push(BACKLOG / ((performance.now() - before.ms) / 1000))
      cpuUs.push((used.user + used.system) / BACKLOG)
      databaseCpuUs.push((environment.databaseCpuUs() - before.databaseUs) / BACKLOG)

      idleP99Ms.push(await latency(sql, worker, receiver, seconds))
      await sql`update kinora.webhook_endpoint set url = ${`${receiver.url}/hang`} where user_id = ${userIdOf(ENDPOINTS)}`
      await write(sql, userIdOf(ENDPOINTS), BACKLOG)
      hangingP99Ms.push(await latency(sql, worker, receiver, seconds))
      await sql`delete from kinora.webhook_delivery`
      await sql`
        update kinora.webhook_endpoint
        set url = ${receiver.url}, failing_since = null, failures = 0, paused_until = null, due_at = 'infinity'
      `
    }
  } finally {
    await sql.end()
    await worker.close()
    receiver.close()
  }
  const ratio = median(hangingP99Ms) / median(idleP99Ms)
  const lines: Line[] = [
    { what: 'deliveries to a fast endpoint', unit: '/s', runs: perSecond, target: PER_SECOND_TARGET },
    { what: 'CPU time of the worker per delivery', unit: 'µs', runs: cpuUs },
    { what: 'CPU time of PostgreSQL per delivery', unit: 'µs', runs: databaseCpuUs },
    { what: 'event to receiver, 199 endpoints, p99', unit: 'ms', runs: idleP99Ms },
    {
      what: 'the same beside one that hangs, p99',
      unit: 'ms',
      runs: hangingP99Ms,
      note: `${ratio.toFixed(2)} times the line before; the target is at most ${P99_RATIO_TARGET}.`,
    },
  ]
  return { lines, isMet: median(perSecond) >= PER_SECOND_TARGET && ratio <= P99_RATIO_TARGET }
})

type Dispatcher = { run: (work: () => Promise<void>) => Promise<void>; close: () => Promise<void> }

async function startReceiver(): Promise<WebhookReceiver> {
  const child = fork(new URL('webhook-receiver.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    takeLatenciesMs: async () => {
      child.send('take')
      const [latenciesMs] = (await once(child, 'message')) as [number[]]
      return latenciesMs
    },
    close: () => child.disconnect(),
  }
}

/** The worker's dispatcher in this process, with an endpoint for each user. */
async function startDispatcher({ env, databaseUrl }: BenchEnvironment, receiver: WebhookReceiver): Promise<Dispatcher> {
  const config = readConfig({ ...env, WEBHOOK_ALLOW: new URL(receiver.url).host }, providersOf(catalogue()))
  const app = await openApp({ ...config, databaseUrl }, openLog(config))
  for (let n = 1; n <= ENDPOINTS; n += 1) {
    const id = userIdOf(n)
    const sealed = (endpointId: string | null) => sealSecret(config, { userId: id, endpointId }, newSecret())
    await app.sql`
      select kinora.webhook_create(
        p_user_id => ${id}, p_id => ${id}, p_url => ${receiver.url}, p_description => null, p_events => '{}'::text[],
        p_secret => ${sealed(id)}, p_account_secret => ${sealed(null)}, p_max => 20, p_now => now()
      )
    `
  }
  return {
    run: async (work) => {
      const stopping = new AbortController()
      const dispatched = dispatchWebhooks(
        app,
        async () => true,
        {
          stopping: stopping.signal,
          aborting: AbortSignal.any([stopping.signal]),
        },
        composeWebhook,
      )
      await work()
      stopping.abort()
      await dispatched
    },
    close: app.close,
  }
}

/** Writes events of a user, as `video_apply` does. */
async function write(sql: postgres.Sql, userId: string, count: number): Promise<void> {
  await sql`
    select kinora.webhook_write(
      p_user_ids => array_agg(${userId}::uuid), p_types => array_agg('video.completed'::text),
      p_subject_ids => array_agg(gen_random_uuid()), p_data => array_agg('{"status": "COMPLETED"}'::jsonb), p_now => now()
    )
    from generate_series(1, ${count})
  `
}

async function pendingOf(sql: postgres.Sql, userId: string): Promise<number> {
  const [row] = await sql`
    select count(*)::integer as n from kinora.webhook_delivery where user_id = ${userId} and due_at is not null
  `
  return row?.n ?? 0
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** p99 in ms from the event to its receiver, of events of one user after the other. */
async function latency(
  sql: postgres.Sql,
  worker: Dispatcher,
  receiver: WebhookReceiver,
  seconds: number,
): Promise<number> {
  await receiver.takeLatenciesMs()
  await worker.run(async () => {
    for (let n = 0; n < seconds * EVENTS_PER_SECOND; n += 1) {
      const pause = new Promise((resolve) => setTimeout(resolve, 1000 / EVENTS_PER_SECOND))
      await write(sql, userIdOf(1 + (n % (ENDPOINTS - 1))), 1)
      await pause
    }
    await new Promise((resolve) => setTimeout(resolve, 1500))
  })
  return quantile(await receiver.takeLatenciesMs(), 0.99)
}
