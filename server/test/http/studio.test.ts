import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { everyModel, replaceCatalogue } from '../../src/catalogue/catalogue.ts'
import { STREAMS_PER_USER } from '../../src/stream/slots.ts'
import { openKinora } from '../support/harness.ts'

const studioDir = await mkdtemp(path.join(tmpdir(), 'kinora-studio-'))
after(() => rm(studioDir, { recursive: true }))
await mkdir(path.join(studioDir, 'assets'))
const index = [
  '<!doctype html><link rel="icon" href="/icon.svg" /><script id="site"></script><title>Kinora</title>',
  `<script id="pages">${JSON.stringify({
    pages: [
      { path: '^/$', kind: 'visitor', reads: ['/api/v1/config/models'] },
      { path: '^/library/?$', kind: 'user', reads: ['/api/v1/video/list', '/api/v1/config/models'] },
      { path: '^/$', kind: 'user', reads: ['/api/v1/credit/balance'] },
      { path: '^/library/.', kind: 'user', reads: ['/api/v1/video/:last'] },
    ],
  })}</script><script>early()</script>`,
  ...['visitor', 'library', 'user'].map(
    (name, at) => `<template data-page="${at}" lang="en">{{name}}: ${name}</template>`,
  ),
  '<script id="reads"></script>',
].join('\n')
await writeFile(path.join(studioDir, 'index.html'), index)
await writeFile(path.join(studioDir, 'icon.svg'), 'plain')
await writeFile(path.join(studioDir, 'assets/index-a1b2.js'), 'plain')
await writeFile(path.join(studioDir, 'assets/index-a1b2.js.br'), 'as brotli')
await writeFile(path.join(studioDir, 'assets/read.worker-a1b2.js'), 'plain')
await writeFile(path.join(studioDir, 'assets/read.worker-a1b2.js.br'), 'as brotli')
await writeFile(path.join(studioDir, '.sources'), 'a stamp of the build')
const kinora = await openKinora({ env: { STUDIO_DIR: studioDir } })
const unbuilt = await openKinora({ env: { STUDIO_DIR: path.join(studioDir, 'nowhere') } })
const withS3 = await openKinora({
  env: {
    STUDIO_DIR: studioDir,
    S3_BUCKET: 'films',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  },
})

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(kinora.url + url, { method, headers })

test('200: browser navigation to any path of the studio → index.html', async () => {
  for (const url of ['/', '/library', '/library/018f-no-such', '/admin/users?q=a', '/apiary']) {
    const response = await get(url, page)
    assert.equal(response.status, 200, url)
    assert.match(await response.text(), /<title>Kinora/, url)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
  }
})

test('200: index.html → the page at this address as it is without its data, and no other', async () => {
  for (const [url, names] of [
    ['/', ['visitor', 'user']],
    ['/library?status=FAILED', ['library']],
    ['/library/018f-no-such', []],
  ] as const) {
    const text = await (await get(url, page)).text()
    assert.deepEqual(
      [...text.matchAll(/Kinora: (\w+)/g)].map(([, name]) => name),
      names,
      url,
    )
  }
})

test('200: page of a signed-in user → what it reads first of the user is in it, for no other and in no cache', async () => {
  const signUp = async (name: string) => {
    const email = `${name}@example.com`
    const body = JSON.stringify({ name, email, password: 'four random words here' })
    const headers = { origin: kinora.url, 'content-type': 'application/json' }
    const response = await fetch(`${kinora.url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
    const { token, user } = (await response.json()) as { token: string; user: { id: string } }
    const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
    return { userId: user.id, token, email, cookie: cookies.join('; ') }
  }
  const ann = await signUp('ann')
  const ben = await signUp('ben')
  const { cookie } = ann
  const prompt = 'A heron </script><script>alert(1)</script>'
  await kinora.generate(ann, { prompt })
  /** On a slow machine a page has no reads that took longer than it waits for. */
  const filledPageOf = async (url: string, cookie: string, read: string) => {
    let found = await pageOf(url, { cookie })
    while (!(read in found.reads)) found = await pageOf(url, { cookie })
    return found
  }
  const pageOf = async (url: string, headers = {}) => {
    const response = await get(url, { ...page, ...headers })
    const text = await response.text()
    const { at, team, reads = {} } = JSON.parse(/id="reads">([^<]*)</.exec(text)?.[1] || '{}')
    return { caching: response.headers.get('cache-control'), at, team, reads, text }
  }
  const library = await filledPageOf('/library', cookie, '/api/v1/video/list')
  assert.equal(library.caching, 'no-store')
  assert.match(library.at, /^\d{13}$/)
  assert.equal(library.reads['/api/v1/config/models'], undefined)
  const withSession = await filledPageOf('/library', cookie, '/api/auth/get-session')
  assert.equal(withSession.reads['/api/auth/get-session'].user.id, ann.userId)
  assert.equal(library.reads['/api/v1/video/list'].data.videos[0].prompt, prompt)
  assert.ok(!library.text.includes('alert(1)</script>'))
  await filledPageOf('/', cookie, '/api/v1/credit/balance')

  const { data: team } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: ann, body: { name: 'North' } })
  const ofTeam = await filledPageOf('/library', `${cookie}; kinora.team=${team.id}`, '/api/v1/video/list')
  assert.deepEqual(ofTeam.reads['/api/v1/video/list'].data.videos, [])
  assert.equal(ofTeam.team, team.id)
  const foreign = await pageOf('/library', { cookie: `${ben.cookie}; kinora.team=${team.id}` })
  assert.equal(foreign.reads['/api/v1/video/list'], undefined)

  // A page whose address names another operation makes no read of it, and leaves no event stream behind.
  for (let i = 0; i < STREAMS_PER_USER; i += 1) await pageOf('/library/events', { cookie })
  assert.equal((await get('/api/v1/video/events', { cookie }, 'HEAD')).status, 200)

  const bens = await filledPageOf('/library', ben.cookie, '/api/v1/video/list')
  assert.deepEqual(bens.reads['/api/v1/video/list'].data.videos, [])
  for (const cookie of ['', 'kinora.session_token=forged.forged']) {
    const { reads } = await pageOf('/library', { cookie })
    assert.equal(reads['/api/v1/video/list'], undefined, cookie)
  }
})

test('200, 404: client with `Accept: */*`, such as a monitor → index.html at / only', async () => {
  for (const headers of [{}, { accept: '*/*' }]) {
    const response = await get('/', headers)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /<title>Kinora/)
    assert.equal((await get('/library', headers)).status, 404)
  }
  assert.equal((await get('/', { accept: 'application/json' })).status, 404)
})

test('200: index.html → its policy allows scripts of and requests to this origin only, and Trusted Types', async () => {
  const policy = (await get('/', page)).headers.get('content-security-policy') ?? ''
  const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]))
  assert.equal(rules['default-src'], "default-src 'none'")
  // printf 'early()' | openssl dgst -sha256 -binary | base64
  assert.equal(rules['script-src'], "script-src 'self' 'sha256-G2Y/0fpEoq/QMzbid/byF0KE5sX9e6ar19Om2+xoMnU='")
  assert.equal(rules['style-src'], "style-src 'self'")
  assert.equal(rules['connect-src'], "connect-src 'self'")
  assert.equal(rules['frame-ancestors'], "frame-ancestors 'none'")
  assert.equal(rules['require-trusted-types-for'], "require-trusted-types-for 'script'")
  assert.equal(rules['trusted-types'], 'trusted-types kinora-worker')
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
})

test('200: script of a worker, compressed or not → WebAssembly may run in it, and no page or other script may', async () => {
  for (const encoding of ['identity', 'br']) {
    const { headers } = await get('/assets/read.worker-a1b2.js', { 'accept-encoding': encoding })
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    assert.equal(headers.get('content-security-policy'), policy, encoding)
  }
  for (const url of ['/', '/verify', '/assets/index-a1b2.js']) {
    assert.doesNotMatch((await get(url, page)).headers.get('content-security-policy') ?? '', /wasm/, url)
  }
})

test('200: sign-up page with a CAPTCHA → its policy allows the provider too, in this document alone', async () => {
  const captcha = { provider: 'cloudflare-turnstile', secret: 's', siteKey: 'k', verifyUrl: null } as const
  await kinora.withSettings({ captcha }, async (url) => {
    const policyOf = async (path: string) =>
      (await fetch(url + path, { headers: page })).headers.get('content-security-policy')
    const policy = await policyOf('/sign-up?next=%2F')
    assert.match(policy ?? '', /script-src 'self' 'sha256-\S+' https:\/\/challenges\.cloudflare\.com;/)
    assert.match(policy ?? '', /frame-src https:\/\/challenges\.cloudflare\.com$/)
    assert.doesNotMatch(policy ?? '', /trusted-types|unsafe|\*/)
    const usual = (await get('/', page)).headers.get('content-security-policy')
    for (const path of ['/', '/sign-in', '/sign-up/other', '/index.html']) assert.equal(await policyOf(path), usual)
  })
})

test('200: /index.html, compressed or not → the same policy', async () => {
  const policy = (await get('/', page)).headers.get('content-security-policy')
  assert.match(policy ?? '', /script-src 'self'/)
  for (const encoding of ['identity', 'gzip']) {
    const { headers } = await get('/index.html', { ...page, 'accept-encoding': encoding })
    assert.equal(headers.get('content-security-policy'), policy, encoding)
    assert.ok(headers.get('permissions-policy'), encoding)
  }
})

test('200: index.html with storage in S3 → its policy allows media of that origin', async () => {
  const policy = (await fetch(withS3.url, { headers: page })).headers.get('content-security-policy') ?? ''
  assert.match(policy, /media-src 'self' http:\/\/127\.0\.0\.1:9;/)
  assert.match(policy, /img-src 'self' blob: http:\/\/127\.0\.0\.1:9;/)
  assert.doesNotMatch(policy, /script-src[^;]*http/)
})

test('200: index.html with a model’s sample films → its policy allows films of their origin alone, while users see the model', async () => {
  const shipped = everyModel()
  const mediaSources = async () => {
    const policy = (await get('/', page)).headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy.replace(/media-src[^;]*/, ''), /https?:/)
    return policy.match(/media-src [^;]*/)?.[0]
  }
  const delta = shipped.get('delta-1-5') ?? assert.fail()
  const sample = ['https://films.example.com/a.mp4', 'https://films.example.com/b.mp4']
  try {
    replaceCatalogue(new Map(shipped).set('delta-1-5', { ...delta, sample }))
    assert.equal(await mediaSources(), "media-src 'self' https://films.example.com")
    replaceCatalogue(new Map(shipped).set('delta-1-5', { ...delta, sample, listed: false }))
    assert.equal(await mediaSources(), "media-src 'self'")
  } finally {
    replaceCatalogue(shipped)
  }
})

test('404: unknown path of the API, or a program’s request → JSON error', async () => {
  for (const [url, headers] of [
    ['/api/v1/nothing', page],
    ['/files/nothing', page],
    ['/nothing', { accept: 'application/json' }],
    ['/nothing', {}],
    ['/assets/old-chunk.js', page],
  ] as const) {
    const response = await get(url, headers)
    assert.notEqual(response.status, 200, url)
    assert.equal(((await response.json()) as { success: boolean }).success, false, url)
  }
  assert.equal((await get('/library', page, 'POST')).status, 404)
})

test('200: hashed assets → immutable for a year; other files → revalidated; Brotli when accepted', async () => {
  const lasting = await get('/assets/index-a1b2.js', { 'accept-encoding': 'identity' })
  assert.equal(await lasting.text(), 'plain')
  assert.match(lasting.headers.get('cache-control') ?? '', /immutable/)
  assert.match(lasting.headers.get('content-type') ?? '', /javascript/)
  const small = await fetch(`${kinora.url}/assets/index-a1b2.js`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br' },
  })
  assert.equal(small.headers.get('content-encoding'), 'br')
  assert.equal((await get('/icon.svg')).headers.get('cache-control'), 'no-cache')
})

test('400, 404: dotfiles, precompressed files and path traversal → not served', async () => {
  for (const [url, status] of [
    ['/.sources', 404],
    ['/assets/index-a1b2.js.br', 404],
    ['/..%2fpackage.json', 400],
    ['/assets/..%2f..%2fetc/passwd', 400],
  ] as const) {
    assert.equal((await get(url)).status, status, url)
  }
})

test('200: studio not built → a text says how to build it', async () => {
  const response = await fetch(unbuilt.url, { headers: page })
  assert.equal(response.status, 200)
  assert.match(await response.text(), /npm start builds it/)
})

test('200: index.html → the operator’s name, links and colours as data, in which no markup ends the element', async () => {
  const site = {
    ...kinora.app.config.site,
    name: 'Films & </script>',
    colour: '#2f6df6',
    termsUrl: 'https://example.com/terms',
  }
  await kinora.withSettings({ site }, async (url) => {
    const text = await (await fetch(url, { headers: page })).text()
    const [, json = ''] = /id="site">([^<]*)<\/script>/.exec(text) ?? []
    const written = JSON.parse(json)
    assert.deepEqual([written.name, written.termsUrl, written.logo], [site.name, site.termsUrl, null])
    assert.equal(written.colours['--accent'], '#2f6df6')
    assert.match(text, /<title>Films &#38; &#60;\/script&#62;<\/title>/)
  })
})

test('200, 400: operator’s logo → the icon of the studio’s page, of /docs and of a page of OAuth', async () => {
  const logo = { type: 'image/png', bytes: Buffer.from('logo') }
  await kinora.withSettings({ site: { ...kinora.app.config.site, logo } }, async (url) => {
    for (const path of ['/', '/docs', '/api/auth/oauth2/authorize?client_id=none']) {
      const text = await (await fetch(`${url}${path}`, { headers: page })).text()
      assert.match(text, /<link rel="icon" href="\/brand-logo" type="image\/png" \/>/, path)
    }
    const icon = await fetch(`${url}/brand-logo`)
    assert.deepEqual([icon.headers.get('content-type'), await icon.text()], ['image/png', 'logo'])
  })
})
