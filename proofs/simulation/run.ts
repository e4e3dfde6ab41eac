/**
 * One run: a seed decides the processes, the users, what they do and every fault. First all of it happens; then the
 * faults end, the processes that are down start again, and the service finishes what it has begun. Then the run is
 * judged (checks.ts).
 */
import { createHash } from 'node:crypto'
import { adjust } from '../../server/src/credit/ledger.ts'
import { newId } from '../../server/src/id.ts'
import { retryEvents } from '../../server/src/payment/events.ts'
import { sweepOrphans } from '../../server/src/video/film-files.ts'
import { dispatchWebhooksOnce } from '../../server/src/webhook/dispatcher.ts'
import { openApi } from './api.ts'
import { findViolations } from './checks.ts'
import { openClients } from './clients.ts'
import type { Database } from './database.ts'
import { drawsOfBytes, useScheduler } from './environment.ts'
import { type FaultInjector, openFaultInjector } from './fault-injector.ts'
import { startService } from './processes.ts'
import { openProcessors } from './processors.ts'
import { generateProjects } from './projects.ts'
import { openProviders } from './providers.ts'
import { openReceivers } from './receivers.ts'
import { currentProcess, openScheduler, type Scheduler, START_MS } from './scheduler.ts'
import { useServices } from './services.ts'
import type { Stored } from './storage.ts'
import { manage, moveCredits, openTeam, type Team } from './teams.ts'

export type Result = {
  seed: number
  violations: string[]
  lines: string[]
  /** SHA-256 of the trace. */
  hash: string
  faults: Map<string, number>
  events: number
  statements: number
  virtualS: number
  videos: number
  payments: number
}

const HOUR_MS = 3_600_000
/** The longest a run may take after its faults: the deadline of 30 minutes, or the hour of collecting, twice. */
const RECOVERY_MS = 4 * HOUR_MS
/** The share of runs whose users have webhooks. */
const WEBHOOK_RUNS = 0.3
/** The share of runs in which a team has films too. */
const TEAM_RUNS = 0.3
/** The share of users who generate a project. */
const PROJECTS = 0.2

export async function simulate(seed: number, database: Database): Promise<Result> {
  const scheduler = openScheduler(seed)
  const { random } = scheduler
  const injector = openFaultInjector(random)
  useScheduler(scheduler, random.pick([2, 10, 40]))
  const statementsBefore = database.statements()
  const hasWebhooks = random.chance(WEBHOOK_RUNS)
  await database.begin(scheduler, hasWebhooks)
  try {
    const world = await openWorld(scheduler, injector, database, hasWebhooks)
    const recovery = await live(scheduler, injector, world, hasWebhooks)
    const violations = await findViolations({
      ...world,
      ...recovery,
      database,
      scheduler,
      receivers: hasWebhooks ? world.receivers : null,
      skewMaxMs: injector.skewMaxMs,
    })
    for (const violation of violations) scheduler.trace('VIOLATION', violation)
    return {
      seed,
      violations,
      lines: scheduler.lines,
      hash: createHash('sha256').update(scheduler.lines.join('\n')).digest('hex').slice(0, 16),
      faults: injector.counts,
      events: scheduler.events(),
      statements: database.statements() - statementsBefore,
      virtualS: Math.round((recovery.finishedMs - START_MS) / 1000),
      videos: world.clients.requests.length,
      payments: world.processors.payments.length,
    }
  } finally {
    await database.rollback()
  }
}

/** Opens the service and all that it talks to, and lets the users begin. */
async function openWorld(scheduler: Scheduler, injector: FaultInjector, database: Database, hasWebhooks: boolean) {
  const { random } = scheduler
  const stored: Stored = new Map()
  const late: { call: ReturnType<typeof openApi> | null } = { call: null }
  const call: ReturnType<typeof openApi> = (...args) => (late.call as ReturnType<typeof openApi>)(...args)
  const providers = openProviders(scheduler, injector, call)
  const receivers = openReceivers(scheduler, injector)
  const clients = openClients(scheduler, call, hasWebhooks ? receivers.webhookUrlOf : null)
  const processors = openProcessors(scheduler, injector, call)
  useServices({
    scheduler,
    injector,
    host: (request) => (request.url.host.startsWith('payment') ? processors : providers).host(request),
  })
  scheduler.nextDueMs = async (statuses) => {
    // An event that waits for its user is tried for days.
    const due = (await database.due()).filter(({ status }) => statuses?.includes(status) ?? status !== 'payment')
    return due.length === 0 ? null : Math.min(...due.map(({ dueAt }) => dueAt.getTime()))
  }
  const service = startService({
    scheduler,
    injector,
    database,
    stored,
    filmAt: providers.filmAt,
    apis: random.int(1, 2),
    workers: random.int(1, 3),
    areSweepsEmpty: random.chance(0.8),
    webhookPost: receivers.post,
    hasWebhooks,
  })
  late.call = openApi(scheduler, injector, service)
  const setUp = service.open('set-up')
  fixIds(setUp.process)
  const setUpApp = { ...setUp.app, sql: database.sql, now: () => new Date(START_MS) }
  const users = await openUsers(database, setUpApp, random.int(1, 3), scheduler)
  const senders = users.map((userId) => ({ userId, actorId: userId, member: null }))
  const team = random.chance(TEAM_RUNS) ? await openOwner(database, setUpApp, users, scheduler) : null
  if (team) users.push(team.id)
  for (const userId of hasWebhooks ? users : []) await receivers.open(setUpApp, userId)
  // Several steps of one user at a time share a call of the database.
  const ofTeam = (team?.members ?? []).map((member) => ({ userId: team?.id ?? '', actorId: member.userId, member }))
  for (const sender of [...senders, ...ofTeam])
    clients.start(sender, random.chance(0.15) ? random.int(4, 8) : random.int(1, 3))
  processors.start(users, random.pick([0, 0, 1, 2, 3]))
  if (team) processors.start(users.slice(0, 1), random.int(0, 2))
  const ofMembers = team
    ? [manage(scheduler, call, database, team), moveCredits(scheduler, { call, ...clients }, team, users[0] ?? '')]
    : []
  const makers = users.filter(() => random.chance(PROJECTS))
  const projects = await generateProjects(
    scheduler,
    call,
    database,
    makers.filter((id) => id !== team?.id),
  )
  return { stored, providers, receivers, clients, processors, service, setUp, users, team, projects, ofMembers }
}

/** Lets all happen with faults for a time, then without, until the service has finished what it has begun. */
async function live(
  scheduler: Scheduler,
  injector: FaultInjector,
  world: Awaited<ReturnType<typeof openWorld>>,
  hasWebhooks: boolean,
): Promise<{ isFinished: boolean; healedMs: number; finishedMs: number }> {
  const { clients, providers, processors, projects, service, setUp, ofMembers } = world
  const { random } = scheduler
  const isIdle = () => [clients, providers, processors, projects, ...ofMembers].every(({ pending }) => pending() === 0)
  const activeMs = random.between(20_000, 240_000)
  await scheduler.runUntil(() => false, START_MS + activeMs)
  injector.clear()
  service.heal()
  const healedMs = scheduler.nowMs()
  scheduler.trace('—', 'the faults end')
  const isDone = async () => isIdle() && (await scheduler.nextDueMs()) === null
  const isFinished = await scheduler.runUntil(isDone, healedMs + RECOVERY_MS)
  const finishedMs = scheduler.nowMs()
  if (!isFinished)
    scheduler.trace(
      '—',
      `pending: ${clients.pending()} of users, ${providers.pending()} of providers, ${processors.pending()} of processors, next due ${await scheduler.nextDueMs()}`,
    )
  if (isFinished) {
    // Files of workers that died are due for removal after an hour.
    service.stop()
    scheduler.after(2 * HOUR_MS, null, () => {})
    await scheduler.runUntil(() => false, scheduler.nowMs() + 2 * HOUR_MS)
    await sweep(scheduler, setUp, hasWebhooks)
  }
  return { isFinished, healedMs, finishedMs }
}

/** id.ts draws random bytes for 256 ids at a time. Ids are made until it draws those of this run. */
function fixIds(process: Parameters<typeof currentProcess.run>[0]): void {
  currentProcess.run(process, () => {
    const before = drawsOfBytes()
    while (drawsOfBytes() === before) newId(new Date(START_MS))
  })
}

async function openUsers(
  database: Database,
  app: Parameters<typeof adjust>[0],
  count: number,
  scheduler: Scheduler,
): Promise<string[]> {
  const users = []
  for (let n = 0; n < count; n++) {
    const userId = await openUser(database, scheduler)
    await grantTo(app, userId, scheduler)
    users.push(userId)
  }
  return users
}

async function openUser({ sql }: Database, { random }: Scheduler): Promise<string> {
  const userId = random.uuid()
  await sql`
    insert into public."user" ("id", "name", "email", "emailVerified", "role")
    values (${userId}, 'Test User', ${`${userId}@example.com`}, false, 'user')
  `
  return userId
}

async function grantTo(app: Parameters<typeof adjust>[0], userId: string, { random }: Scheduler): Promise<void> {
  const credits = random.pick([10, 30, 60, 200])
  await adjust(app, { adminId: userId, userId, credits, expiryDays: 30, remark: null, idempotencyKey: null })
}

/** A team with credits, whose members are new users and the first of these, who has films of the own account too. */
async function openOwner(
  database: Database,
  app: Parameters<typeof adjust>[0],
  [firstId = '']: string[],
  scheduler: Scheduler,
): Promise<Team> {
  const others = []
  for (let n = scheduler.random.int(2, 4); n > 0; n--) others.push(await openUser(database, scheduler))
  const team = await openTeam(database, app, { scheduler, userIds: [...others, firstId] })
  await grantTo(app, team.id, scheduler)
  return team
}

/** What a worker's sweep does some time later: most runs leave it out until here, because it is a query a minute. */
async function sweep(
  scheduler: Scheduler,
  { process, app }: ReturnType<ReturnType<typeof startService>['open']>,
  hasWebhooks: boolean,
): Promise<void> {
  let isSwept = false
  const repeat = async () => {
    while ((await sweepOrphans(app)) > 0);
    while ((await retryEvents(app)) > 0);
    // Sends the webhooks of payments that were granted now.
    while (hasWebhooks && (await dispatchWebhooksOnce(app)) > 0);
    isSwept = true
  }
  process.skewMs = 0
  currentProcess.run(process, () => void repeat())
  await scheduler.runUntil(() => isSwept, scheduler.nowMs() + HOUR_MS)
}
