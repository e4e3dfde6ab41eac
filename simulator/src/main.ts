/**
 * The simulator, from settings to a listening server, and its end. On the way out nothing is finished or saved:
 * everything that matters is on disk already, and the next start carries on from there.
 */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { openCallbackSender } from './callback.ts'
import { filmRoutes, openFilmShelf } from './films.ts'
import { openLife, progressOf } from './life.ts'
import { page } from './page.ts'
import { openProcessors } from './payment/processors.ts'
import { providerACallback, providerARoutes } from './provider-a.ts'
import { providerBCallback, providerBRoutes } from './provider-b.ts'
import { openRenderer } from './renderer.ts'
import { readSettings } from './settings.ts'
import { openTaskStore, type Task, type TaskStore } from './task.ts'

const BODY_BYTES_MAX = 1024 * 1024

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const log = (line: string): boolean => process.stdout.write(`${line}\n`)
  const closing = new AbortController()
  const store = openTaskStore(settings.dataDir)
  const renderer = openRenderer(settings.framesPerSecond)
  const films = openFilmShelf(settings.dataDir, renderer)
  let baseUrl = settings.publicUrl ?? ''
  const filmUrl = (task: Task): string => `${baseUrl}/films/${task.taskId}.mp4`
  const send = openCallbackSender(
    (task, kind) =>
      task.provider === 'provider-a'
        ? providerACallback(task, kind, filmUrl(task))
        : providerBCallback(task, kind, filmUrl(task), settings.webhookKey),
    closing.signal,
  )
  const life = openLife({ store, films, send, pace: settings.pace, log, closing: closing.signal })
  const desk = { store, life, pace: settings.pace, log }

  const app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true })
  app.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page()))
  app.get('/simulator/tasks', async () => [...store.tasks.values()].map((task) => describe(task, store)))
  filmRoutes(app, films, store)
  await app.register(providerARoutes(desk, settings.apiKeys['provider-a'], filmUrl), { prefix: '/provider-a' })
  await app.register(providerBRoutes(desk, settings.apiKeys['provider-b'], filmUrl), { prefix: '/provider-b' })
  const resumePayments = await openProcessors(app, { settings, baseUrl: () => baseUrl, log, closing: closing.signal })

  await app.listen({ port: settings.port, host: settings.host })
  const address = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${portOf(app.server.address())}`
  baseUrl ||= address
  log(JSON.stringify({ listening: address }))
  for (const task of store.tasks.values()) life.begin(task)
  resumePayments()

  const stop = (): void => {
    closing.abort()
    renderer.close()
    app.close().finally(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0
}

/** A task as `/simulator/tasks` shows it: the callback's query is left out, it carries a signature. */
function describe(task: Task, store: TaskStore) {
  const { callbackUrl, order, outbox, ...rest } = task
  return {
    ...rest,
    ...order,
    progress: progressOf(task, Date.now()),
    submits: store.videoOf(task.video).submits,
    callbackUrl: callbackUrl?.split('?')[0] ?? null,
    callbacksLeft: outbox.filter((callback) => !callback.done).length,
  }
}

start().catch((error: Error & { code?: string }) => {
  const inUse = error.code === 'EADDRINUSE'
  process.stderr.write(
    inUse
      ? 'The simulator cannot start: its port is taken. Set SIMULATOR_PORT to a free one, or to 0 for any.\n'
      : `The simulator cannot start: ${error.message}\n`,
  )
  process.exit(1)
})
