/**
 * The smoke of a proxy in front of Kinora: `smoke.mjs NAME URL`. Sign-up, a large upload and one that is too large, an
 * event stream whose events arrive while the film is made, the film's bytes and a range of them.
 */
import assert from 'node:assert/strict'
import sharp from 'sharp'

const [name, url] = process.argv.slice(2)
const startedMs = performance.now()
const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`

const call = async (method, path, { body, headers = {} } = {}) => {
  const isJson = body !== undefined && !(body instanceof Uint8Array)
  const response = await fetch(url + path, {
    method,
    headers: { ...auth, ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
    body: isJson ? JSON.stringify(body) : body,
  })
  return { status: response.status, headers: response.headers, json: await response.json().catch(() => null) }
}

let auth = {}
// A proxy with health checks notices only after a while that Kinora has started.
for (const endMs = performance.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
  if ((await call('GET', '/readyz').catch(() => null))?.status === 200) break
  assert.ok(performance.now() < endMs, 'the proxy reaches Kinora within a minute')
}
const email = `smoke-${name}@example.com`
const signUp = await call('POST', '/api/auth/sign-up/email', {
  body: { name: 'Smoke', email, password: 'a paper boat in rain' },
})
assert.equal(signUp.status, 200, JSON.stringify(signUp.json))
auth = { authorization: `Bearer ${signUp.json.token}` }

// The proxy adds one address, and the client's own header is not believed.
const sessions = await call('GET', '/api/auth/list-sessions', { headers: { 'x-forwarded-for': '203.0.113.7' } })
assert.equal(sessions.status, 200)
assert.doesNotMatch(JSON.stringify(sessions.json), /203\.0\.113/)

// The size without compression is that of the pixels: nearly the 15 MiB that Kinora takes.
const image = await sharp({
  create: { width: 2280, height: 2290, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
})
  .png({ compressionLevel: 0 })
  .toBuffer()
assert.ok(image.length > 15_500_000 && image.length < 15 * 1024 * 1024, `${image.length}`)
const upload = await call('POST', '/api/v1/video/image', { body: image, headers: { 'content-type': 'image/png' } })
assert.equal(upload.status, 200, JSON.stringify(upload.json))
console.log(`${name}: an image of ${(image.length / 1e6).toFixed(1)} MB passed, ${seconds()}`)

// The same image as base64 inside JSON, in OpenAI's format.
const request = {
  model: 'delta-1-5',
  prompt: 'A paper boat',
  seconds: '4',
  size: '1280x720',
  input_reference: { image_url: `data:image/png;base64,${image.toString('base64')}` },
}
const largeBody = await call('POST', '/v1/videos', { body: request })
assert.equal(largeBody.status, 200, JSON.stringify(largeBody.json))
console.log(`${name}: an image of ${(image.length / 1e6).toFixed(1)} MB inside JSON passed, ${seconds()}`)

// Above what other paths take; no film, so that it is refused by what it is and not by its size.
const asset = await call('POST', '/api/v1/asset', {
  body: new Uint8Array(24 * 1024 * 1024),
  headers: { 'content-type': 'video/mp4' },
})
assert.equal(asset.status, 415, JSON.stringify(asset.json))

const tooLarge = await call('POST', '/api/v1/video/image', {
  body: new Uint8Array(21 * 1024 * 1024),
  headers: { 'content-type': 'image/png' },
}).catch((error) => ({ status: `the connection ended: ${error.cause?.code}` }))
// Either refusal is early: the response may overtake the upload, and then the connection ends.
assert.ok(tooLarge.status === 413 || String(tooLarge.status).startsWith('the connection'), String(tooLarge.status))

const stream = await fetch(`${url}/api/v1/video/events`, { headers: auth })
assert.equal(stream.status, 200)
const events = []
let onEvent = () => {}
const reading = (async () => {
  let text = ''
  for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const { kind } = /^event: (?<kind>.+)$/m.exec(text.slice(0, end))?.groups ?? {}
      const { data } = /^data: (?<data>.+)$/m.exec(text.slice(0, end))?.groups ?? {}
      text = text.slice(end + 2)
      if (kind) events.push({ kind, video: JSON.parse(data ?? '{}'), atMs: performance.now() })
      onEvent()
    }
  }
})().catch(() => {})
/** Resolves with the first event for which the condition holds; rejects after a minute. */
const event = (what, condition) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no event "${what}" among ${JSON.stringify(events)}`)), 60_000)
    onEvent = () => {
      const found = events.find(condition)
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    }
    onEvent()
  })

// The head of the stream has a mark: a proxy that buffers holds it back.
await event('mark', ({ kind }) => kind === 'mark')
const generate = await call('POST', '/api/v1/video/generate', {
  body: { prompt: 'A paper boat in a rain gutter', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
})
assert.equal(generate.status, 200, JSON.stringify(generate.json))
const { uuid } = generate.json.data
await event('first', ({ video }) => video.uuid === uuid)
const statuses = () => events.filter(({ video }) => video.uuid === uuid).map(({ video }) => video.status)
// What the stream has sent so far is less than a proxy's buffer, so it arrived because nothing holds it back.
const first = await call('GET', `/api/v1/video/task?uuid=${uuid}`)
assert.notEqual(first.json.data.status, 'COMPLETED', 'the first event arrives before the film is complete')
const completed = await event('COMPLETED', ({ video }) => video.uuid === uuid && video.status === 'COMPLETED')
const polled = await call('GET', `/api/v1/video/${uuid}`)
assert.equal(polled.json.data.status, 'COMPLETED')
const lateMs = completed.atMs - new Date(polled.json.data.completedAt ?? Date.now()).getTime() + performance.timeOrigin
console.log(
  `${name}: events ${statuses().join(', ')}; the last one ${Math.round(lateMs)} ms after its time, ${seconds()}`,
)

const { videoUrl } = polled.json.data
assert.ok(videoUrl.startsWith(`${url}/files/`), videoUrl)
const film = await fetch(videoUrl)
const bytes = new Uint8Array(await film.arrayBuffer())
assert.equal(film.status, 200)
assert.equal(bytes.length, polled.json.data.fileSize)
// Kinora names the file and the proxy sends it, with the headers that Kinora gave it, and nobody else reaches the folder.
assert.equal(film.headers.get('content-type'), 'video/mp4')
assert.match(film.headers.get('content-security-policy') ?? '', /sandbox/)
assert.equal(film.headers.get('x-content-type-options'), 'nosniff')
assert.match(film.headers.get('cache-control') ?? '', /private/)
assert.equal(film.headers.get('x-accel-redirect'), null)
const saved = await fetch(
  `${videoUrl}&download&filename=${encodeURIComponent('a boat.mp4\r\nX-Accel-Redirect: /kinora-files/x')}`,
)
assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="a boat\.mp4/)
assert.equal((await saved.arrayBuffer()).byteLength, bytes.length)
const head = await fetch(videoUrl, { method: 'HEAD' })
assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)])
const inFolder = new URL(videoUrl).pathname.replace('/files/', '/kinora-files/')
for (const path of [inFolder, `/.${inFolder}`, `/files/..${inFolder}`, `/${inFolder}`]) {
  const outside = await fetch(url + path)
  assert.ok([400, 404].includes(outside.status), `${path}: ${outside.status}`)
}
const range = await fetch(videoUrl, { headers: { range: 'bytes=100-199' } })
assert.equal(range.status, 206)
assert.deepEqual(new Uint8Array(await range.arrayBuffer()), bytes.slice(100, 200))
assert.equal((await call('DELETE', `/api/v1/video/${uuid}`)).status, 200)
const gone = await fetch(videoUrl)
assert.deepEqual([gone.status, (await gone.json()).error?.code], [404, 'NOT_FOUND'])
const studio = await fetch(`${url}/`)
assert.match(await studio.text(), /<title>Kinora/)
assert.match(studio.headers.get('strict-transport-security') ?? '', /max-age/)
await stream.body.cancel().catch(() => {})
void reading
console.log(`${name}: a film of ${(bytes.length / 1e6).toFixed(1)} MB, whole and in a range, ${seconds()}`)
process.exit(0)
