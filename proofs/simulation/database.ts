/**
 * The database of the simulated processes: one connection of a real PostgreSQL with the real schema and functions.
 * Statements run one at a time, and all of a run lie in one transaction that is rolled back: every run finds the
 * database empty, and none leaves anything. Each statement has a savepoint, so that one that fails undoes itself alone.
 *
 * Between a process and this connection lies a simulated one: statements take time, and connections are lost before a
 * statement or after its commit.
 */
import { packageUrl } from '../../server/src/config/package-dir.ts'
import { openDb, type Sql } from '../../server/src/db/db.ts'
import { readSource } from '../../server/src/db/schema.ts'
import type { FaultInjector } from './fault-injector.ts'
import { sqlFaultOf } from './faults.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { describe, describeResult } from './statement.ts'

/** What was rolled back stays as dead rows, over which every statement reads. */
const RUNS_PER_VACUUM = 40

type Pending = Parameters<Sql['unsafe']>[0] extends never ? never : ReturnType<Sql['unsafe']>

/** What the simulated catalogue sells by the length of the film: 5.5 credits a second, of which a film has four. */
export const BY_LENGTH = { model: 'alpha-2', secondRate: 5.5, credits: 22 } as const

/** `status`: of a video, or `webhook` for an endpoint. */
type Due = { status: string; dueAt: Date }

export type Database = {
  /** A statement of the simulation itself: no delay, no fault. */
  sql: Sql
  /** The videos and webhook endpoints that have something due, as of the last statement. */
  due: () => Promise<Due[]>
  /** @param hasWebhooks otherwise no endpoint is read */
  begin: (scheduler: Scheduler, hasWebhooks: boolean) => Promise<void>
  rollback: () => Promise<void>
  /** The `sql` tag of a process. */
  of: (connection: Connection) => Sql
  statements: () => number
  backendPid: () => Promise<number>
  close: () => Promise<void>
}

/** Makes time and random numbers of the SQL functions those of the run. Plants the fault, if one is named. */
export async function prepareDatabase(url: string, fault?: string): Promise<void> {
  const sql = openDb(url, { connections: 1, name: 'kinora simulation' })
  const planted = sqlFaultOf(fault)
  await sql.unsafe(`
    create or replace function kinora.simulated_now() returns timestamptz
    language sql stable
    return current_setting('kinora.clock')::timestamptz;
    alter table kinora.provider_task alter column created_at set default kinora.simulated_now();
  `)
  for (const { name, text } of (await readSource(packageUrl)).functions) {
    const simulated = sellByLength(planted?.file === name ? planted.plant(text) : text)
      .replaceAll(/\b(clock_timestamp|statement_timestamp|now)\(\)/g, 'kinora.simulated_now()')
      .replaceAll('uuid_send(gen_random_uuid())', "decode(md5(random()::text), 'hex')")
      // A limit takes, of rows that are due at the same moment, those that it finds first, which depends on where the
      // table's pages have room. A trace that repeats needs one sequence, so the id decides.
      .replaceAll('order by v.due_at\n', 'order by v.due_at, v.id\n')
    if (simulated !== text || planted) await sql.unsafe(simulated)
  }
  await sql.end()
}

/** In the function that inserts videos, so that it does not rest on which model leaves the duration to its vendor. */
const sellByLength = (text: string): string =>
  text.replace(
    'credits, second_rate, providers, usual_s, is_replayable, p_now',
    `credits, case model when '${BY_LENGTH.model}' then ${BY_LENGTH.secondRate} end, providers, usual_s, is_replayable, p_now`,
  )

export function openDatabase(url: string): Database {
  const real = openDb(url, { connections: 1, name: 'kinora simulation', lasting: true })
  let scheduler: Scheduler | null = null
  let isAborted = false
  let runs = 0
  let due: Due[] | null = null
  let hasWebhooks = false
  let statements = 0

  const readDue = () => real.unsafe<Due[]>(hasWebhooks ? DUE_VIDEOS + DUE_ENDPOINTS : DUE_VIDEOS, [], { prepare: true })

  /** Runs a statement in a savepoint of its own, at the time of the run. */
  const execute = async <T>(query: PromiseLike<T>, changesVideos = false): Promise<T> => {
    const time = new Date(scheduler?.nowMs() ?? 0).toISOString()
    statements++
    const [, result, dueAfter] = await Promise.allSettled([
      real
        .unsafe(`${isAborted ? 'rollback to s;' : 'release s; savepoint s;'} set local kinora.clock = '${time}'`)
        .simple(),
      query,
      // Sent along: by itself it would be a third of all round trips.
      changesVideos ? readDue() : null,
    ])
    isAborted = result.status === 'rejected'
    if (result.status === 'rejected') throw result.reason
    if (changesVideos) due = dueAfter.status === 'fulfilled' ? dueAfter.value : null
    return result.value
  }

  const direct = tagOf(real, (statement) => execute(toReal(real, statement)))
  direct.unsafe = ((...args: Parameters<Sql['unsafe']>) => execute(real.unsafe(...args))) as unknown as Sql['unsafe']

  return {
    sql: direct,
    due: async () => {
      due ??= await execute(readDue())
      return due
    },
    begin: async (next, withWebhooks) => {
      scheduler = next
      hasWebhooks = withWebhooks
      await real.unsafe('begin; savepoint s;')
      isAborted = false
      due = null
      await real.unsafe(`select setseed(${next.random.next()})`)
    },
    rollback: async () => {
      await real.unsafe('rollback')
      if (++runs % RUNS_PER_VACUUM === 0) await real.unsafe('vacuum (index_cleanup on)')
    },
    of: (connection) => openConnection(real, execute, connection, hasWebhooks ? CHANGE_WITH_WEBHOOKS : VIDEO_CHANGE),
    statements: () => statements,
    backendPid: async () => (await real<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid,
    close: () => real.end({ timeout: 1 }),
  }
}

type Connection = {
  process: Process
  scheduler: Scheduler
  injector: FaultInjector
  isReachable: () => boolean
  /** Sweeps find nothing and cost no statement. */
  areSweepsEmpty: boolean
}

/** A statement, sent when it is awaited, or a part of another one. */
class Statement {
  readonly parts: TemplateStringsArray
  readonly args: unknown[]
  readonly #send: (statement: Statement) => Promise<unknown>
  #result: Promise<unknown> | undefined
  constructor(parts: TemplateStringsArray, args: unknown[], send: (statement: Statement) => Promise<unknown>) {
    this.parts = parts
    this.args = args
    this.#send = send
  }
  get text(): string {
    return this.parts.reduce((text, part, i) => {
      const arg = this.args[i - 1]
      return `${text}${arg instanceof Statement ? arg.text : '?'}${part}`
    })
  }
  /** The parameters, those of the statements within it as well. */
  get parameters(): unknown[] {
    return this.args.flatMap((arg) => (arg instanceof Statement ? arg.parameters : [arg]))
  }
  /** Is sent when it is awaited, like a query of the driver. */
  then = (...handlers: Parameters<Promise<unknown>['then']>) => this.#run().then(...handlers)
  catch = (handler: (error: unknown) => unknown) => this.#run().catch(handler)
  finally = (handler: () => void) => this.#run().finally(handler)
  #run(): Promise<unknown> {
    this.#result ??= this.#send(this)
    return this.#result
  }
}

function openConnection(
  real: Sql,
  execute: <T>(query: PromiseLike<T>, changesVideos: boolean) => Promise<T>,
  { process, scheduler, injector, isReachable, areSweepsEmpty }: Connection,
  change: RegExp,
): Sql {
  const { random } = scheduler

  /** The answer to a statement that needs no database. */
  const answerOf = async (text: string, args: unknown[]): Promise<unknown[] | null> => {
    if (DUE_READ.test(text)) {
      const [statuses, now] = [args[0] as string[], args.at(-1) as Date]
      const dueMs = await scheduler.nextDueMs(statuses)
      return dueMs === null || dueMs > now.getTime() ? [] : null
    }
    if (DUE_POLL.test(text)) {
      const dueMs = await scheduler.nextDueMs()
      return dueMs === null || dueMs > (args[0] as Date).getTime() ? [{ value: [] }] : null
    }
    if (WEBHOOK_CLAIM.test(text)) {
      const dueMs = await scheduler.nextDueMs(['webhook'])
      return dueMs === null || dueMs > (args.at(-1) as Date).getTime() ? [] : null
    }
    if (RETRY_CLAIM.test(text)) {
      const dueMs = await scheduler.nextDueMs(['payment'])
      return dueMs === null || dueMs > (args[0] as Date).getTime() ? [] : null
    }
    if (CLOCK_READ.test(text)) return [{ databaseMs: scheduler.nowMs(), limitMs: 120_000 }]
    return areSweepsEmpty && SWEEP.test(text) ? Object.assign([], { count: 0 }) : null
  }

  const send = (statement: Statement): Promise<unknown> => {
    const { text } = statement
    const label = describe(text, statement.parameters)
    return new Promise((resolve, reject) => {
      const delayMs = () => (injector.injects('slow statement') ? random.between(100, 40_000) : random.between(0.2, 3))
      const answer = (deliver: () => void) => scheduler.after(delayMs(), process, deliver)
      const lose = () => answer(() => reject(connectionLost(random.pick(LOST_CODES))))
      // The statement is on its way: it arrives even when its process dies, unless the connection is lost.
      scheduler.after(delayMs(), null, async () => {
        const isDeadBefore = !process.isAlive && random.chance(0.5)
        if (!isReachable() || isDeadBefore || injector.injects('connection lost before')) {
          scheduler.trace(process.name, `sql ${label}: the connection is lost before it`)
          return lose()
        }
        const isChange = change.test(text) && !READ.test(text) && !DUE_POLL.test(text)
        const isLostAfter = injector.injects('connection lost after')
        try {
          const result =
            (await answerOf(text, statement.parameters)) ?? (await execute(toReal(real, statement), isChange))
          if (CLAIM.test(text) || WEBHOOK_CLAIM.test(text) || RETRY_CLAIM.test(text))
            (result as { id: string }[]).sort((a, b) => (a.id < b.id ? -1 : 1))
          const isEmptyClaim = CLAIM.test(text) && (result as unknown[]).length === 0
          if (isChange && !isEmptyClaim) scheduler.wakePolls()
          scheduler.trace(
            process.name,
            `sql ${label} → ${describeResult(result)}${isLostAfter ? ', the connection is lost after it' : ''}`,
          )
          if (isLostAfter) return lose()
          answer(() => resolve(result))
        } catch (error) {
          scheduler.trace(process.name, `sql ${label} ✗ ${(error as Error).message}`)
          answer(() => reject(error))
        }
      })
    })
  }

  return tagOf(real, send)
}

/** An `sql` tag that sends its statements by `send`. */
function tagOf(real: Sql, send: (statement: Statement) => Promise<unknown>): Sql {
  const sql = (first: unknown, ...args: unknown[]) =>
    Array.isArray(first) && 'raw' in first
      ? new Statement(first as unknown as TemplateStringsArray, args, send)
      : (real as unknown as (...all: unknown[]) => unknown)(first, ...args)
  return sql as unknown as Sql
}

function toReal(real: Sql, { parts, args }: Statement): Pending {
  const tag = real as unknown as (parts: TemplateStringsArray, ...args: unknown[]) => Pending
  return tag(parts, ...args.map((arg) => (arg instanceof Statement ? toReal(real, arg) : arg)))
}

/** clock.ts compares the process's clock with the database's. */
const CLOCK_READ = /clock_limit\(\)/
/** The claim of the worker's provider pool. */
const DUE_READ = /kinora\.video_claim_oldest\(/
/** The statements of the sweep, which find nothing in most runs. */
const SWEEP =
  /check_clock\(|kinora\.(gift_address|gift_network|credential_revocation|credit_account\s+where next|asset|deleted_account|video_files_due)|"session"|"verification"|kinora\.(provider_task|video_log|idempotency_key|webhook_delivery|webhook_endpoint|mail|expiry_notice)\s+(t\s|where ctid|where \(user_id, id\) in)|kinora\.credit_notify_expiry|kinora\.mail_expire|set body = ''|files_removed_at is null/
/** Returns the rows of an update, whose sequence is the plan's. An empty one has made no row due. */
const CLAIM = /kinora\.video_claim_\w+\(/
/** The poll of an idle worker, which changes nothing. */
const DUE_POLL = /kinora\.work_due\(/
/** The claim of payment events. */
const RETRY_CLAIM = /kinora\.payment_claim_retries\(/
/** The claim of endpoints. */
const WEBHOOK_CLAIM = /kinora\.webhook_claim\(/
/** Only these change rows that are due, unless they only read. With webhooks credits make endpoints due, too. */
const VIDEO_CHANGE = /kinora\.(video|payment)/
const CHANGE_WITH_WEBHOOKS = /kinora\.(video|webhook|payment|credit)/
const READ = /^\s*select(?![\s\S]*kinora\.\w+\()/

const DUE_VIDEOS = `
  select status, due_at from kinora.video where due_at is not null
  union all
  select 'payment', retry_at from kinora.payment_event where retry_at is not null
`
const DUE_ENDPOINTS = " union all select 'webhook', due_at from kinora.webhook_endpoint where due_at < 'infinity'"

const LOST_CODES = ['CONNECTION_CLOSED', 'ECONNRESET', '57P01'] as const
const connectionLost = (code: string) => Object.assign(new Error(`the connection was lost (${code})`), { code })
