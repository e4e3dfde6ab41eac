/** Prometheus metrics: request durations by route, and the database's figures. Several processes: their sum. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import manifest from '../../../package.json' with { type: 'json' }
import { backlog } from '../../admin/backlog.ts'
import { costsOfLastHour } from '../../admin/costs.ts'
import { freeBytes, readOperations } from '../../admin/operations.ts'
import { differingFilms, providerHealth } from '../../admin/provider-health.ts'
import { comparisonCounts } from '../../admin/taken.ts'
import { unsignedFilms } from '../../admin/unsigned-films.ts'
import type { App } from '../../app.ts'
import { openLastKnown } from '../../async/last-known.ts'
import type { Semaphore } from '../../async/semaphore.ts'
import { withTimeout } from '../../async/timer.ts'
import { agesOf } from '../../catalogue/age.ts'
import { everyModel } from '../../catalogue/catalogue.ts'
import { FINDING_KINDS } from '../../catalogue/findings.ts'
import { catalogueState } from '../../catalogue/reload.ts'
import { type Channel, primaryChannel } from '../../cluster/channel.ts'
import { queues } from '../../media/queues.ts'
import { openNewestBackup } from '../../operator/newest-backup.ts'
import { countProblems } from '../../payment/events.ts'
import { reconcileCounts } from '../../payment/reconcile.ts'
import { findSigner } from '../../provenance/keys.ts'
import { formatSum, type Snapshot } from './process-metrics.ts'

/** `read`: for a reader, who gets what cannot be read now as it was read for the same one before; null: no sign-in. */
export type Metrics = { contentType: string; read: (actorId: string | null) => Promise<string> }

/** @param isStorageUp the result of the probe of /readyz */
export function openMetrics(server: FastifyInstance, app: App, isStorageUp: () => Promise<boolean>): Metrics {
  /** What this process counts and uses. */
  const registry = new Registry()
  const channel = primaryChannel()
  channel?.handle('metrics', () => registry.getMetricsAsJSON())
  // Every 10 ms, as it is by default, the event loop's delay woke an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  countRequests(server, registry)
  countCatalogue(registry)
  countVersion(registry)
  countModeration(registry, app)
  countInspections(registry)

  /** Metrics of the service as a whole, the same at every process, known while the database is not. */
  const known = new Registry()
  const unavailable = new Gauge({
    name: 'kinora_metrics_unavailable',
    help: '1: this part of the metrics could not be read; it is as it was read last, or missing',
    labelNames: ['part'],
    registers: [known],
  })
  const age = new Gauge({
    name: 'kinora_metrics_age_seconds',
    help: 'How long ago this part of the metrics was read',
    labelNames: ['part'],
    registers: [known],
  })
  const parts = [
    openPart('backlog', (part) => openBacklogMetrics(part, app)),
    openPart('catalogue', (part) => openCatalogueMetrics(part, app)),
    openPart('costs', (part) => openCostMetrics(part, app)),
    openPart('payments', (part) => openPaymentMetrics(part, app)),
    openPart('operations', (part) => openOperationMetrics(part, app)),
    openPart('disk', (part) => openDiskMetrics(part, app)),
    openPart('providers', (part) => openProviderMetrics(part, app)),
    openPart('nodes', (part) => openNodeMetrics(part, app)),
    openPart('storage', (part) => openStorageMetrics(part, isStorageUp)),
    openPart('backup', (part) => openBackupMetrics(part, app)),
    openPart('provenance', (part) => openProvenanceMetrics(part, app)),
  ]
  const lastKnown = openLastKnown<string>(app.now)
  const readPart = async (part: Part, actorId: string | null): Promise<string> => {
    const readNow = async () => {
      await withTimeout(part.read(), PART_MS, () => {
        throw new Error('no response in time')
      })
      return part.registry.metrics()
    }
    const known = await lastKnown(`${part.name} ${actorId}`, readNow).catch((error: unknown) => ({
      value: '',
      readAt: null,
      error,
    }))
    const { value, readAt, error } = known
    unavailable.labels(part.name).set(error === null ? 0 : 1)
    if (readAt) age.labels(part.name).set((app.now().getTime() - readAt.getTime()) / 1000)
    if (part.isFailing !== (error !== null)) {
      part.isFailing = !part.isFailing
      if (part.isFailing) app.log.warn({ err: error, part: part.name }, 'metrics cannot be read')
      else app.log.info({ part: part.name }, 'metrics can be read again')
    }
    return value
  }
  const read = async (actorId: string | null) => {
    const own = channel ? await readAllProcesses(channel) : await registry.metrics()
    const read = await Promise.all(parts.map((part) => readPart(part, actorId)))
    return [own, ...read.filter((text) => text !== ''), await known.metrics()].join('\n')
  }
  return { contentType: registry.contentType, read }
}

function countRequests(server: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'kinora_http_request_duration_seconds',
    help: 'Time from request to response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  /** The parts of the histogram by route, method and status: a look-up by labels takes longer than counting. */
  const partsOf = new WeakMap<FastifyContextConfig, Map<string, Histogram.Internal<string>>>()
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { config, url: route = 'none' } = request.routeOptions
    let parts = partsOf.get(config)
    if (!parts) {
      parts = new Map()
      partsOf.set(config, parts)
    }
    const key = `${request.method} ${statusCode}`
    let part = parts.get(key)
    if (!part) {
      part = seconds.labels(request.method, route, String(statusCode))
      parts.set(key, part)
    }
    part.observe(elapsedTime / 1000)
    done()
  })
}

/** Metrics that are read together: when that fails, they are as they were read last, and the others are not. */
type Part = { name: string; registry: Registry; read: () => Promise<void>; isFailing: boolean }

/** Less than the ten seconds that Prometheus waits by default. */
const PART_MS = 4_000

function openPart(name: string, open: (registry: Registry) => () => Promise<void>): Part {
  const registry = new Registry()
  return { name, registry, read: open(registry), isFailing: false }
}

function countVersion(registry: Registry): void {
  const info = new Gauge({
    name: 'kinora_build_info',
    help: 'Processes of a release',
    labelNames: ['version'],
    registers: [registry],
  })
  info.labels(manifest.version).set(1)
}

function countCatalogue(registry: Registry): void {
  new Gauge({
    name: 'kinora_catalogue_problems',
    help: 'Mistakes in the files of models, of which the former ones stay in force',
    registers: [registry],
    collect() {
      this.set(catalogueState().problems.length)
    },
  })
}

function countModeration(registry: Registry, { moderation }: App): void {
  if (!moderation) return
  new Counter({
    name: 'kinora_moderation_requests_total',
    help: 'Generate requests that moderation has allowed, has refused, and about which it gave no verdict (failed)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, requests] of Object.entries(moderation.totals())) this.inc({ outcome }, requests)
    },
  })
  new Counter({
    name: 'kinora_moderation_unseen_total',
    help: 'Inputs of allowed generate requests that moderation could not be shown',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, inputs] of Object.entries(moderation.unseen())) this.inc({ kind }, inputs)
    },
  })
}

function countInspections(registry: Registry): void {
  const gauge = (name: string, help: string, read: (queue: Semaphore) => number, aggregator: 'sum' | 'max') =>
    new Gauge({
      ...{ name, help, labelNames: ['kind'], registers: [registry], aggregator },
      collect() {
        for (const [kind, queue] of Object.entries(queues)) this.set({ kind }, read(queue))
      },
    })
  const waiting = 'Files that wait for an inspection; other films wait in the database, as due videos'
  gauge('kinora_inspections_waiting', waiting, (queue) => queue.waiting().callers, 'sum')
  const oldest = 'For how long the oldest of them has waited'
  gauge('kinora_inspections_oldest_waiting_seconds', oldest, (queue) => queue.waiting().oldestS, 'max')
}

async function readAllProcesses(channel: Channel): Promise<string> {
  return formatSum((await channel.ask('metrics', null)) as Snapshot[])
}

/** Each function returns one that reads the values into the registry. */
function openOperationMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const due = gauge('kinora_videos_due', 'Videos that are due now and claimed by no worker')
  const oldestDue = gauge('kinora_videos_oldest_due_seconds', 'For how long the oldest of them has been due')
  const webhooksFailing = gauge('kinora_webhook_endpoints_failing', 'Endpoints of users to which no delivery succeeds')
  const webhooksOldestDue = gauge(
    'kinora_webhook_oldest_due_seconds',
    'For how long the oldest due webhook has waited for a worker',
  )
  const mailsPending = gauge('kinora_mails_pending', 'Messages that wait to be sent, where SMTP_URL is set')
  const mailsOldest = gauge('kinora_mail_oldest_pending_seconds', 'For how long the oldest of them has waited')
  const deadRows = gauge('kinora_database_dead_rows', 'Rows that vacuum has not removed yet', ['table'])
  const liveRows = gauge('kinora_database_live_rows', 'Rows, as the statistics estimate', ['table'])
  const snapshot = gauge(
    'kinora_database_oldest_snapshot_seconds',
    'Age of the oldest snapshot of a session: vacuum removes nothing that was deleted since',
  )
  const lag = gauge('kinora_database_replication_lag_bytes', 'How far the replay of a standby is behind', ['standby'])
  const differences = gauge('kinora_ledger_differences', 'Differences that the last recorded check of the books found')
  const checkedAt = gauge(
    'kinora_ledger_check_last_success_timestamp_seconds',
    'When the last check of the books that got to its end has ended; 0: never',
  )
  return async () => {
    const found = await readOperations(app)
    due.set(found.due.videos)
    oldestDue.set(found.due.oldestS)
    mailsPending.set(found.mails.pending)
    mailsOldest.set(found.mails.oldestS)
    webhooksFailing.set(found.webhooks.failing)
    webhooksOldestDue.set(found.webhooks.oldestS)
    for (const each of [deadRows, liveRows, lag]) each.reset()
    for (const { name, deadRows: dead, liveRows: live } of found.tables) {
      deadRows.labels(name).set(dead)
      liveRows.labels(name).set(live)
    }
    snapshot.set(found.oldestSnapshotS)
    for (const { name, lagBytes } of found.standbys) lag.labels(name).set(lagBytes)
    differences.set(found.ledger.differences)
    if (found.ledger.checkedAt) checkedAt.set(found.ledger.checkedAt.getTime() / 1000)
  }
}

/** Apart from what the database knows: a full disk may be why that does not answer. */
function openDiskMetrics(registry: Registry, app: App): () => Promise<void> {
  const free = gaugesOf(registry)('kinora_disk_free_bytes', 'Free space where DATA_DIR is')
  return async () => free.set(await freeBytes(app))
}

function openProviderMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const tasks = gauge(
    'kinora_provider_tasks',
    'Films that succeeded, failed or changed provider in the last hour, or in a shorter time that has 5000 log entries',
    ['provider', 'outcome'],
  )
  const failureShare = gauge(
    'kinora_provider_failure_share',
    'Films that failed or changed provider, by all of the same time, 0 to 1',
    ['provider'],
  )
  const routesFailing = gauge('kinora_routes_failing', 'Models whose route at the provider fails and is tried last', [
    'provider',
  ])
  const left = gauge('kinora_provider_balance', 'What is left on the account, as its vendor told last', [
    'provider',
    'unit',
  ])
  const secondsLeft = gauge(
    'kinora_provider_balance_seconds_left',
    'How long that lasts at the rate of the last day; no value while nothing is spent',
    ['provider'],
  )
  const untold = gauge('kinora_provider_balance_untold', '1: the vendor did not tell when it was asked last', [
    'provider',
  ])
  const differing = gauge('kinora_films_differing', 'Films of the last hour that are not as ordered', [
    'provider',
    'model',
  ])
  return async () => {
    const [{ providers }, films] = await Promise.all([providerHealth(app), differingFilms(app)])
    for (const each of [tasks, failureShare, routesFailing, differing, left, secondsLeft, untold]) each.reset()
    for (const { provider, model, films: count } of films) differing.labels(provider, model).set(count)
    for (const { id, balance } of providers) {
      if (!balance) continue
      untold.labels(id).set(balance.problem === null ? 0 : 1)
      if (balance.amount !== null) left.labels(id, balance.unit ?? '').set(balance.amount)
      if (balance.secondsLeft !== null) secondsLeft.labels(id).set(balance.secondsLeft)
    }
    for (const { id, succeeded, failed, refused, failureShare: share, failingModels } of providers) {
      routesFailing.labels(id).set(failingModels.length)
      tasks.labels(id, 'succeeded').set(succeeded)
      tasks.labels(id, 'failed').set(failed)
      tasks.labels(id, 'refused').set(refused)
      if (share !== null) failureShare.labels(id).set(share)
    }
  }
}

function openNodeMetrics(registry: Registry, { database }: App): () => Promise<void> {
  // The metric has no values when the database has no nodes.
  const up = gaugesOf(registry)('kinora_database_node_up', '0: the database node is down', ['node'])
  return async () => {
    for (const { node, error } of await database.checkNodes()) up.labels(node).set(error === null ? 1 : 0)
  }
}

/** Without BACKUP_TO the metric has no value. It keeps its value while backups cannot be listed. */
function openBackupMetrics(registry: Registry, app: App): () => Promise<void> {
  const madeAt = gaugesOf(registry)(
    'kinora_backup_last_timestamp_seconds',
    'When the newest backup at BACKUP_TO was made; 0: none',
    ['to'],
  )
  const newestBackup = openNewestBackup(app)
  return async () => {
    const newest = await newestBackup()
    if (newest?.error === null) madeAt.labels(newest.target).set((newest.madeAt?.getTime() ?? 0) / 1000)
  }
}

/** The certificate: no value with PROVENANCE=off, before one is made, or without the workers' settings and folder. */
function openProvenanceMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const expires = gauge(
    'kinora_provenance_certificate_expires_timestamp_seconds',
    'When the certificate that signs films expires',
    ['signer'],
  )
  const unsigned = gauge(
    'kinora_films_unsigned',
    'Stored films that wait to be signed: for their first attempt (waiting), or after one that failed (failed)',
    ['state'],
  )
  const later = gauge('kinora_films_signed_later', 'Films that were stored unsigned, and were signed in the last hour')
  return async () => {
    const { waiting, failed, signedLater } = await unsignedFilms(app)
    unsigned.labels('waiting').set(waiting - failed)
    unsigned.labels('failed').set(failed)
    later.set(signedLater)
    expires.reset()
    const { provenance } = app.config
    // A certificate that cannot be read: the films that wait for it tell so, and the log.
    const signer = provenance.mode === 'off' ? null : await findSigner(app.config).catch(() => null)
    if (signer) expires.labels(signer.name).set(signer.validTo.getTime() / 1000)
  }
}

function openStorageMetrics(registry: Registry, isStorageUp: () => Promise<boolean>): () => Promise<void> {
  const up = gaugesOf(registry)('kinora_storage_up', '0: this process cannot store files')
  return async () => up.set((await isStorageUp()) ? 1 : 0)
}

function openBacklogMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const inProgress = gauge('kinora_videos_in_progress', 'Videos that are not final, by status', ['status'])
  const overdue = gauge(
    'kinora_videos_overdue',
    'Videos that have been due for more than a minute: no worker takes them up',
  )
  return async () => {
    const rows = await backlog(app)
    for (const status of ['PENDING', 'GENERATING', 'UPLOADING']) {
      inProgress.labels(status).set(rows.find((row) => row.status === status)?.inProgress ?? 0)
    }
    overdue.set(rows.reduce((sum, row) => sum + row.overdue, 0))
  }
}

/** Labels are the models and accounts of films that ended in the last hour: not more than routes. */
function openCostMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = (name: string, help: string) => gaugesOf(registry)(name, help, ['provider', 'model'])
  const cost = gauge('kinora_films_cost_usd', 'Known cost of the films that ended in the last hour')
  const earned = gauge('kinora_films_earned_usd', 'What the credits of these were sold for')
  const unknown = gauge('kinora_films_cost_unknown', 'Those whose cost is unknown')
  const differing = gauge(
    'kinora_films_cost_differing',
    'Those whose cost, as the provider states it, is not the catalogue’s, by more than a tenth',
  )
  return async () => {
    const rows = await costsOfLastHour(app)
    for (const each of [cost, earned, unknown, differing]) each.reset()
    for (const { account, model, costUsd, earnedUsd, unknownCosts, differing: films } of rows) {
      const labels = [account ?? '', model ?? ''] as const
      if (costUsd !== null) cost.labels(...labels).set(costUsd)
      if (earnedUsd !== null) earned.labels(...labels).set(earnedUsd)
      unknown.labels(...labels).set(unknownCosts)
      differing.labels(...labels).set(films)
    }
  }
}

function openCatalogueMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const oldest = gauge(
    'kinora_catalogue_oldest_timestamp_seconds',
    'The day on which the oldest values or cost of a model that is offered were read from the vendor’s page',
  )
  const ending = gauge(
    'kinora_catalogue_routes_ending',
    'Routes whose vendor ends the model within 30 days, or has ended it',
    ['provider'],
  )
  const found = gauge('kinora_catalogue_findings', 'Differences between the lists of vendors and the catalogue', [
    'kind',
  ])
  const failing = gauge('kinora_catalogue_compare_failing', '1 when the last comparison of an account failed', [
    'provider',
  ])
  return async () => {
    const ages = agesOf(everyModel().values(), app.config, app.now())
    oldest.set((ages.oldest === null ? app.now().getTime() : Date.parse(ages.oldest)) / 1000)
    const { findings, failing: failed } = await comparisonCounts(app)
    for (const each of [ending, found, failing]) each.reset()
    for (const id of app.providers.ids) {
      ending.labels(id).set(ages.ending.filter(({ account }) => account === id).length)
      failing.labels(id).set(failed.has(id) ? 1 : 0)
    }
    for (const kind of FINDING_KINDS) found.labels(kind).set(findings.get(kind) ?? 0)
  }
}

function openPaymentMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const paymentEvents = gauge('kinora_payment_events', 'Payment events that need attention, by problem', [
    'processor',
    'problem',
  ])
  const differences = gauge(
    'kinora_reconcile_differences',
    'Payments, refunds and disputes that no webhook brought and reconciliation found, since the beginning',
    ['processor', 'kind'],
  )
  const reconciledAt = gauge(
    'kinora_reconcile_last_success_timestamp_seconds',
    'When reconciliation last compared all payments of a processor; 0: never',
    ['processor'],
  )
  const failing = gauge('kinora_reconcile_failing', '1 when the last reconciliation of a processor failed', [
    'processor',
  ])
  return async () => {
    const [{ found, runs }, problems] = await Promise.all([reconcileCounts(app), countProblems(app)])
    for (const row of found) differences.labels(row.processor, row.kind).set(row.found)
    for (const { processor, lastSuccessAt, lastError } of runs) {
      reconciledAt.labels(processor).set((lastSuccessAt?.getTime() ?? 0) / 1000)
      failing.labels(processor).set(lastError === null ? 0 : 1)
    }
    paymentEvents.reset()
    for (const { processor, problem, events } of problems) paymentEvents.labels(processor, problem).set(events)
  }
}

const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
