// slow
/**
 * `kinora api --processes`: several API processes behind one port, which a primary replaces, counts for and stops
 * together. Real processes, real signals.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { folderOf } from '../support/images.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const running = new Set<ServerProcess>()
after(() => {
  for (const { child } of running) child.kill('SIGKILL')
})

type Cluster = ServerProcess & { url: string }

async function startCluster(processes: number, env: Record<string, string> = {}): Promise<Cluster> {
  const port = await freePort()
  const settings = { PORT: String(port), PUBLIC_URL: kinora.app.config.publicUrl, ...env }
  const primary = await startProcess(kinora, `api --processes ${processes}`, settings)
  running.add(primary)
  void primary.ended.then(() => running.delete(primary))
  return { ...primary, url: `http://127.0.0.1:${settings.PORT}` }
}

/** The living children of a process. */
function childrenOf({ child }: ServerProcess): number[] {
  const listing = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return listing.split('\n').flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/)
    // The primary also starts a child that probes the sandbox of the media decoder.
    const isApi = / api\b/.test(line)
    return Number(parent) === child.pid && isApi && !state?.startsWith('Z') ? [Number(pid)] : []
  })
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const generate = (url: string, as: Person, idempotencyKey: string) =>
  fetch(`${url}/api/v1/video/generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.token}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      connection: 'close',
    },
    body: JSON.stringify(generateBody),
    signal: AbortSignal.timeout(20_000),
  })

test('api --processes 2: start → one line in the log, two children; SIGTERM → all drain, exit 0', async () => {
  const api = await startCluster(2)
  assert.equal(childrenOf(api).length, 2)
  assert.equal((await fetch(`${api.url}/readyz`)).status, 200)
  const children = childrenOf(api)
  assert.equal(await api.stop(), 0, api.lines.join('\n'))
  assert.deepEqual(children.filter(isAlive), [])
  assert.equal(api.lines.filter((line) => line.includes('ready')).length, 1, api.lines.join('\n'))
  assert.equal(api.lines.filter((line) => line.includes('stopping')).length, 1, api.lines.join('\n'))
})

test('api --processes 2: SIGKILL of a child under load → no acknowledged request is lost, the child is replaced', async () => {
  const api = await startCluster(2, { MAX_IN_PROGRESS: '0' })
  const people = await Promise.all(Array.from({ length: 4 }, () => kinora.person({ credits: 100_000 })))
  const acknowledged: string[] = []
  const refused: number[] = []
  let isStopped = false
  let broken = 0
  const load = people.map(async (person) => {
    while (!isStopped) {
      const key = randomUUID()
      // A client repeats a request whose connection broke with the same key, as the API asks it to.
      for (let attempt = 1; ; attempt++) {
        try {
          const response = await generate(api.url, person, key)
          const { data } = (await response.json()) as { data: { uuid: string } }
          if (response.status === 200) acknowledged.push(data.uuid)
          else refused.push(response.status)
          break
        } catch (error) {
          broken += 1
          if (attempt === 5) throw error
        }
      }
    }
  })
  await waitFor('requests before the kill', () => acknowledged.length >= 20)
  const before = childrenOf(api)
  const [victim = 0] = before
  process.kill(victim, 'SIGKILL')
  await api.logged('it is started again')
  await waitFor('another child', () => childrenOf(api).filter((pid) => !before.includes(pid)).length === 1)
  const goal = acknowledged.length + 40
  await waitFor('requests after the kill', () => acknowledged.length >= goal)
  isStopped = true
  await Promise.all(load)
  assert.deepEqual(refused, [])
  assert.ok(broken <= people.length, `${broken} connections broke, at most one a client may`)
  assert.equal(new Set(acknowledged).size, acknowledged.length)
  const rows = await kinora.app.sql`select from kinora.video where id in ${kinora.app.sql(acknowledged)}`
  assert.equal(rows.length, acknowledged.length)
  const [{ count }] = await kinora.app.sql<[{ count: number }]>`
    select count(*) as count from kinora.video where user_id in ${kinora.app.sql(people.map(({ userId }) => userId))}
  `
  assert.equal(count, acknowledged.length, 'a repeated request creates nothing twice')
  assert.equal(await api.stop(), 0, api.lines.join('\n'))
})

/** Requests over connections of their own, which the primary hands to its children round robin. */
const get = (url: string, headers: Record<string, string>) =>
  fetch(url, { headers: { ...headers, connection: 'close' }, signal: AbortSignal.timeout(20_000) })

const sumOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0)

test('api --processes 2: rate limits, metrics and streams → counted over both, also after one was killed', async () => {
  const metricsPort = await freePort()
  const env = { RATE_LIMITS: 'on', MAX_IN_PROGRESS: '0', METRICS_PORT: String(metricsPort) }
  const api = await startCluster(2, env)
  const [ann, bob] = [await kinora.person({ credits: 100_000 }), await kinora.person()]
  const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
  const metrics = async () => (await get(`http://127.0.0.1:${metricsPort}/metrics`, {})).text()
  const generates = (text: string) =>
    sumOf(text, /^kinora_http_request_duration_seconds_count\{.*generate.*status="200".*\} (\d+)$/gm)
  const balances = /^kinora_http_request_duration_seconds_count\{.*balance.*\} (\d+)$/gm

  const statuses: number[] = []
  while (statuses.length < 70) {
    const responses = Array.from({ length: 10 }, () => generate(api.url, ann, randomUUID()))
    for (const response of await Promise.all(responses)) statuses.push(response.status)
  }
  assert.equal(statuses.filter((status) => status === 200).length, 60)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  const first = await metrics()
  assert.equal(generates(first), 60)
  assert.equal(sumOf(first, /^kinora_videos_in_progress\{status="PENDING"\} (\d+)$/gm) >= 60, true)
  const [pending] = await kinora.app.sql<
    [{ count: number }]
  >`select count(*) as count from kinora.video where status = 'PENDING'`
  assert.equal(sumOf(first, /^kinora_videos_in_progress\{status="PENDING"\} (\d+)$/gm), pending.count, 'not summed')

  const streams = await Promise.all(Array.from({ length: 11 }, () => get(`${api.url}/api/v1/video/events`, as(bob))))
  assert.equal(streams.filter(({ status }) => status === 200).length, 10)
  assert.equal(streams.filter(({ status }) => status === 429).length, 1)
  // Which process gets a connection is not for the test to say: it counts the streams that end with the victim.
  const [leaving, ended] = [new AbortController(), new Set<object>()]
  for (const stream of streams.filter(({ status }) => status === 200)) {
    const read = stream.body?.pipeTo(new WritableStream(), { signal: leaving.signal }) ?? assert.fail()
    void read.catch(() => undefined).finally(() => ended.add(stream))
  }

  const [victim = 0] = childrenOf(api)
  process.kill(victim, 'SIGKILL')
  await api.logged('it is started again')
  await waitFor(
    'both processes',
    async () => (await metrics()).includes('process_cpu_seconds_total') && childrenOf(api).length === 2,
  )
  assert.equal((await generate(api.url, ann, randomUUID())).status, 429)
  assert.ok(generates(await metrics()) >= 60, 'a counter does not fall when a process ends')
  assert.equal(sumOf(await metrics(), balances), 0)
  for (let n = 0; n < 8; n++) assert.equal((await get(`${api.url}/api/v1/credit/balance`, as(bob))).status, 200)
  assert.equal(sumOf(await metrics(), balances), 8)
  // The streams of the killed process are free again; those of the other one still count.
  const freed = ended.size
  const more = await Promise.all(Array.from({ length: 10 }, () => get(`${api.url}/api/v1/video/events`, as(bob))))
  assert.equal(more.filter(({ status }) => status === 200).length, freed)
  leaving.abort()
  for (const { body } of more) await body?.cancel().catch(() => undefined)
  assert.equal(await api.stop(), 0, api.lines.join('\n'))
})

test('api --processes 2: change made at one process → in the event streams of both', async () => {
  const api = await startCluster(2)
  const ann = await kinora.person({ credits: 10_000 })
  const headers = { authorization: `Bearer ${ann.token}` }
  // Connections go to the processes round robin, so four streams are at both.
  const streams = await Promise.all(Array.from({ length: 4 }, () => get(`${api.url}/api/v1/video/events`, headers)))
  const response = await generate(api.url, ann, randomUUID())
  const { data } = (await response.json()) as { data: { uuid: string } }
  for (const { body } of streams) {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes(data.uuid)) text += (await reader?.read())?.value ?? assert.fail('the stream ended')
    await reader?.cancel()
  }
  assert.equal(await api.stop(), 0, api.lines.join('\n'))
})

test('api --processes 2: SIGKILL of the primary → its children drain and end', async () => {
  const api = await startCluster(2)
  const children = childrenOf(api)
  api.child.kill('SIGKILL')
  await waitFor('the children to end', () => children.filter(isAlive).length === 0)
})

test('api --processes 2: SIGTERM while a killed child is being replaced → exit 0', async () => {
  const api = await startCluster(2)
  const before = childrenOf(api)
  process.kill(before[0] ?? 0, 'SIGKILL')
  await waitFor('another child', () => childrenOf(api).some((pid) => !before.includes(pid)))
  assert.equal(await api.stop(), 0, api.lines.join('\n'))
  await waitFor('the children to end', () => before.filter(isAlive).length === 0)
})

test('api --processes 2: a second SIGTERM while draining → exit 1 at once, no child is left', async () => {
  const api = await startCluster(2)
  const ann = await kinora.person()
  // An upload that does not end keeps its process draining.
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png', 'content-length': 5_000_000 }
  const upload = http.request(`${api.url}/api/v1/video/image`, { method: 'POST', headers })
  upload.on('error', () => undefined)
  upload.write(Buffer.alloc(1000))
  await waitFor('the temporary file', () => folderOf(kinora, 'tmp').length === 1)
  const children = childrenOf(api)
  api.child.kill('SIGTERM')
  await api.logged('stopping')
  api.child.kill('SIGTERM')
  assert.equal(await api.ended, 1)
  await waitFor('the children to end', () => children.filter(isAlive).length === 0)
})

test('api --processes 2: port taken → one message with the remedy, exit 1', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1')
  t.after(() => blocker.close())
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  await assert.rejects(startCluster(2, { PORT: String(port) }), (error: Error) => {
    assert.match(error.message, /ended with 1/)
    assert.equal(error.message.split(`Port ${port} is taken by another program`).length - 1, 1, error.message)
    return true
  })
})

test('api --processes: a value that is no number of processes → exit 2 with what it may be', async () => {
  for (const value of ['0', 'many', '257']) {
    await assert.rejects(
      startProcess(kinora, `api --processes ${value}`),
      /ended with 2.*--processes must be auto or a whole number from 1 to 256/s,
    )
  }
  await assert.rejects(startProcess(kinora, 'api --processes -1'), /Option '--processes' argument is ambiguous/)
  await assert.rejects(startProcess(kinora, 'api --processes 2 --fast'), /kinora api: Unknown option '--fast'/)
  await assert.rejects(startProcess(kinora, 'api --proceses 2'), /Unknown option '--proceses'.*--processes <value>/)
})

test('api --processes 2: DATABASE_CONNECTIONS not set → the children share the connections, and respond', async () => {
  const cluster = await startCluster(2, { DATABASE_CONNECTIONS: '' })
  assert.equal(childrenOf(cluster).length, 2)
  assert.equal((await fetch(`${cluster.url}/readyz`)).status, 200)
  assert.equal(await cluster.stop(), 0)
})
