/** `/healthz` (liveness), `/readyz` (readiness), `/metrics` (Prometheus). */
import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { withUnreachableDatabase } from '../support/database-outage.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
let seconds = 0
// The result of a storage probe is cached for five seconds, and each test begins without one.
beforeEach(() => {
  seconds += 20
  kinora.turnClock(seconds * 1000)
})

type Body = { success: boolean; data: unknown; error?: { code: string; details: unknown } }
async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: (isJson ? JSON.parse(text) : {}) as Body }
}

test('200: /healthz → also without a database', async () => {
  assert.deepEqual((await get(`${kinora.url}/healthz`)).json, {
    success: true,
    data: { alive: true, version: manifest.version },
  })
  await withUnreachableDatabase(kinora, async (url) => {
    assert.equal((await get(`${url}/healthz`)).status, 200)
  })
})

test('200: /readyz with database, storage and migrations → ready', async () => {
  const { status, json } = await get(`${kinora.url}/readyz`)
  assert.equal(status, 200)
  const nodes = app.config.division ? { nodesDown: [] } : {}
  assert.deepEqual(json, { success: true, data: { ready: true, storage: 'ok', ...nodes } })
})

test('503: /readyz without a database → Retry-After', async () => {
  await withUnreachableDatabase(kinora, async (url) => {
    const { status, json, headers } = await get(`${url}/readyz`)
    assert.equal(status, 503)
    assert.equal(json.error?.code, 'UNAVAILABLE')
    assert.deepEqual(json.error?.details, { database: 'failed', storage: 'ok', clock: 'unknown' })
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  })
})

test('200, 503: /readyz with a schema of another version → ready unless the database is older or accepts newer processes only', async () => {
  const [ours = { version: 0, minimum: 0 }] = await app.sql<{ version: number; minimum: number }[]>`
    select version, minimum from kinora.schema_version
  `
  const readyWith = async (version: number, minimum: number) => {
    await app.sql`update kinora.schema_version set version = ${version}, minimum = ${minimum}`
    const { status, json } = await get(`${kinora.url}/readyz`)
    if (status !== 200) assert.deepEqual(json.error?.details, { database: 'failed', storage: 'ok', clock: 'ok' })
    return status
  }
  const { version } = ours
  assert.equal(await readyWith(version + 5, version), 200, 'newer, and this process is accepted')
  assert.equal(await readyWith(version + 5, version + 1), 503, 'newer, and this process is too old')
  assert.equal(await readyWith(version - 1, 0), 503, 'older')
  assert.equal(await readyWith(version, ours.minimum), 200)
})

test('200, 503: unusable storage → ready and named in /readyz and /metrics, no path in the response; an upload gets 503 with Retry-After', async () => {
  const [ann, root] = [await kinora.person(), await kinora.person({ role: 'admin' })]
  const files = path.join(app.config.dataDir, 'files')
  await rename(files, `${files}-away`)
  await writeFile(files, 'in the way')
  const { status, json, text } = await get(`${kinora.url}/readyz`)
  assert.equal(status, 200)
  assert.equal((json.data as { storage: string }).storage, 'failed')
  assert.ok(!text.includes(app.config.dataDir), 'no path of the server is shown')
  const metrics = await get(`${kinora.url}/metrics`, { authorization: `Bearer ${root.token}` })
  assert.match(metrics.text, /^kinora_storage_up 0$/m)
  const upload = await fetch(`${kinora.url}/api/v1/video/image`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png' },
    body: new Uint8Array(await plain(320, 240)),
  })
  const { error } = (await upload.json()) as Body
  assert.deepEqual([upload.status, error?.code, upload.headers.get('retry-after')], [503, 'UNAVAILABLE', '30'])
  await rm(files)
  await rename(`${files}-away`, files)
})

test('200: /readyz again and again → one storage probe at a time, and one in five seconds', async () => {
  const { check } = app.storage
  const counted = { count: 0, isFailing: false, held: Promise.withResolvers<void>() }
  app.storage.check = async () => {
    counted.count += 1
    await counted.held.promise
    if (counted.isFailing) throw new Error('the disk is gone')
  }
  try {
    kinora.holdClock()
    const requests = Array.from({ length: 20 }, () => get(`${kinora.url}/readyz`))
    await waitFor('the first probe', () => counted.count > 0)
    counted.held.resolve()
    const storage = ({ json }: { json: Body }) => (json.data as { storage: string }).storage
    assert.deepEqual(new Set((await Promise.all(requests)).map(storage)), new Set(['ok']))
    kinora.turnClock(4_999)
    assert.equal(storage(await get(`${kinora.url}/readyz`)), 'ok')
    assert.equal(counted.count, 1)
    counted.isFailing = true
    kinora.turnClock(1)
    for (let n = 0; n < 3; n += 1) assert.equal(storage(await get(`${kinora.url}/readyz`)), 'failed')
    assert.equal(counted.count, 2, 'a failure is cached too')
  } finally {
    app.storage.check = check
  }
})

test('200: twenty /readyz at a time → one query of the schema', async () => {
  const waiting = async () => {
    const [row] = await app.sql<[{ count: number }]>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%kinora.schema_version%'
    `
    return row.count
  }
  const requests = await app.sql.begin(async (tx) => {
    await tx`lock table kinora.schema_version in access exclusive mode`
    const sent = Array.from({ length: 20 }, () => get(`${kinora.url}/readyz`))
    await waitFor('a query to wait', async () => (await waiting()) > 0)
    // These were accepted after the twenty.
    for (let n = 0; n < 3; n += 1) await get(`${kinora.url}/healthz`)
    assert.equal(await waiting(), 1)
    return sent
  })
  assert.deepEqual(new Set((await Promise.all(requests)).map(({ status }) => status)), new Set([200]))
})

test('200, 401, 403: /metrics on the main port → administrators only', async () => {
  const [ann, root] = [await kinora.person({ credits: 100 }), await kinora.person({ role: 'admin' })]
  assert.equal((await get(`${kinora.url}/metrics`)).status, 401)
  assert.equal((await get(`${kinora.url}/metrics`, { authorization: `Bearer ${ann.token}` })).status, 403)
  await kinora.generate(ann)
  await kinora.generate(ann)
  const { status, text, headers } = await get(`${kinora.url}/metrics`, { authorization: `Bearer ${root.token}` })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(text, /^kinora_videos_in_progress\{status="PENDING"\} 2$/m)
  assert.match(
    text,
    /^kinora_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/video\/generate",status="200"\} 2$/m,
  )
  assert.match(text, /^process_resident_memory_bytes /m)
  assert.ok(text.includes(`kinora_build_info{version="${manifest.version}"} 1`))
  assert.equal(headers.get('server-version'), manifest.version)
  assert.ok(!text.includes(ann.userId) && !text.includes(ann.token))
})

test('200: /metrics with METRICS_PORT → on that port only, without authentication', async () => {
  const metricsPort = await freePort()
  await kinora.withSettings({ metricsPort }, async (url) => {
    const { status, text } = await get(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.equal(status, 200)
    assert.match(text, /^kinora_videos_overdue \d+$/m)
    assert.equal((await get(`http://127.0.0.1:${metricsPort}/api/v1/config/models`)).status, 404)
    assert.equal((await get(`${url}/metrics`)).status, 404)
  })
  await assert.rejects(fetch(`http://127.0.0.1:${metricsPort}/metrics`), 'the port closes with the service')
})
