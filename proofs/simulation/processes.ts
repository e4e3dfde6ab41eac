/** The processes of the service: an API or a worker, with the product's code. Each may crash and is started again. */

import type { App } from '../../server/src/app.ts'
import { checkRoutes, everyModel } from '../../server/src/catalogue/catalogue.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { onePart } from '../../server/src/db/parts.ts'
import { openSetCalls } from '../../server/src/db/set-calls.ts'
import type { SafePost } from '../../server/src/net/safe-post.ts'
import { accounts } from '../../server/src/provider/accounts.ts'
import { openApi } from '../../server/src/provider/api.ts'
import { type OpenProvider, openProviders, type Providers } from '../../server/src/provider/open.ts'
import type { CallOptions, Provider, Task } from '../../server/src/provider/provider.ts'
import { mapRequest } from '../../server/src/provider/request-mapping.ts'
import { openRateLimiter } from '../../server/src/rate-limit/rate-limiter.ts'
import { at, textAt } from '../../server/src/text/json-reader.ts'
import { startWorker, type Worker } from '../../server/src/worker/worker.ts'
import { vendorAccounts } from '../vendors.ts'
import type { Database } from './database.ts'
import { type FaultInjector, PAUSE_MS_MAX } from './fault-injector.ts'
import { VIDEO_HEADER, webhookKeys } from './providers.ts'
import { currentProcess, type Process, type Scheduler } from './scheduler.ts'
import { type FilmAt, openSimulatedFetch, openSimulatedStorage, type Stored } from './storage.ts'

export const secrets = {
  'payment-a': 'payment a webhook secret, 32 bytes',
  'payment-b': 'whsec_payment_b_webhook_secret_32b',
}

export const config = readConfig(
  {
    DATABASE_URL: 'postgres://simulated',
    DATA_DIR: '/simulated',
    // Keys are random and lie in files; server/test/video/provenance.test.ts kills what signs.
    PROVENANCE: 'off',
    PUBLIC_URL: 'https://kinora.example',
    AUTH_SECRET: 'simulated auth secret of thirty-two bytes',
    AI_CALLBACK_SECRET: 'simulated callback secret of thirty-two bytes',
    PROVIDER_A_URL: 'http://provider-a.example',
    PROVIDER_A_API_KEY: 'key-a',
    PROVIDER_B_URL: 'http://provider-b.example',
    PROVIDER_B_API_KEY: 'key-b',
    ...Object.fromEntries(
      vendorAccounts.flatMap((id) => {
        const name = `PROVIDER_${id.toUpperCase()}`
        return [
          [`${name}_URL`, `http://${id}.example`],
          [`${name}_API_KEY`, `key-${id}`],
        ]
      }),
    ),
    PROVIDER_KLING_WEBHOOK_KEY: webhookKeys.kling,
    PROVIDER_OPENROUTER_WEBHOOK_KEY: webhookKeys.openrouter,
    PAYMENT_A_URL: 'http://payment-a.example',
    PAYMENT_A_API_KEY: 'key-a',
    PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'],
    PAYMENT_B_URL: 'http://payment-b.example',
    PAYMENT_B_API_KEY: 'key-b',
    PAYMENT_B_WEBHOOK_SECRET: secrets['payment-b'],
    RATE_LIMITS: 'off',
    GIFTS_PER_NETWORK: '0',
    RECONCILE_EVERY: 'off',
  },
  accounts(),
)
/** A small pool fills up: claims and steps alternate; a large one collects several films of a user at a time. */
const CONCURRENCY = [4, 4, 40]
/** With a small one, shots that were generated together wait for each other. */
const CAPS = [20, 2]

const shared = openProviders(config.providers)
const opened = new Map<string, OpenProvider>()
// The imports of adapters and of JSONata take real time, for which the scheduler does not wait.
for (const id of shared.ids) {
  const provider = await shared.open(id)
  if (provider) opened.set(id, provider)
  await mapRequest(provider?.adapter.input ?? {}, {})
}
await checkRoutes(everyModel(), config)
/** provider-b can be asked for the task of an unknown submit, yet takes a second one of the same name. */
const api = openApi({ id: '', url: 'http://provider-b.example', apiKey: '', webhookKey: null, timeoutS: 30 }, {})
const findAtProviderB: NonNullable<Provider['find']> = async ({ videoId }, _sentAt, options) => {
  const result = await api.call('GET', `/find/${videoId}`, options)
  const taskIds = result.kind === 'response' ? at(result.body, 'taskIds') : null
  if (!Array.isArray(taskIds)) return null
  const taskId = textAt(taskIds, 0)
  return taskId === null ? { kind: 'none' } : { kind: 'found', handle: { taskId } }
}

export type Service = {
  processes: Process[]
  appOf: (process: Process) => App
  /** A running process of a kind, at random; null: there is none. */
  anyAlive: (kind: Process['kind']) => Process | null
  /** An app for one more process, that runs nothing by itself. */
  open: (name: string) => { process: Process; app: App }
  /** Starts what is down, sets the clocks right and lets paused processes run on. */
  heal: () => void
  /** Ends all processes. */
  stop: () => void
}

type Options = {
  scheduler: Scheduler
  injector: FaultInjector
  database: Database
  stored: Stored
  filmAt: FilmAt
  apis: number
  workers: number
  areSweepsEmpty: boolean
  webhookPost: (process: Process) => SafePost
  hasWebhooks: boolean
}

export function startService(options: Options): Service {
  const { scheduler, injector, hasWebhooks } = options
  const { random } = scheduler
  const processes: Process[] = []
  const runConfig = { ...config, workerConcurrency: random.pick(CONCURRENCY), maxInProgress: random.pick(CAPS) }
  const apps = new WeakMap<Process, App>()
  const workers = new WeakMap<Process, Worker>()

  let { skewMaxMs } = injector
  const create = (name: string, kind: Process['kind']): Process => {
    const skewMs = skewMaxMs === 0 ? 0 : random.between(-skewMaxMs, skewMaxMs)
    const process: Process = { name, kind, isAlive: true, pausedUntilMs: 0, skewMs, files: new Map() }
    apps.set(process, appOf(process, options, runConfig))
    return process
  }
  const start = (name: string, kind: Process['kind']) => {
    const process = create(name, kind)
    processes.push(process)
    scheduler.trace(name, `starts${process.skewMs ? `, its clock ${Math.round(process.skewMs)} ms off` : ''}`)
    if (kind === 'worker') {
      const withoutWebhooks = async () => {}
      currentProcess.run(process, () =>
        workers.set(process, startWorker(apps.get(process) as App, hasWebhooks ? {} : { dispatch: withoutWebhooks })),
      )
    }
  }
  const end = (process: Process, text: string) => {
    scheduler.trace(process.name, text)
    process.isAlive = false
    processes.splice(processes.indexOf(process), 1)
  }
  const startAgain = ({ name, kind }: Process) => {
    const [base, n = '1'] = name.split('#')
    scheduler.after(random.between(100, random.chance(0.2) ? 90_000 : 8_000), null, () => {
      start(`${base}#${Number(n) + 1}`, kind)
    })
  }

  const lives: Lives = { processes, workers, end, startAgain }
  scheduler.beforeEvent = (process) => befall(options, lives, process)
  for (let n = 1; n <= options.apis; n++) start(`api-${n}`, 'api')
  for (let n = 1; n <= options.workers; n++) start(`worker-${n}`, 'worker')

  return {
    processes,
    appOf: (process) => apps.get(process) as App,
    anyAlive: (kind) => {
      const alive = processes.filter((each) => each.kind === kind)
      return alive.length === 0 ? null : random.pick(alive)
    },
    open: (name) => {
      const process = create(name, 'api')
      return { process, app: apps.get(process) as App }
    },
    stop: () => {
      for (const process of processes) process.isAlive = false
    },
    heal: () => {
      // This holds for processes that start from now on, too: a lone worker whose clock is wrong would claim nothing
      // for ever.
      skewMaxMs = 0
      for (const process of processes) {
        process.skewMs = 0
        process.pausedUntilMs = Math.min(process.pausedUntilMs, scheduler.nowMs() + 1000)
      }
    },
  }
}

type Lives = {
  processes: Process[]
  workers: WeakMap<Process, Worker>
  end: (process: Process, text: string) => void
  startAgain: (process: Process) => void
}

/** What may happen to a process before any event: a crash, a pause, a restart. Returns whether the event happens. */
function befall(
  { scheduler, injector }: Options,
  { processes, workers, end, startAgain }: Lives,
  process: Process,
): boolean {
  if (!processes.includes(process)) return true
  if (injector.injects('crash')) {
    end(process, 'crashes')
    startAgain(process)
    return false
  }
  if (injector.injects('pause')) {
    process.pausedUntilMs = scheduler.nowMs() + scheduler.random.between(1_000, PAUSE_MS_MAX)
    scheduler.trace(process.name, `is paused for ${Math.round((process.pausedUntilMs - scheduler.nowMs()) / 1000)} s`)
    return true
  }
  const worker = workers.get(process)
  if (worker && injector.injects('restart')) {
    scheduler.trace(process.name, 'gets SIGTERM')
    workers.delete(process)
    currentProcess.run(process, () =>
      worker.stop().then(() => {
        if (!process.isAlive) return
        end(process, 'ends')
        startAgain(process)
      }),
    )
  }
  return true
}

/** The app of a process: the product's own, on a simulated database, storage, network and clock. */
function appOf(process: Process, options: Options, runConfig: App['config']): App {
  const { scheduler, injector, database, stored, filmAt, areSweepsEmpty, webhookPost } = options
  const fetch = openSimulatedFetch(filmAt, process, scheduler, injector)
  const now = () => new Date(Math.floor(scheduler.nowMs() + process.skewMs))
  const sql = database.of({
    process,
    scheduler,
    injector,
    isReachable: () => true,
    areSweepsEmpty: areSweepsEmpty && process.kind === 'worker',
  })
  const log = logOf(process, scheduler)
  return {
    config: runConfig,
    log,
    sql,
    database: onePart(sql),
    calls: openSetCalls(onePart(sql)),
    fetch,
    userFetch: fetch,
    webhookPost: webhookPost(process),
    storage: openSimulatedStorage(stored, process, scheduler, injector),
    providers: providersOfProcess(),
    rateLimiter: openRateLimiter({ config: runConfig, sql, log, nowMs: () => now().getTime() }),
    moderation: null,
    writer: null,
    tracing: null,
    now,
    wake: () => {},
    crashPoint: () => {},
    close: () => Promise.resolve(),
  }
}

/** The accounts of a process: an adapter may keep the keys that sign callbacks. A submit names its video. */
function providersOfProcess(): Providers {
  const own = new Map<string, OpenProvider>()
  const openOwn = (id: string): OpenProvider | null => {
    const settings = config.providers[id]
    const found = opened.get(id)
    if (!settings || !found) return null
    const { adapter, url } = found
    const {
      submit,
      find = id === 'provider-b' ? findAtProviderB : undefined,
      ...provider
    } = adapter.open({ ...settings, id, url })
    const named = ({ videoId }: Task, options: CallOptions = {}) => ({
      ...options,
      headers: { ...options.headers, [VIDEO_HEADER]: videoId },
    })
    return {
      ...found,
      ...provider,
      submit: (task, options) => submit(task, named(task, options)),
      ...(find ? { find: (task, sentAt, options) => find(task, sentAt, named(task, options)) } : {}),
    }
  }
  return {
    ...shared,
    open: (id) => {
      const provider = own.get(id) ?? openOwn(id)
      if (provider) own.set(id, provider)
      return Promise.resolve(provider)
    },
  }
}

/** The log of a process, in the trace. */
function logOf(process: Process, scheduler: Scheduler): App['log'] {
  const write = (level: string) => (fields: unknown, message?: string) => {
    const { err, ...rest } = typeof fields === 'string' ? {} : (fields as { err?: Error })
    const text = Object.entries(rest).map(([name, value]) => `${name}=${String(value).slice(-40)}`)
    scheduler.trace(
      process.name,
      `${level}: ${message ?? fields}${err ? ` (${err.message})` : ''} ${text.join(' ')}`.trimEnd(),
    )
  }
  const none = () => {}
  const log = {
    level: 'info',
    debug: none,
    trace: none,
    info: none,
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  }
  return Object.assign(log, { child: () => log, silent: none }) as unknown as App['log']
}
