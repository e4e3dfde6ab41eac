/** What every answer tells a browser: kept nowhere, taken for nothing else, neither run nor framed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from './harness.ts'

const kinora = await openKinora()

const answers: [path: string, status: number][] = [
  ['/api/v1/credit/balance', 200],
  ['/api/v1/video/list', 200],
  ['/api/v1/admin/users', 403],
  ['/api/v1/nothing', 404],
  ['/api/v1/video/%', 400],
  ['/api/auth/get-session', 200],
  ['/api/auth/list-sessions', 200],
  ['/api/auth/nothing', 404],
  // A page of the library's own, which nothing leads to.
  ['/api/auth/error?error=a', 200],
  ['/files/nothing', 403],
  ['/openapi.json', 200],
  ['/healthz', 200],
]

test('200: no answer may be kept, run, framed, or taken for something else', async () => {
  const ann = await kinora.person()
  const authorization = `Bearer ${ann.token}`
  for (const [path, status] of answers) {
    const answer = await fetch(kinora.url + path, { headers: { authorization } })
    assert.equal(answer.status, status, path)
    assert.equal(answer.headers.get('cache-control'), 'no-store', path)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(answer.headers.get('referrer-policy'), 'same-origin', path)
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path)
    assert.equal(answer.headers.get('strict-transport-security'), null, 'not over plain http')
    await answer.body?.cancel()
  }
})

test('200: behind https browsers are told to stay there', async () => {
  await kinora.withSettings({ publicUrl: 'https://kinora.example' }, async (url) => {
    for (const path of ['/', '/api/v1/config/models', '/docs', '/api/auth/ok']) {
      const { headers } = await fetch(url + path, { headers: { accept: 'text/html' } })
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
    }
  })
})
