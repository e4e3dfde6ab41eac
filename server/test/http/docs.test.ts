/** `/docs` and its document: the responses. browser.test.ts opens the page in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import { openKinora } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'

const kinora = await openKinora()
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(kinora.url + url, { headers, redirect: 'manual' })

test('200: /docs → its policy allows files of and requests to this origin only', async () => {
  const page = await get('/docs', { accept: 'text/html' })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]))
  assert.equal(rules['default-src'], "default-src 'none'")
  assert.equal(rules['script-src'], "script-src 'self'")
  assert.equal(rules['style-src'], "style-src 'self'")
  assert.equal(rules['connect-src'], "connect-src 'self'")
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  const html = await page.text()
  assert.doesNotMatch(html, /<script>|<style|style="|https?:/)
  const loaded = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url)
  assert.equal(loaded.length, 4)
  for (const url of loaded) {
    const file = await get(url)
    assert.equal(file.status, 200, url)
    assert.match(file.headers.get('content-type') ?? '', url.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('200, 304: Accept-Encoding and If-None-Match of an asset and of openapi.json → gzip, and no body when unchanged', async () => {
  for (const url of ['/docs/swagger-ui.js', '/openapi.json', '/openapi-operator.json']) {
    const plain = await get(url, { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    const zipped = await get(url, { 'accept-encoding': 'gzip' })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.ok(Number(zipped.headers.get('content-length')) < 500_000)
    assert.equal(await zipped.text(), await plain.text())
    const again = await get(url, { 'if-none-match': zipped.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    assert.equal((await get(url, { 'if-none-match': '"another"' })).status, 200)
  }
})

test('308, 400, 404: trailing slash, path traversal or unknown file under /docs → redirect to /docs, or JSON even for a browser', async () => {
  const slash = await get('/docs/', { accept: 'text/html' })
  assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/docs'])
  for (const [url, status] of [
    ['/docs/none.js', 404],
    ['/docs/..%2f..%2fpackage.json', 400],
    ['/docs/page.html', 404],
  ] as const) {
    const response = await get(url, { accept: 'text/html' })
    assert.equal(response.status, status, url)
    assert.match(response.headers.get('content-type') ?? '', /json/)
  }
})

test('openapi.json: every JSON response → its serializer compiles, which the service does at the first request only', async () => {
  type Operation = { responses: Record<string, { content?: Record<string, { schema?: object }> }> }
  const { paths, components } = await readDocuments<{
    paths: Record<string, Record<string, Operation>>
    components: object
  }>(kinora)
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation.responses)),
  )
  const schemas = responses.flatMap(({ content }) => content?.['application/json']?.schema ?? [])
  assert.ok(schemas.length > 100)
  for (const schema of schemas) assert.ok(fastJsonStringify({ ...schema, components } as AnySchema))
})
