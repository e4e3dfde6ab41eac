/**
 * The simulator, from settings to a listening server, and its shutdown. A shutdown drains nothing: everything that
 * matters is on disk already, and the next start carries on from there.
 */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { filmRoutes, openFilms } from './films.ts'
import { type Html, html, sendPage } from './html.ts'
import { openPayments } from './payment/payments.ts'
import { providerA } from './provider-a.ts'
import { providerB } from './provider-b.ts'
import { providerRoutes } from './providers.ts'
import { openRenderer } from './renderer.ts'
import { sentinelMeanings } from './sentinels.ts'
import { readSettings } from './settings.ts'
import { openTaskRunner } from './task-runner.ts'
import { openTasks, progressOf, type Task, type Tasks } from './tasks.ts'

const BODY_BYTES_MAX = 1024 * 1024

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const { pace, apiKeys, host, webhookKey } = settings
  const log = (line: string): boolean => process.stdout.write(`${line}\n`)
  const stopping = new AbortController()
  const closing = stopping.signal
  const tasks = openTasks(settings.dataDir)
  const renderer = openRenderer(settings.framesPerSecond)
  const films = openFilms(settings.dataDir, renderer)
  let baseUrl = settings.publicUrl ?? ''
  const filmUrl = (task: Task): string => `${baseUrl}/films/${task.taskId}.mp4`
  const formats = { 'provider-a': providerA, 'provider-b': providerB }
  const runner = openTaskRunner({
    tasks,
    films,
    callbackMessage: (task, kind) => {
      const { callback, signature, callbackTimeoutMs: timeoutMs } = formats[task.provider]
      const body = callback(task, kind, filmUrl(task))
      const headers = (webhookKey && signature?.(task.taskId, webhookKey)) || {}
      return { body: typeof body === 'string' ? body : JSON.stringify(body), headers, timeoutMs }
    },
    pace,
    log,
    closing,
  })

  const app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true })
  app.get('/', async (_request, reply) => sendPage(reply, 'Simulator', 'Kinora', startView()))
  app.get('/simulator/tasks', async () => [...tasks.tasks.all.values()].map((task) => describe(task, tasks)))
  filmRoutes(app, films, tasks)
  for (const format of Object.values(formats)) {
    const routes = providerRoutes({ tasks, runner, filmUrl, pace, log }, format, apiKeys[format.provider])
    await app.register(routes, { prefix: `/${format.provider}` })
  }
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

function startView(): Html {
  const rows = Object.values(sentinelMeanings).map(
    ([sentinel, meaning]) => html`<dt><code>${sentinel}</code></dt><dd>${meaning}</dd>`,
  )
  return html`<h1>Kinora simulator</h1>
    <p>This program stands in for both AI video providers. It takes the same requests, renders a real film of what it
    was asked for, and calls back, but no model is behind it and nothing is charged. It stands in for both payment
    processors too: with a page to pay on, a portal to cancel and to be refunded, and no money.</p>
    <p>Base URLs: <code>/provider-a</code> and <code>/provider-b</code>, <code>/payment-a</code> and
    <code>/payment-b</code>. What it was asked for so far: <a href="/simulator/tasks"><code>/simulator/tasks</code></a>;
    who bought what: <a href="/simulator/customers"><code>/simulator/customers</code></a>, as JSON
    <a href="/simulator/payments"><code>/simulator/payments</code></a>.</p>
    <h2>Words in a prompt that make it misbehave</h2>
    <dl>${rows}</dl>`
}

start().catch((error: Error & { code?: string }) => {
  const problem =
    error.code === 'EADDRINUSE'
      ? 'its port is taken. Set SIMULATOR_PORT to a free one, or to 0 for any.'
      : error.message
  process.stderr.write(`The simulator cannot start: ${problem}\n`)
  process.exit(1)
})
