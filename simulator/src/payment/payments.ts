/** Both payment processors: their APIs, their pages and their records. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { paymentARoutes } from './api-a.ts'
import { paymentBRoutes } from './api-b.ts'
import { inspectionRoutes } from './inspection.ts'
import { openOutbox } from './outbox.ts'
import { paymentPages } from './pages.ts'
import { processors } from './products.ts'
import { openStore } from './store.ts'

const font = new URL('../../font/Inter-Medium.ttf', import.meta.url)

/** @returns a function that resumes the deliveries of a stopped process; call it once the simulator listens */
export async function openPayments(
  app: FastifyInstance,
  options: { settings: Settings; baseUrl: () => string; log: (line: string) => void; closing: AbortSignal },
): Promise<() => void> {
  const { settings, baseUrl, log, closing } = options
  const store = openStore(settings.dataDir)
  const outbox = openOutbox({ store, webhooks: settings.payment.webhooks, pace: settings.pace, log, closing })
  const context = { store, outbox, settings: settings.payment, baseUrl }

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.get('/simulator/Inter-Medium.ttf', async (_request, reply) => {
    reply.type('font/ttf').header('cache-control', 'max-age=86400')
    return reply.send(await readFile(font))
  })
  inspectionRoutes(app, context)
  for (const processor of processors) await app.register(paymentPages(context, processor), { prefix: `/${processor}` })
  await app.register(paymentARoutes(context), { prefix: '/payment-a' })
  await app.register(paymentBRoutes(context), { prefix: '/payment-b' })
  // The official package takes a host and a port but no path, so that payment-b's API is also at the root.
  await app.register(paymentBRoutes(context))
  return outbox.resume
}
