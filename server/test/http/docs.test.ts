/** `/docs` and its document: the responses. browser.test.ts opens the page in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import { openKinora } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'

const kinora = await openKinora()
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(kinora.url + url, { headers, redirect: 'manual' })

/** Every page that /docs lists. */
async function pageNames(): Promise<string[]> {
  const html = await (await get('/docs')).text()
  return [...new Set([...html.matchAll(/<li><a href="\/docs\/([\w-]+)"/g)].map(([, name = '']) => name))]
}

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
  assert.doesNotMatch(html, /<script>|<style|style="/)
  const loaded = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+\.\w+)"/g)].map(([, url = '']) => url)
  assert.deepEqual(loaded, ['/docs/styles.css', '/docs/start.js'])
  for (const url of [...loaded, '/docs/search.js', '/docs/try.js', '/docs/search.json']) {
    const file = await get(url)
    assert.equal(file.status, 200, url)
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('200: each page, as HTML and as Markdown → first paint below 300 kB uncompressed, and every link leads somewhere', async () => {
  const names = await pageNames()
  const { paths } = await readDocuments<{ paths: Record<string, Record<string, { operationId: string }>> }>(kinora)
  const loaded = await Promise.all(
    ['/docs/styles.css', '/docs/start.js'].map(async (url) => (await get(url)).arrayBuffer()),
  )
  const loadedBytes = loaded.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const pages = new Map<string, { html: string; ids: string[] }>()
  for (const name of ['', ...names]) {
    const url = name ? `/docs/${name}` : '/docs'
    const html = await (await get(url)).text()
    assert.ok(Buffer.byteLength(html) + loadedBytes < 300_000, `${url} has ${Buffer.byteLength(html)} bytes`)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
    assert.equal(
      new Set(ids).size,
      ids.length,
      `${url} has an id twice: ${ids.filter((id, i) => ids.indexOf(id) !== i)}`,
    )
    pages.set(url, { html, ids })
  }
  for (const [url, { html }] of pages) {
    for (const [, target = '', fragment = ''] of html.matchAll(/href="(\/docs[\w-/]*|)#([^"]+)"/g))
      assert.ok(pages.get(target || url)?.ids.includes(fragment), `${url} links to ${target}#${fragment}`)
    for (const [, target = ''] of html.matchAll(/href="(\/docs\/[\w-]+)"/g))
      assert.ok(pages.has(target), `${url} links to ${target}`)
  }
  const texts = await Promise.all(
    names.map(async (name) => {
      const response = await get(`/docs/${name}.md`)
      assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/)
      return response.text()
    }),
  )
  const all = texts.join('\n')
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods))
      assert.ok(all.includes(`\n\`${method.toUpperCase()} ${path}\`\n`), `${method} ${path}`)
  }
})

test('200: /llms.txt → names each page at its whole address', async () => {
  const response = await get('/llms.txt')
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
  const text = await response.text()
  assert.match(text, /^# Kinora API\n\n> /)
  for (const name of await pageNames()) assert.ok(text.includes(`](${kinora.url}/docs/${name}.md)`), name)
})

test('200, 304: Accept-Encoding and If-None-Match of an asset and of openapi.json → gzip, and no body when unchanged', async () => {
  for (const url of ['/docs/api-video', '/docs/search.json', '/openapi.json', '/openapi-operator.json']) {
    const plain = await get(url, { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    const zipped = await get(url, { 'accept-encoding': 'gzip' })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.ok(Number(zipped.headers.get('content-length')) < 150_000, url)
    assert.equal(await zipped.text(), await plain.text())
    const again = await get(url, { 'if-none-match': zipped.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    assert.equal((await get(url, { 'if-none-match': '"another"' })).status, 200)
  }
})

test('308, 400, 404: trailing slash, path traversal or unknown page under /docs → redirect to /docs, or JSON even for a browser', async () => {
  const slash = await get('/docs/', { accept: 'text/html' })
  assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/docs'])
  for (const [url, status] of [
    ['/docs/none.js', 404],
    ['/docs/none.md', 404],
    ['/docs/..%2f..%2fpackage.json', 400],
    ['/docs/page.html', 404],
    ['/docs/__proto__', 404],
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
