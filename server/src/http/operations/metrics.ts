/** Prometheus metrics: request durations by route, and what the database says of the service. Of several processes their sum. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from '../../app.ts'
import { withTimeout } from '../../async/timer.ts'
import { type Channel, primaryChannel } from '../../cluster/channel.ts'
import { openBacklogMetrics, openNodeMetrics, openOperationMetrics, openPaymentMetrics } from './operation-metrics.ts'
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

  /** Of the service as a whole, the same at every process; apart, because these are known while the database is not. */
  const known = new Registry()
  const unavailable = new Gauge({
    name: 'kinora_metrics_unavailable',
    help: '1: this part of the metrics could not be read from the database, and is missing',
    labelNames: ['part'],
    registers: [known],
  })
  const parts = [
    openPart('backlog', (part) => openBacklogMetrics(part, app)),
    openPart('payments', (part) => openPaymentMetrics(part, app)),
    openPart('operations', (part) => openOperationMetrics(part, app)),
    openPart('nodes', (part) => openNodeMetrics(part, app)),
  ]
  const readPart = async (part: Part): Promise<string> => {
    try {
      await withTimeout(part.read(), PART_MS, () => {
        throw new Error('no response in time')
      })
      unavailable.labels(part.name).set(0)
      if (part.isFailing) app.log.info({ part: part.name }, 'metrics can be read again')
      part.isFailing = false
      return part.registry.metrics()
    } catch (err) {
      unavailable.labels(part.name).set(1)
      if (!part.isFailing) app.log.warn({ err, part: part.name }, 'metrics cannot be read from the database')
      part.isFailing = true
      return ''
    }
  }
  const read = async () => {
    const own = channel ? await readAllProcesses(channel) : await registry.metrics()
    const read = await Promise.all(parts.map(readPart))
    return [own, ...read.filter((text) => text !== ''), await known.metrics()].join('\n')
  }
  return { contentType: registry.contentType, read }
}

/** Metrics that are read from the database together: when that fails, they are missing and the others are not. */
type Part = { name: string; registry: Registry; read: () => Promise<void>; isFailing: boolean }

/** Below the ten seconds that Prometheus waits by default. */
const PART_MS = 4_000

function openPart(name: string, open: (registry: Registry) => () => Promise<void>): Part {
  const registry = new Registry()
  return { name, registry, read: open(registry), isFailing: false }
}

async function readAllProcesses(channel: Channel): Promise<string> {
  return formatSum((await channel.ask('metrics', null)) as Snapshot[])
}
