/**
 * `/healthz` (liveness), `/readyz` (readiness), `/metrics` (Prometheus). Storage that fails does not make a process
 * unready: every other process has the same storage, so that a load balancer would take all of them out, and sign-in,
 * callbacks and payments need none.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import type { App } from '../../app.ts'
import { withTimeout } from '../../async/timer.ts'
import { checkClock } from '../../db/clock.ts'
import { isDatabaseUnavailable, isDiskFull } from '../../db/outage.ts'
import { assertSchema } from '../../db/schema.ts'
import { AppError, OperatorError } from '../../errors.ts'
import { StorageError } from '../../storage/key.ts'
import { ok } from '../request/envelope.ts'
import { userOf } from '../request/request.ts'
import { openMetrics } from './metrics.ts'

const CHECK_TIMEOUT_MS = 3_000
/** The result of a check while the database is away: db/outage.ts logs that once, so that /readyz does not. */
const AWAY = 'away'
/** That of storage without room. */
const FULL = 'full'
/** A storage probe writes a file or sends a request, and /readyz needs no credential. */
const STORAGE_TTL_MS = 5_000

export async function registerHealth(server: FastifyInstance, app: App): Promise<void> {
  server.get('/healthz', { config: { limit: 'none' }, schema: { hide: true } }, async () =>
    ok({ alive: true, version: manifest.version }),
  )

  const checkStorage = cached(app, STORAGE_TTL_MS, () => app.storage.check())
  // A stranger's requests share the queries: 8,000 at a time filled the queue of the pool, so that the probe itself
  // failed (503).
  const checkAll = cached(app, 0, () =>
    Promise.all([
      check(() => assertSchema(app.sql)),
      check(checkStorage),
      check(() => checkClock(app)),
      app.database.checkNodes(),
    ]),
  )
  server.get('/readyz', { config: { limit: 'none' }, schema: { hide: true } }, async () => {
    const [database, stored, clock, nodes] = await checkAll()
    const storage = stored === true ? 'ok' : stored === FULL ? 'full' : 'failed'
    // A database whose disk is full answers reads for as long as it does not restart.
    const isFull = isDiskFull()
    if (stored !== true) app.log.warn({ storage: stored }, 'files cannot be stored')
    // A node that is down fails its own users' requests; the others are served.
    const down = nodes.filter(({ error }) => error !== null)
    if (database !== true || clock !== true) {
      if (database !== AWAY) app.log.warn({ database, clock }, 'not ready')
      throw new AppError('UNAVAILABLE', 'Not ready: see details.', {
        details: {
          database: isFull ? 'full' : database === true ? 'ok' : 'failed',
          storage,
          // There is no clock to compare with when the database is away.
          clock: clock === true ? 'ok' : database === true ? clock : 'unknown',
        },
        retryAfterS: 5,
      })
    }
    if (down.length > 0) app.log.warn({ nodes: down }, 'database nodes are down')
    return ok({
      ready: true,
      storage,
      ...(isFull && { database: 'full' }),
      ...(nodes.length > 0 && { nodesDown: down.map(({ node }) => node) }),
    })
  })

  const metrics = openMetrics(server, app, async () => (await check(checkStorage)) === true)
  if (app.config.metricsPort === null) {
    const options = { config: { access: 'admin', limit: 'none', outage: 'answers' }, schema: { hide: true } } as const
    server.get('/metrics', options, async (request, reply) =>
      reply.type(metrics.contentType).send(await metrics.read(userOf(request).actorId)),
    )
    return
  }
  // The separate port has no authentication: it must not be reachable from outside.
  const metricsServer = Fastify()
  metricsServer.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.read(null)),
  )
  await metricsServer.listen({ port: app.config.metricsPort, host: app.config.host }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new OperatorError(
      `Port ${app.config.metricsPort} of METRICS_PORT is taken by another program. Choose another one: METRICS_PORT=${Number(app.config.metricsPort) + 1}`,
    )
  })
  server.addHook('onClose', () => metricsServer.close())
}

/**
 * Single-flight with a cache (TTL): concurrent callers share one probe, later ones its result, also when it failed.
 * @param ttlMs 0: single-flight alone
 */
function cached<T>({ now }: App, ttlMs: number, probe: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  let settledAtMs: number | null = null
  return () => {
    const isFresh = settledAtMs === null || Math.abs(now().getTime() - settledAtMs) < ttlMs
    if (result && isFresh) return result
    settledAtMs = null
    const settle = () => {
      settledAtMs = now().getTime()
    }
    result = probe()
    result.then(settle, settle)
    return result
  }
}

/** Returns true, or the reason when the probe failed or timed out. */
async function check(probe: () => Promise<unknown>): Promise<true | string> {
  const done = probe().then(
    () => true as const,
    (error: Error & { code?: string }) => {
      if (error instanceof StorageError && error.isFull) return FULL
      return isDatabaseUnavailable(error) ? AWAY : error.message
    },
  )
  return withTimeout(done, CHECK_TIMEOUT_MS, () => 'no response in time')
}
