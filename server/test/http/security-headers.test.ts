/** Security headers of every response: no caching, no content sniffing, no script, no framing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'

const kinora = await openKinora()

const responses: [path: string, status: number, cacheControl?: string][] = [
  ['/api/v1/credit/balance', 200],
  ['/api/v1/video/list', 200],
  ['/api/v1/admin/users', 403],
  ['/api/v1/nothing', 404],
  ['/api/v1/video/%', 400],
  ['/api/auth/get-session', 200],
  ['/api/auth/list-sessions', 200],
  ['/api/auth/nothing', 404],
  // An HTML page of better-auth, which is off.
  ['/api/auth/error?error=a', 404],
  ['/files/nothing', 403],
  // The same for everybody: cached with its ETag, and revalidated each time.
  ['/openapi.json', 200, 'no-cache'],
  ['/openapi-operator.json', 200, 'no-cache'],
  ['/healthz', 200],
]

test('200, 4xx: any JSON response → not cached (openapi.json: revalidated), nosniff, and a policy without scripts or framing', async () => {
  const ann = await kinora.person()
  const authorization = `Bearer ${ann.token}`
  for (const [path, status, cacheControl = 'no-store'] of responses) {
    const response = await fetch(kinora.url + path, { headers: { authorization } })
    assert.equal(response.status, status, path)
    assert.equal(response.headers.get('cache-control'), cacheControl, path)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(response.headers.get('referrer-policy'), 'same-origin', path)
    assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path)
    assert.equal(response.headers.get('strict-transport-security'), null, 'not over plain http')
    await response.body?.cancel()
  }
})

test('200: https PUBLIC_URL → Strict-Transport-Security on every response', async () => {
  await kinora.withSettings({ publicUrl: 'https://kinora.example' }, async (url) => {
    for (const path of ['/', '/api/v1/config/models', '/docs', '/api/auth/ok']) {
      const { headers } = await fetch(url + path, { headers: { accept: 'text/html' } })
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
    }
  })
})
