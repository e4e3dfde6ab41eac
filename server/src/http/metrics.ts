/** Prometheus metrics: request durations by route, the backlog of videos, payment events. Of several processes their sum. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { backlog } from '../admin/backlog.ts'
import type { App } from '../app.ts'
import { type Channel, primaryChannel } from '../cluster/channel.ts'
import { countProblems } from '../payment/events.ts'
import { reconcileCounts } from '../payment/reconcile.ts'
import { openOperationMetrics } from './operation-metrics.ts'
import { formatSum, type Snapshot } from './process-metrics.ts'

export type Metrics = { contentType: string; read: () => Promise<string> }

export function openMetrics(server: FastifyInstance, app: App): Metrics {
  /** What this process counts and uses. */
  const registry = new Registry()
  const channel = primaryChannel()
  channel?.handle('metrics', () => registry.getMetricsAsJSON())
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'kinora_http_request_duration_seconds',
    help: 'Time from request to response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  /** The parts of the histogram by route, method and status: to look one up by its labels takes longer than to count in it. */
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

  /** What is true of the service as a whole, read from the database: the same at every process. */
  const service = new Registry()
  const inProgress = new Gauge({
    name: 'kinora_videos_in_progress',
    help: 'Videos that are not final, by status',
    labelNames: ['status'],
    registers: [service],
  })
  const overdue = new Gauge({
    name: 'kinora_videos_overdue',
    help: 'Videos that have been due for more than a minute: no worker takes them up',
    registers: [service],
  })
  const paymentEvents = new Gauge({
    name: 'kinora_payment_events',
    help: 'Payment events that need attention, by problem',
    labelNames: ['processor', 'problem'],
    registers: [service],
  })
  const differences = new Gauge({
    name: 'kinora_reconcile_differences',
    help: 'Payments, refunds and disputes that no webhook brought and reconciliation found, since the beginning',
    labelNames: ['processor', 'kind'],
    registers: [service],
  })
  const reconciledAt = new Gauge({
    name: 'kinora_reconcile_last_success_timestamp_seconds',
    help: 'When reconciliation last compared all payments of a processor; 0: never',
    labelNames: ['processor'],
    registers: [service],
  })
  const reconcileFailing = new Gauge({
    name: 'kinora_reconcile_failing',
    help: '1 when the last reconciliation of a processor failed',
    labelNames: ['processor'],
    registers: [service],
  })
  const readReconciliation = async () => {
    const { found, runs } = await reconcileCounts(app)
    for (const row of found) differences.labels(row.processor, row.kind).set(row.found)
    for (const { processor, lastSuccessAt, lastError } of runs) {
      reconciledAt.labels(processor).set((lastSuccessAt?.getTime() ?? 0) / 1000)
      reconcileFailing.labels(processor).set(lastError === null ? 0 : 1)
    }
  }
  const readOperationMetrics = openOperationMetrics(service, app)
  const read = async () => {
    await Promise.all([readReconciliation(), readOperationMetrics()])
    paymentEvents.reset()
    for (const { processor, problem, events } of await countProblems(app)) {
      paymentEvents.labels(processor, problem).set(events)
    }
    const rows = await backlog(app)
    for (const status of ['PENDING', 'GENERATING', 'UPLOADING']) {
      inProgress.labels(status).set(rows.find((row) => row.status === status)?.inProgress ?? 0)
    }
    overdue.set(rows.reduce((sum, row) => sum + row.overdue, 0))
    const own = channel ? await readAllProcesses(channel) : await registry.metrics()
    return `${own}\n${await service.metrics()}`
  }
  return { contentType: registry.contentType, read }
}

async function readAllProcesses(channel: Channel): Promise<string> {
  return formatSum((await channel.ask('metrics', null)) as Snapshot[])
}
