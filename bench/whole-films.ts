/**
 * What the films of a busy service cost its worker, all of it: submit, polls, the download through the SSRF guard,
 * inspection, signing, storing in a folder, settling. A vendor in this process sends the same film each time.
 */
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../server/src/id.ts'
import { type Bench, cpuUsOf, startWorker, treeUsOf } from './environment.ts'
import { makeFilm } from './film.ts'
import { type Line, median } from './table.ts'
import { createVideos } from './users.ts'

const OWNERS = 5
const FILMS_EACH = 20
const FILMS = OWNERS * FILMS_EACH

export async function wholeFilms({ environment, sql, runs }: Bench): Promise<Line[]> {
  const film = await makeFilm()
  const vendor = await openVendor(film)
  const costs: { worker: number; children: number; database: number }[] = []
  const address = { PROVIDER_A_URL: vendor.url, FETCH_ALLOW: new URL(vendor.url).host }
  for (let i = 0; i < runs; i += 1) {
    const worker = await startWorker(environment, address)
    const before = { database: environment.databaseCpuUs(), worker: cpuUsOf(worker.pid), tree: treeUsOf(worker.pid) }
    await createVideos(sql, FILMS, () => newId(new Date()), OWNERS, ['provider-a'])
    await finished(sql)
    const workerUs = cpuUsOf(worker.pid) - before.worker
    costs.push({
      worker: workerUs / FILMS,
      children: (treeUsOf(worker.pid) - before.tree - workerUs) / FILMS,
      database: (environment.databaseCpuUs() - before.database) / FILMS,
    })
    await worker.stop()
  }
  vendor.close()
  const us = (who: keyof (typeof costs)[number]) => median(costs.map((each) => each[who]))
  return [
    {
      what: 'a film by the worker and its children, from submit to settled',
      unit: 'ms',
      runs: costs.map(({ worker, children }) => (worker + children) / 1000),
      figures: { wholeFilmWorkerUs: us('worker'), wholeFilmChildrenUs: us('children') },
      note:
        `${OWNERS} users with ${FILMS_EACH} films of ${(film.length / 1e6).toFixed(1)} MB each. Of a film the worker took ` +
        `${(us('worker') / 1000).toFixed(1)} ms, its children ${(us('children') / 1000).toFixed(1)} ms, PostgreSQL ${(us('database') / 1000).toFixed(1)} ms.`,
    },
  ]
}

async function finished(sql: Bench['sql']): Promise<void> {
  for (;;) {
    const [{ open, failed } = { open: 1, failed: 0 }] = await sql<{ open: number; failed: number }[]>`
      select count(*) filter (where due_at is not null)::int open, count(*) filter (where status = 'FAILED')::int failed
      from kinora.video
    `
    if (failed > 0) throw new Error(`${failed} films failed`)
    if (open === 0) return
    await sleep(200)
  }
}

/** Speaks provider-a's format: a task is done when it is asked for. */
async function openVendor(film: Uint8Array): Promise<{ url: string; close: () => void }> {
  let tasks = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      tasks += 1
      const [, task] = /^\/v1\/tasks\/(.+)$/.exec(request.url ?? '') ?? []
      if (request.url === '/film.mp4') response.setHeader('content-type', 'video/mp4').end(film)
      else if (task) send(response, { id: task, status: 'completed', progress: 100, results: [`${url}/film.mp4`] })
      else send(response, { id: `task-${tasks}`, status: 'pending', progress: 0 })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return { url, close: () => server.close() }
}

const send = (response: ServerResponse, body: object): void => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}
