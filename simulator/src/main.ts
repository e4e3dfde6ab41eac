/**
 * The simulator, from settings to a listening server, and its shutdown. A shutdown drains nothing: everything that matters
 * is on disk already, and the next start carries on from there.
 */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { filmRoutes, openFilms } from './films.ts'
import { indexPage } from './index-page.ts'
import { openPayments } from './payment/payments.ts'
import { providerACallback, providerARoutes } from './provider-a.ts'
import { providerBCallback, providerBRoutes } from './provider-b.ts'
import { openRenderer } from './renderer.ts'
import { readSettings } from './settings.ts'
import { openTaskRunner } from './task-runner.ts'
import { openTasks, progressOf, type Task, type Tasks } from './tasks.ts'

const BODY_BYTES_MAX = 1024 * 1024

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const { pace, apiKeys, host } = settings
  const log = (line: string): boolean => process.stdout.write(`${line}\n`)
  const stopping = new AbortController()
  const closing = stopping.signal
  const tasks = openTasks(settings.dataDir)
  const renderer = openRenderer(settings.framesPerSecond)
  const films = openFilms(settings.dataDir, renderer)
  let baseUrl = settings.publicUrl ?? ''
  const filmUrl = (task: Task): string => `${baseUrl}/films/${task.taskId}.mp4`
  const runner = openTaskRunner({
    tasks,
    films,
    callbackMessage: (task, kind) =>
      task.provider === 'provider-a'
        ? providerACallback(task, kind, filmUrl(task))
        : providerBCallback(task, kind, filmUrl(task), settings.webhookKey),
    pace,
    log,
    closing,
  })
  const context = { tasks, runner, filmUrl, pace, log }

  const app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true })
  app.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(indexPage()))
  app.get('/simulator/tasks', async () => [...tasks.tasks.all.values()].map((task) => describe(task, tasks)))
  filmRoutes(app, films, tasks)
  await app.register(providerARoutes(context, apiKeys['provider-a']), { prefix: '/provider-a' })
  await app.register(providerBRoutes(context, apiKeys['provider-b']), { prefix: '/provider-b' })
  const resumePayments = await openPayments(app, { settings, baseUrl: () => baseUrl, log, closing })

  await app.listen({ port: settings.port, host })
  const { port } = app.server.address() as AddressInfo
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  baseUrl ||= address
  log(JSON.stringify({ listening: address }))
  for (const task of tasks.tasks.all.values()) runner.run(task)
  resumePayments()

  const stop = (): void => {
    stopping.abort()
    renderer.close()
    app.close().finally(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

/** A task in `/simulator/tasks`, without the query of the callback URL, which carries a signature. */
function describe(task: Task, { videos }: Tasks) {
  const { callbackUrl, request, outbox, createdAt, ...rest } = task
  return {
    ...rest,
    ...request,
    acceptedAt: createdAt,
    progress: progressOf(task),
    submits: videos.all.get(task.video)?.submits ?? 0,
    callbackUrl: callbackUrl?.split('?')[0] ?? null,
    callbacksLeft: outbox.filter((callback) => !callback.done).length,
  }
}

start().catch((error: Error & { code?: string }) => {
  const problem =
    error.code === 'EADDRINUSE'
      ? 'its port is taken. Set SIMULATOR_PORT to a free one, or to 0 for any.'
      : error.message
  process.stderr.write(`The simulator cannot start: ${problem}\n`)
  process.exit(1)
})
