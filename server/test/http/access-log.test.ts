/** `ACCESS_LOG=on`: a line for each request, without what is secret in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ env: { ACCESS_LOG: 'on' } })

test('log: request with ACCESS_LOG → method, path without query, status, user; no credential', async (t) => {
  const { log } = kinora.app
  const { info } = log
  const lines: object[] = []
  log.info = (fields: unknown) => {
    lines.push(fields as object)
  }
  t.after(() => {
    log.info = info
  })
  const { token, userId } = await kinora.person()
  lines.length = 0
  const response = await fetch(`${kinora.url}/api/v1/credit/balance?token=secret`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.text()
  await waitFor('the line', () => lines.length > 0)
  const [{ reqId, ms, ip, ...line } = {} as Record<string, unknown>] = lines as Record<string, unknown>[]
  assert.deepEqual(line, { method: 'GET', path: '/api/v1/credit/balance', status: response.status, userId })
  assert.equal(reqId, response.headers.get('x-request-id'))
  assert.ok(typeof ms === 'number' && typeof ip === 'string')
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`secret|${token}`))
})
