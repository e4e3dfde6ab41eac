/** The Python client against the real service, and the samples of /docs that call it. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type AllPaths, openKinora } from '../../client/src/index.ts'
import { type Fault, openFaultyProxy } from '../../client/test/faulty-proxy.ts'
import { callsOf, type Document } from '../../server/src/http/docs/document.ts'
import { credentialOf, samplesOf } from '../../server/src/http/docs/samples.ts'
import { signatures } from '../../server/src/webhook/secret.ts'
import { openKinora as openService } from '../../server/test/support/harness.ts'

const run = promisify(execFile)
const folder = path.resolve(import.meta.dirname, '..')
const pythonPath = path.join(folder, 'src')

/** Python may be missing on a machine; then a test says so and checks nothing. */
const hasPython = await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).then(
  () => true,
  () => false,
)
function needsPython(t: TestContext): boolean {
  if (!hasPython) t.diagnostic('python3 of 3.9 or newer is not installed: the Python client is not checked')
  return hasPython
}

test('python: film, pages, lost responses, upload in pieces, errors, webhook, events → as the TypeScript client', async (t) => {
  if (!needsPython(t)) return
  const service = await openService({ simulator: true, worker: true })
  const { token } = await service.person()
  const { data: key } = await openKinora<AllPaths>({ baseUrl: service.url, token }).POST('/api/auth/api-key/create', {
    body: { name: 'python' },
  })
  assert.ok(key)
  const proxy = await openFaultyProxy(service.url)
  t.after(proxy.close)
  const faults: Record<string, Fault[]> = {
    'POST /api/v1/video/generate': ['after', 'before'],
    PATCH: [null, 'after', 'before'],
  }
  proxy.onRequest = (line) =>
    Object.entries(faults)
      .find(([start]) => line.startsWith(start))?.[1]
      .shift() ?? null
  const secret = randomBytes(32)
  const body = JSON.stringify({ type: 'credit.low', timestamp: new Date(0), data: { available: 1, threshold: 2 } })
  const message = { id: 'msg_1', timestampS: Math.floor(Date.now() / 1000), body }
  const headers = {
    'Webhook-Id': message.id,
    'Webhook-Timestamp': `${message.timestampS}`,
    'Webhook-Signature': signatures([randomBytes(32), secret], message),
  }
  const { stdout } = await run('python3', [path.join(folder, 'test/check.py')], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: pythonPath,
      PYTHONDONTWRITEBYTECODE: '1',
      KINORA_URL: service.url,
      KINORA_PROXY_URL: proxy.url,
      KINORA_API_KEY: key.key,
      KINORA_WEBHOOK: JSON.stringify([body, headers, `whsec_${secret.toString('base64')}`]),
    },
  })
  assert.deepEqual(stdout.trim().split('\n'), ['film', 'retry, pages', 'upload', 'errors', 'webhook', 'events'])
})

test('python: samples of /docs for every operation → each sends the request that it shows', async (t) => {
  if (!needsPython(t)) return
  const samples = []
  for (const name of ['openapi', 'openapi-operator']) {
    const document = JSON.parse(await readFile(path.join(folder, `../${name}.json`), 'utf8')) as Document
    const calls = document.tags.flatMap((tag) => callsOf(document, tag.name))
    for (const call of calls) {
      const [, code = ''] = /```python sample\n(.*?)```/s.exec(samplesOf(call, 'http://127.0.0.1:9')) ?? []
      samples.push({ operationId: call.operation.operationId, code, call })
    }
  }
  assert.ok(samples.some(({ call }) => credentialOf(call) === 'none'))
  const child = spawn('python3', [path.join(folder, 'test/samples.py')], {
    env: { PATH: process.env.PATH, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: '1' },
  })
  child.stdin.end(JSON.stringify(samples.map(({ operationId, code }) => ({ operationId, code }))))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.equal(stderr, '')
  // What a sample prints is an empty answer of the stub; the request is the last word of its lines.
  const sent = new Set(stdout.split('\n'))
  for (const { call, operationId } of samples) {
    if (operationId === 'streamVideoEvents' || operationId === 'uploadAsset') continue
    const shape = new RegExp(`^${call.method} ${call.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    assert.ok(
      [...sent].some((line) => shape.test(line)),
      `${operationId}: ${call.method} ${call.path}`,
    )
  }
})

test('python: wheel and source archive, built twice → equal bytes, with the types', async (t) => {
  if (!needsPython(t)) return
  const out = await mkdtemp(path.join(tmpdir(), 'kinora-python-'))
  t.after(() => rm(out, { recursive: true, force: true }))
  const build = async () => {
    const code = `import build_backend as b; print(b.build_wheel(${JSON.stringify(out)}), b.build_sdist(${JSON.stringify(out)}))`
    const { stdout } = await run('python3', ['-Bc', code], { cwd: folder })
    return Promise.all(
      stdout
        .trim()
        .split(' ')
        .map((name) => readFile(path.join(out, name))),
    )
  }
  const [first, second] = [await build(), await build()]
  assert.deepEqual(second, first)
  const { stdout } = await run('python3', ['-m', 'zipfile', '-l', path.join(out, 'kinora-0.1.0-py3-none-any.whl')])
  for (const name of ['kinora/types.py', 'kinora/py.typed', 'kinora-0.1.0.dist-info/RECORD'])
    assert.ok(stdout.includes(name), name)
})
