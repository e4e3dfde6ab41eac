/** The allowlist and redirects of SafeFetch: every redirect target passes the SSRF guard again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openSafeFetch } from '../../src/net/safe-fetch.ts'
import { canary, limits, openCanary, refused } from '../support/fetch-canary.ts'

openCanary()

test('allowlist: listed host:port → reachable over http; other hosts, ports and schemes → refused', async (t) => {
  const server = await serveRedirects(t)
  const allow = [`LOCALHOST:${server.port}`]
  assert.equal(await body(`http://localhost:${server.port}/film`, allow), 'film')
  await refused(`http://127.0.0.1:${server.port}/film`, 'ADDRESS_REFUSED', undefined, allow)
  await refused(`http://localhost.:${server.port}/film`, 'ADDRESS_REFUSED', undefined, allow)
  await refused(`http://localhost:${canary.port}/`, 'ADDRESS_REFUSED', undefined, allow)
  await refused(`https://localhost/`, 'ADDRESS_REFUSED', undefined, allow)
  await refused(`ftp://localhost:${server.port}/film`, 'SCHEME_REFUSED', undefined, allow)
  await refused(`http://user@localhost:${server.port}/film`, 'URL_REFUSED', undefined, allow)
  assert.deepEqual(canary.from, [])
})

test('allowlist: entries are parsed as URLs (IPv6 in brackets, default ports, any case); invalid entry → error', async () => {
  for (const entry of [
    'localhost',
    'localhost:',
    ':80',
    'a/b:80',
    'user@host:80',
    'host:80/path',
    'host:99999',
    'http://host:80',
  ]) {
    assert.throws(() => openSafeFetch({ allow: [entry] }), /is not a host:port/, entry)
  }
  const port = canary.port
  await refused(`https://[::ffff:127.0.0.1]:${port}/`, 'UNREACHABLE', undefined, [`[0:0:0:0:0:FFFF:127.0.0.1]:${port}`])
  for (const [url, entry] of [
    ['https://127.0.0.1/', '127.0.0.1:443'],
    ['http://127.0.0.1/', '127.0.0.1:80'],
  ] as const) {
    const safeFetch = openSafeFetch({ allow: [entry] })
    const code = await safeFetch.get(url, { ...limits, timeoutMs: 1000 }).then(
      () => 'fetched',
      (error) => error.code,
    )
    // This machine may have a web server of its own there: what counts is that the guard lets the request through.
    assert.doesNotMatch(code, /_REFUSED$/, url)
    await safeFetch.close()
  }
})

test('redirects: up to three are followed, each target checked again; private targets → refused', async (t) => {
  const server = await serveRedirects(t)
  const allow = [`127.0.0.1:${server.port}`]
  const start = (target: string) => `http://127.0.0.1:${server.port}/to?${encodeURIComponent(target)}`
  assert.equal(await body(`http://127.0.0.1:${server.port}/hops/3`, allow), 'film')
  await refused(`http://127.0.0.1:${server.port}/hops/4`, 'TOO_MANY_REDIRECTS', undefined, allow)
  await refused(`http://127.0.0.1:${server.port}/loop`, 'TOO_MANY_REDIRECTS', undefined, allow)

  for (const target of [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://169.254.169.254/latest',
    '//10.0.0.1:8443/',
    `http://127.0.0.1:${canary.port}/`,
    'http://10.0.0.1/',
  ]) {
    await refused(start(target.replace(/^\/\//, 'https://')), 'ADDRESS_REFUSED', undefined, allow)
  }
  for (const target of ['http://93.184.215.14/', 'file:///etc/passwd', 'ftp://127.0.0.1/', 'data:,x']) {
    await refused(start(target), 'SCHEME_REFUSED', undefined, allow)
  }
  await refused(start(`https://93.184.215.14:${canary.port}/`), 'PORT_REFUSED', undefined, allow)
  await refused(start('http://['), 'URL_REFUSED', undefined, allow)
  await refused(start('https://user:word@93.184.215.14/'), 'URL_REFUSED', undefined, allow)
  await refused(start('https://films.example.com/'), 'ADDRESS_REFUSED', async () => ['127.0.0.1'], allow)
  assert.deepEqual(canary.from, [])
})

test('headers: call with a key → sent to the origin of its URL, on redirects within it too, and to no other', async (t) => {
  const [server, other] = [await serveRedirects(t), await serveRedirects(t)]
  const safeFetch = openSafeFetch({ allow: [server, other].map(({ port }) => `127.0.0.1:${port}`) })
  t.after(() => safeFetch.close())
  const get = async (path: string) => {
    const fetched = { ...limits, headers: { authorization: 'Bearer secret' } }
    for await (const _ of (await safeFetch.get(`http://127.0.0.1:${server.port}${path}`, fetched)).body);
  }
  await get('/hops/2')
  assert.deepEqual(server.keys, Array(3).fill('Bearer secret'))
  await get(`/to?${encodeURIComponent(`http://127.0.0.1:${other.port}/hops/1`)}`)
  assert.deepEqual(other.keys, [undefined, undefined])
})

test('allowlist: host that a call allows → reachable by this call alone', async (t) => {
  const server = await serveRedirects(t)
  const safeFetch = openSafeFetch({ allow: [] })
  t.after(() => safeFetch.close())
  const url = `http://127.0.0.1:${server.port}/film`
  const get = (allow?: string) => safeFetch.get(url, { ...limits, allow })
  await assert.rejects(get(), { code: 'ADDRESS_REFUSED' })
  for await (const _ of (await get(`127.0.0.1:${server.port}`)).body);
  await assert.rejects(get(`127.0.0.1:${canary.port}`), { code: 'ADDRESS_REFUSED' })
  await assert.rejects(get(), { code: 'ADDRESS_REFUSED' })
})

async function body(url: string, allow: string[]): Promise<string> {
  const safeFetch = openSafeFetch({ allow })
  const chunks: Uint8Array[] = []
  for await (const chunk of (await safeFetch.get(url, limits)).body) chunks.push(chunk)
  await safeFetch.close()
  return Buffer.concat(chunks).toString()
}

/** `/film`; `/hops/<n>` redirects n times; `/loop`: itself; `/to?<url>`: that URL. `keys`: each request's header. */
async function serveRedirects(t: { after: (end: () => void) => void }) {
  const keys: (string | undefined)[] = []
  const server = http.createServer((request, response) => {
    const url = request.url ?? ''
    keys.push(request.headers.authorization)
    const hops = Number(/^\/hops\/(\d)$/.exec(url)?.[1])
    const location = url.startsWith('/to?')
      ? decodeURIComponent(url.slice(4))
      : hops > 1
        ? `/hops/${hops - 1}`
        : '/film'
    if (url === '/film') response.writeHead(200, { 'content-type': 'video/mp4' }).end('film')
    else response.writeHead(302, { location: url === '/loop' ? '/loop' : location }).end('moved')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, keys }
}
