/** Refusals say what is so and what to do: each case is a mistake that an integrator makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signLink } from '../../src/storage/link.ts'
import { openKinora } from '../support/harness.ts'

const SHOP = 'https://shop.example.com'
const kinora = await openKinora({ env: { CORS_ORIGINS: SHOP } })
const ann = await kinora.person()

const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')

test('415: HEIC sent as image/heic, image/heif or as bytes → it is not read here, and is to be converted', async () => {
  for (const path of ['/api/v1/asset', '/api/v1/asset?kind=image', '/api/v1/video/image']) {
    for (const type of ['image/heic', 'image/heif', 'image/heic-sequence', 'image/png']) {
      const { status, error } = await kinora.call('POST', path, {
        as: ann,
        body: HEIC,
        headers: { 'content-type': type },
      })
      assert.equal(status, 415, `${path} ${type}`)
      assert.match(error?.message ?? '', /^This is a HEIC, which is not read here; convert it to a PNG, JPEG/)
    }
  }
})

test('415: what is no picture, film or sound → named by its bytes whatever its Content-Type, or by a type that none has', async () => {
  const send = async (type: string, body: Buffer) => {
    const { status, error } = await kinora.call('POST', '/api/v1/asset', {
      as: ann,
      body,
      headers: { 'content-type': type },
    })
    assert.equal(status, 415)
    return error?.message ?? ''
  }
  assert.match(await send('image/tiff', Buffer.from('II*\0')), /^This is a TIFF, which is not read here; convert it to/)
  assert.match(await send('audio/flac', Buffer.from('fLaC\0\0\0\x22')), /^This is a FLAC sound; send an MP3/)
  assert.match(await send('application/pdf', Buffer.from('%PDF-1.7')), /application\/pdf is none of them\.$/)
})

test('403: link to a file → expired only where its time is over; else it is not one of the whole links of this service', async () => {
  const { authSecret } = kinora.app.config
  const link = (ttlS: number) =>
    signLink({ publicUrl: kinora.url, authSecret }, 'video/u/v.mp4', { nowMs: Date.now(), ttlS })
  const messageOf = async (url: string) => {
    const response = await fetch(url)
    assert.equal(response.status, 403)
    return ((await response.json()) as { error: { message: string } }).error.message
  }
  assert.match(await messageOf(link(-3600)), /^This link has expired; read the video or asset again/)
  const whole = link(3600)
  for (const broken of [whole.slice(0, -3), whole.split('&')[0], whole.split('?')[0], link(-3600).slice(0, -3)])
    assert.match(await messageOf(String(broken)), /^This is not a whole link of this service; .* exp and sig/)
})

test('400: webhookUrl on this machine or network → its host cannot be reached, and the ways there are', async () => {
  const urls = ['http://localhost:3000/hook', 'https://127.0.0.1/hook', 'http://10.0.0.8:8080/', 'https://shop.local/']
  for (const url of urls) {
    const generated = await kinora.generate(ann, { webhookUrl: url })
    const endpoint = await kinora.call('POST', '/api/v1/webhook/endpoints', { as: ann, body: { url } })
    for (const { status, error } of [generated, endpoint]) {
      assert.equal(status, 400)
      const { host, hostname } = new URL(url)
      assert.ok(error?.message.includes(`${hostname} is not an address on the public Internet`), error?.message)
      assert.match(error?.message ?? '', /https address of a tunnel/)
      const allowed = host === hostname ? `${hostname}:443` : host
      assert.ok(error?.message.includes(`WEBHOOK_ALLOW=${allowed}`), error?.message)
    }
  }
  const { error } = await kinora.generate(ann, { webhookUrl: 'http://shop.example.com/hook' })
  assert.match(error?.message ?? '', /Only https addresses/)
})

test('400: link to a picture on this machine → its host cannot be reached, and the file can be uploaded', async () => {
  const { error } = await kinora.generate(ann, { startImageUrl: 'http://localhost:3000/a.png' })
  assert.match(error?.message ?? '', /localhost is not an address on the public Internet; upload the file/)
})

test('403: page of CORS_ORIGINS that signs in, or sends neither key nor token → those are what counts there', async () => {
  const headers = { origin: SHOP, 'sec-fetch-site': 'cross-site' }
  const body = { email: ann.email, password: 'correct horse battery' }
  const signIn = await fetch(`${kinora.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', cookie: 'kinora.session_token=x.y' },
    body: JSON.stringify(body),
  })
  const generate = await fetch(`${kinora.url}/api/v1/video/generate`, { method: 'POST', headers })
  for (const response of [signIn, generate]) {
    const text = await response.text()
    assert.equal(response.status, 403, text)
    assert.match(text, /API key or a browser token/)
    assert.doesNotMatch(text, /PUBLIC_URL/)
  }
  const elsewhere = await fetch(`${kinora.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      origin: 'https://other.example',
      'content-type': 'application/json',
      cookie: 'kinora.session_token=x.y',
    },
    body: JSON.stringify(body),
  })
  assert.match(await elsewhere.text(), /set PUBLIC_URL/)
})

test('400: value that no branch of a union has → the values that there are', async () => {
  const { data } = await kinora.generate(ann)
  const messageOf = async (path: string, options = {}) => {
    const { status, text } = await kinora.call('GET', path, { as: ann, ...options })
    assert.equal(status, 400, text)
    return text
  }
  const content = await messageOf(`/v1/videos/${data.uuid}/content?variant=nope`)
  assert.match(content, /variant must be one of video, thumbnail, spritesheet/)
  assert.match(await messageOf('/v1/videos?order=up'), /order must be one of asc, desc/)
  const file = await kinora.call('POST', '/ai-gateway/video-model/start', {
    as: ann,
    headers: { 'ai-model-id': 'delta-1-5' },
    body: { prompt: 'A paper boat', image: { type: 'link', url: 'https://example.com/a.png' } },
  })
  assert.match(file.text, /image\.type must be one of url, file/)
})

test('401: no credential, mistyped API key, ended session, other scheme → each is told what it sent', async () => {
  const messageOf = async (headers: Record<string, string>) => {
    const { status, error } = await kinora.call('GET', '/api/v1/credit/balance', { headers })
    assert.equal(status, 401)
    return error?.message ?? ''
  }
  const key = `kin_${'a'.repeat(64)}`
  assert.match(await messageOf({}), /^Sign in first: the request has no session and no API key\./)
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { authorization: `Key ${key}` }])
    assert.match(await messageOf(headers), /^There is no such API key: it was mistyped or deleted, or its time is over/)
  assert.match(await messageOf({ 'x-api-key': 'sk-something' }), /an API key begins with kin_/)
  assert.match(await messageOf({ authorization: 'Bearer kint_x' }), /^This browser token .*POST \/api\/v1\/key\/token/)
  assert.match(await messageOf({ authorization: 'Bearer nothing' }), /^This session has ended/)
  assert.match(await messageOf({ cookie: 'kinora.session_token=a.b' }), /^This session has ended/)
  assert.match(await messageOf({ authorization: 'Basic YTpi' }), /Authorization .* "Bearer /)
  for (const [header, message] of Object.entries({ 'x-api-key': 'kin_', authorization: 'Key nothing' }))
    assert.match(await messageOf({ [header]: message }), /API key/)
})

test('200: CORS → a page reads every header of a response', async () => {
  const response = await fetch(`${kinora.url}/api/v1/credit/balance`, {
    headers: { origin: SHOP, authorization: `Bearer ${ann.token}` },
  })
  assert.equal(response.headers.get('access-control-expose-headers'), '*')
})
