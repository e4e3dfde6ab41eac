/**
 * The simulator, from settings to a listening server. A shutdown drains nothing: everything that matters is on disk
 * already, and the next start carries on from there.
 */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { filmRoutes, openFilms } from './films.ts'
import { sendPage } from './html.ts'
import { openEvents } from './payment/events.ts'
import { paymentPages } from './payment/pages.ts'
import { processors } from './payment/processors.ts'
import { openStore } from './payment/store.ts'
import { publish } from './published.ts'
import { sentinelMeanings } from './sentinels.ts'
import { type Context, readSettings } from './settings.ts'
import { openTasks, type Store } from './tasks.ts'

function start(): void {
  const settings = readSettings(process.env)
  const { host, port } = settings
  let baseUrl = settings.publicUrl ?? ''
  const log = (line: string): boolean => process.stdout.write(`${line}\n`)
  const context: Context = { settings, baseUrl: () => baseUrl, log }
  const films = openFilms(settings)
  const tasks = openTasks(context, films)
  const store = openStore(settings.dataDir)
  const payments = { ...context, store, events: openEvents(store, context) }

  const app = new Hono()
  app.get('/', (c) => sendPage(c, settings, startView()))
  app.get('/simulator/tasks', (c) => c.json(tasks.list()))
  app.put('/simulator/models/:provider', async (c) => {
    publish(c.req.param('provider'), await c.req.json())
    return c.body(null, 204)
  })
  app.route('/films', filmRoutes(films, tasks.promptOf))
  app.route('/', providerRoutes(tasks))
  app.route('/', paymentPages(payments))
  for (const { name, routes, isAtRoot } of processors) {
    // A wrong setting of it ends the start.
    settings.payment(name)
    app.route(`/${name}`, routes(payments))
    if (isAtRoot) app.route('/', routes(payments))
  }

  const server = serve({ fetch: app.fetch, port, hostname: host }, ({ port }: AddressInfo) => {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    baseUrl ||= address
    log(JSON.stringify({ listening: address }))
    tasks.resume()
    payments.events.resume()
  })
  server.once('error', fail)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))
}

/** `/<provider>/…`, in the dialect of its vendor. */
function providerRoutes(tasks: Store): Hono {
  const loaded = new Map<string, Hono>()
  return new Hono().all('/:provider/*', async (c, next) => {
    const name = c.req.param('provider')
    const routes = loaded.get(name) ?? (await tasks.route(name))
    if (!routes) return next()
    loaded.set(name, routes)
    const url = new URL(c.req.url)
    url.pathname = url.pathname.slice(name.length + 1)
    return routes.fetch(new Request(url, c.req.raw), c.env)
  })
}

function startView() {
  const rows = Object.values(sentinelMeanings).map(
    ([sentinel, meaning]) => html`<dt><code>${sentinel}</code></dt><dd>${meaning}</dd>`,
  )
  const links = ['/simulator/tasks', '/simulator/customers', '/simulator/payments'].map(
    (path) => html`<a href="${path}"><code>${path}</code></a> `,
  )
  return html`<h1>Kinora simulator</h1>
    <p>This program stands in for AI video providers, without a model, at <code>/provider-a</code>, <code>/provider-b</code>
    and the names of other vendors, and for payment processors, without money, at ${processors.map(({ name }) => html`<code>/${name}</code> `)}.
    What it was asked for so far: ${links}</p>
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
