/** `ACCESS_LOG=on`: a line for each request, without what is secret in it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ env: { ACCESS_LOG: 'on' } })

/** The lines of the log that arrive while the test runs. */
function recordLines(t: TestContext): Record<string, unknown>[] {
  const { log } = kinora.app
  const { info } = log
  const lines: Record<string, unknown>[] = []
  log.info = (fields: unknown) => {
    lines.push(fields as Record<string, unknown>)
  }
  t.after(() => {
    log.info = info
  })
  return lines
}

test('log: request with ACCESS_LOG → method, path without query, status, user; no credential', async (t) => {
  const { token, userId } = await kinora.person()
  const lines = recordLines(t)
  const response = await fetch(`${kinora.url}/api/v1/credit/balance?token=secret`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.text()
  const ofRequest = () => lines.find(({ reqId }) => reqId === response.headers.get('x-request-id'))
  await waitFor('the line', () => ofRequest() !== undefined)
  const { reqId: _, ms, ip, ...line } = ofRequest() ?? assert.fail()
  assert.deepEqual(line, { method: 'GET', path: '/api/v1/credit/balance', status: response.status, userId })
  assert.ok(typeof ms === 'number' && typeof ip === 'string')
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`secret|${token}`))
})

test('log: request whose path has a sealed token → the route in the place of the path', async (t) => {
  const lines = recordLines(t)
  const paths = ['/share/:token', '/share/:token/:file', '/api/v1/share/:token', '/replicate/v1/stream/:token']
  const upload = '/fal/upload/:token'
  for (const [path, method] of [...paths.map((each) => [each, 'GET']), [upload, 'PUT'], [upload, 'OPTIONS']]) {
    const url = String(path).replace(':token', 'q7Zk'.repeat(20)).replace(':file', 'film.mp4')
    await (await fetch(`${kinora.url}${url}`, { method: String(method) })).text()
  }
  // The page makes a read of its own, which has a line too.
  const logged = () => new Set(lines.map(({ path }) => path))
  await waitFor('the lines', () => [...paths, upload].every((path) => logged().has(path)))
  assert.deepEqual(logged(), new Set([...paths, upload]))
})
