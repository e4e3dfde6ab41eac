/** `/healthz`, `/readyz`, `/metrics`: what whoever runs the service asks it. */
import assert from 'node:assert/strict'
import { rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { openApp } from '../src/app.ts'
import { openSignIn } from '../src/http/auth.ts'
import { closeHttp, openHttp } from '../src/http/server.ts'
import { openKinora } from './harness.ts'

const kinora = await openKinora()
const { app } = kinora

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Runs a second service with other settings for as long as `work` takes. */
async function withOther(settings: Partial<typeof app.config>, work: (url: string) => Promise<void>): Promise<void> {
  const other = await openApp({ ...app.config, ...settings }, app.log)
  const auth = openSignIn(other)
  const http = await openHttp(other, auth)
  try {
    await work(await http.listen({ port: 0, host: '127.0.0.1' }))
  } finally {
    await closeHttp(http)
    await auth.close()
    await other.close()
  }
}

type Body = { success: boolean; data: unknown; error?: { code: string; details: unknown } }
async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: (isJson ? JSON.parse(text) : {}) as Body }
}

test('200: /healthz while the process lives, with and without a database', async () => {
  assert.deepEqual((await get(`${kinora.url}/healthz`)).json, { success: true, data: { alive: true } })
  await withOther({ databaseUrl: `postgres://nobody@127.0.0.1:${await freePort()}/none` }, async (url) => {
    assert.equal((await get(`${url}/healthz`)).status, 200)
  })
})

test('200: /readyz when database and storage answer and the migrations are applied', async () => {
  const { status, json } = await get(`${kinora.url}/readyz`)
  assert.equal(status, 200)
  assert.deepEqual(json, { success: true, data: { ready: true } })
})

test('503: /readyz with the database away, with Retry-After', async () => {
  await withOther({ databaseUrl: `postgres://nobody@127.0.0.1:${await freePort()}/none` }, async (url) => {
    const { status, json, headers } = await get(`${url}/readyz`)
    assert.equal(status, 503)
    assert.equal(json.error?.code, 'UNAVAILABLE')
    assert.deepEqual(json.error?.details, { database: 'failed', storage: 'ok' })
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  })
})

test('503: /readyz with functions of another version in the database', async () => {
  await app.sql`update kinora.migration set hash = 'of another version' where name = 'sql'`.catch(() => {})
  const [row] = await app.sql`select hash from kinora.migration where name = 'sql'`
  assert.equal(row?.hash, 'of another version')
  const { status, json } = await get(`${kinora.url}/readyz`)
  assert.equal(status, 503)
  assert.deepEqual(json.error?.details, { database: 'failed', storage: 'ok' })
})

test('503: /readyz when films cannot be stored', async () => {
  const files = path.join(app.config.dataDir, 'files')
  await rename(files, `${files}-away`)
  await writeFile(files, 'in the way')
  const { status, json, text } = await get(`${kinora.url}/readyz`)
  assert.equal(status, 503)
  assert.equal((json.error?.details as { storage?: string }).storage, 'failed')
  assert.ok(!text.includes(app.config.dataDir), 'no path of the server is shown')
})

test('401, 403, 200: /metrics is for administrators', async () => {
  const [ann, root] = [await kinora.person({ credits: 100 }), await kinora.person({ role: 'admin' })]
  assert.equal((await get(`${kinora.url}/metrics`)).status, 401)
  assert.equal((await get(`${kinora.url}/metrics`, { authorization: `Bearer ${ann.token}` })).status, 403)
  await kinora.generate(ann)
  await kinora.generate(ann)
  const { status, text, headers } = await get(`${kinora.url}/metrics`, { authorization: `Bearer ${root.token}` })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(text, /^kinora_videos_in_progress\{status="PENDING"\} 2$/m)
  assert.match(text, /^kinora_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/video\/generate",status="200"\} 2$/m)
  assert.match(text, /^process_resident_memory_bytes /m)
  assert.ok(!text.includes(ann.userId) && !text.includes(ann.token))
})

test('200: with METRICS_PORT they are there, without a sign-in, and nowhere else', async () => {
  const metricsPort = await freePort()
  await withOther({ metricsPort }, async (url) => {
    const { status, text } = await get(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.equal(status, 200)
    assert.match(text, /^kinora_videos_overdue \d+$/m)
    assert.equal((await get(`http://127.0.0.1:${metricsPort}/api/v1/config/models`)).status, 404)
    assert.equal((await get(`${url}/metrics`)).status, 404)
  })
  await assert.rejects(fetch(`http://127.0.0.1:${metricsPort}/metrics`), 'the port closes with the service')
})
