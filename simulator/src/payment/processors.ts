/** Both payment processors, put together: their APIs, their pages and what they remember. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { openAccounts } from './account.ts'
import { paymentARoutes } from './api-a.ts'
import { paymentBRoutes } from './api-b.ts'
import type { Desk } from './desk.ts'
import { inspectRoutes } from './inspect.ts'
import { openOutbox } from './outbox.ts'
import { paymentPages } from './pages.ts'
import { processors, readProducts } from './product.ts'

const font = new URL('../../font/Inter-Medium.ttf', import.meta.url)

/** @returns what takes up the events that a stopped process left; call it once the program listens */
export async function openProcessors(
  app: FastifyInstance,
  world: { settings: Settings; baseUrl: () => string; log: (line: string) => void; closing: AbortSignal },
): Promise<() => void> {
  const { settings, baseUrl, log, closing } = world
  const accounts = openAccounts(settings.dataDir)
  const { webhooks } = settings.payment
  const outbox = openOutbox({ accounts, webhooks, pace: settings.pace, log, closing })
  const desk: Desk = { accounts, products: readProducts(), outbox, settings: settings.payment, baseUrl }

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.get('/simulator/Inter-Medium.ttf', async (_request, reply) =>
    reply
      .type('font/ttf')
      .header('cache-control', 'max-age=86400')
      .send(await readFile(font)),
  )
  inspectRoutes(app, desk)
  for (const processor of processors) await app.register(paymentPages(desk, processor), { prefix: `/${processor}` })
  await app.register(paymentARoutes(desk), { prefix: '/payment-a' })
  await app.register(paymentBRoutes(desk), { prefix: '/payment-b' })
  // Its official package can be given a host and a port but no path, so its API also stands at the root.
  await app.register(paymentBRoutes(desk))
  return outbox.resume
}
