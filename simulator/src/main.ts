/**
 * The simulator, from settings to a listening server. A shutdown drains nothing: everything that matters is on disk already, and the
 * next start carries on from there.
 */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { filmRoutes, openFilms } from './films.ts'
import { sendPage } from './html.ts'
import { openPayments } from './payment/payments.ts'
import { providerA } from './provider-a.ts'
import { providerB } from './provider-b.ts'
import { providerRoutes } from './providers.ts'
import { sentinelMeanings } from './sentinels.ts'
import { type Context, readSettings } from './settings.ts'
import { openTasks } from './tasks.ts'

function start(): void {
  const settings = readSettings(process.env)
  const { host, port } = settings
  let baseUrl = settings.publicUrl ?? ''
  const log = (line: string): boolean => process.stdout.write(`${line}\n`)
  const context: Context = { settings, baseUrl: () => baseUrl, log }
  const films = openFilms(settings)
  const tasks = openTasks(context, films, { 'provider-a': providerA, 'provider-b': providerB })
  const payments = openPayments(context)

  const app = new Hono()
  app.get('/', (c) => sendPage(c, 'Simulator', startView()))
  app.get('/simulator/tasks', (c) => c.json(tasks.list()))
  app.route('/films', filmRoutes(films, tasks.promptOf))
  app.route('/provider-a', providerRoutes('provider-a', providerA, tasks, settings.apiKeys['provider-a']))
  app.route('/provider-b', providerRoutes('provider-b', providerB, tasks, settings.apiKeys['provider-b']))
  app.route('/', payments.app)

  const server = serve({ fetch: app.fetch, port, hostname: host }, ({ port }: AddressInfo) => {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    baseUrl ||= address
    log(JSON.stringify({ listening: address }))
    for (const task of tasks.all.values()) tasks.run(task)
    payments.resume()
  })
  server.once('error', fail)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))
}

function startView() {
  const rows = Object.values(sentinelMeanings).map(
    ([sentinel, meaning]) => html`<dt><code>${sentinel}</code></dt><dd>${meaning}</dd>`,
  )
  const links = ['/simulator/tasks', '/simulator/customers', '/simulator/payments'].map(
    (path) => html`<a href="${path}"><code>${path}</code></a> `,
  )
  return html`<h1>Kinora simulator</h1>
    <p>This program stands in for both AI video providers, without a model, at <code>/provider-a</code> and
    <code>/provider-b</code>, and for both payment processors, without money, at <code>/payment-a</code> and
    <code>/payment-b</code>. What it was asked for so far: ${links}</p>
    <h2>Words in a prompt that make it misbehave</h2>
    <dl>${rows}</dl>`
}

/** A taken port and a wrong setting are named without a stack. */
function fail(error: Error): void {
  process.stderr.write(`The simulator cannot start: ${error.message}\n`)
  process.exit(1)
}

try {
  start()
} catch (error) {
  fail(error as Error)
}
