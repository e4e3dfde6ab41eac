/** `POST /api/v1/video/generate`: validation of every field, at and just beyond each limit. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { modelOf, models, withModes } from '../support/changed-models.ts'
import { generateBody, openKinora, pathsOf } from '../support/harness.ts'

const kinora = await openKinora({ env: { FETCH_ALLOW: 'images.internal:8080,127.0.0.1:9000', MAX_IN_PROGRESS: '0' } })
const CREDITS = 1_000_000
const ann = await kinora.person({ credits: CREDITS })
const bob = await kinora.person({ credits: CREDITS })

// Two models with one mode each, as an operator might add them: the shipped models support both modes.
for (const [id, mode] of [
  ['text-only', 'text-to-video'],
  ['image-only', 'image-to-video'],
] as const) {
  models().set(id, { ...withModes(modelOf('alpha-2'), {}, [mode]), id })
  after(() => models().delete(id))
}

function rejects(title: string, change: Record<string, unknown>, code: string, path: string): void {
  test(`400: ${title} → ${code}`, async () => {
    const { status, error } = await kinora.generate(ann, change)
    assert.equal(status, 400)
    assert.equal(error?.code, code)
    const details = error?.details as { path: string; message: string }[]
    assert.deepEqual(
      details.map((detail) => detail.path),
      [path],
    )
    assert.ok(details.every(({ message }) => message.length > 0))
  })
}

function accepts(title: string, change: Record<string, unknown>): void {
  test(`200: ${title} → accepted`, async () => {
    const { status, error } = await kinora.generate(bob, change)
    assert.equal(error, undefined)
    assert.equal(status, 200)
  })
}

const image = (startImageUrl: unknown) => ({ startImageUrl })

accepts('a prompt of 1 character', { prompt: 'x' })
accepts('a prompt of 5000 characters', { prompt: 'x'.repeat(5000) })
accepts('a prompt of 5000 characters surrounded by whitespace', { prompt: `  ${'x'.repeat(5000)}\n` })
accepts('a prompt of 5000 emoji (a character is a code point)', { prompt: '🚤'.repeat(5000) })
rejects('an empty prompt', { prompt: '' }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt of whitespace', { prompt: ' \t\n\u00a0\u3000' }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt of 5001 characters', { prompt: 'x'.repeat(5001) }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt of 5001 emoji', { prompt: '🚤'.repeat(5001) }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt with a null character', { prompt: 'a\0b' }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt that is no text', { prompt: 7 }, 'INVALID_REQUEST', 'prompt')
rejects('a prompt of null', { prompt: null }, 'INVALID_REQUEST', 'prompt')
rejects('prompt omitted', { prompt: undefined }, 'INVALID_REQUEST', 'prompt')

rejects('model omitted', { model: undefined }, 'INVALID_REQUEST', 'model')
rejects('an unknown model', { model: 'omega-9' }, 'UNSUPPORTED_MODEL', 'model')
test('400: an unknown model → the message names the models that can be used, and no other', async () => {
  const { error } = await kinora.generate(ann, { model: 'omega-9' })
  assert.match(error?.message ?? '', /; choose one of alpha-2, beta-3-1, delta-1-5, text-only, image-only\.$/)
})
rejects('a model ID in another case', { model: 'Alpha-2' }, 'UNSUPPORTED_MODEL', 'model')
rejects('the model constructor (a property of every object)', { model: 'constructor' }, 'UNSUPPORTED_MODEL', 'model')
rejects('model-e, which has a price but is not offered', { model: 'model-e' }, 'UNSUPPORTED_MODEL', 'model')
rejects('gamma-2-6, which is currently unavailable', { model: 'gamma-2-6', duration: 5 }, 'MODEL_UNAVAILABLE', 'model')

const seconds: [model: string, min: number, max: number][] = [
  ['alpha-2', 4, 15],
  ['beta-3-1', 4, 8],
  ['delta-1-5', 4, 12],
]
for (const [model, min, max] of seconds) {
  accepts(`${model}, ${min} s`, { model, duration: min })
  accepts(`${model}, ${max} s`, { model, duration: max })
  rejects(`${model}, ${min - 1} s`, { model, duration: min - 1 }, 'DURATION_OUT_OF_RANGE', 'duration')
  rejects(`${model}, ${max + 1} s`, { model, duration: max + 1 }, 'DURATION_OUT_OF_RANGE', 'duration')
}
for (const duration of [0, -5, 4.5, 4.000001, 1e300]) {
  rejects(`a duration of ${duration}`, { duration }, 'DURATION_OUT_OF_RANGE', 'duration')
}
for (const duration of ['5', null, true, [5], undefined]) {
  rejects(
    `a duration of ${JSON.stringify(duration) ?? 'undefined (omitted)'}`,
    { duration },
    'INVALID_REQUEST',
    'duration',
  )
}

const qualities: [model: string, offered: string[], refused: string[]][] = [
  ['alpha-2', ['480p', '720p', '1080p'], ['4k']],
  ['beta-3-1', ['720p', '1080p', '4k'], ['480p']],
  ['delta-1-5', ['720p', '1080p'], ['480p', '4k', '720', '720P', '', 'toString']],
]
for (const [model, offered, refused] of qualities) {
  for (const quality of offered) accepts(`${model} in ${quality}`, { model, quality })
  for (const quality of refused) {
    rejects(`${model} in "${quality}"`, { model, quality }, 'UNSUPPORTED_QUALITY', 'quality')
  }
}

const ratios: [model: string, offered: string[], refused: string[]][] = [
  ['alpha-2', ['16:9', '9:16', '1:1'], ['4:3', '21:9']],
  ['beta-3-1', ['16:9', '9:16'], ['1:1', '3:4']],
  ['delta-1-5', ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'], ['9:21', '16/9', '16:9 ', '']],
]
for (const [model, offered, refused] of ratios) {
  for (const aspectRatio of offered) accepts(`${model}, ${aspectRatio}`, { model, aspectRatio })
  for (const aspectRatio of refused) {
    rejects(`${model}, "${aspectRatio}"`, { model, aspectRatio }, 'UNSUPPORTED_ASPECT_RATIO', 'aspectRatio')
  }
}
rejects('aspectRatio omitted', { aspectRatio: undefined }, 'INVALID_REQUEST', 'aspectRatio')

const urlOf = (characters: number) => `https://example.com/${'a'.repeat(characters - 20)}`
accepts('a start image over https', image('https://example.com/boat.png?size=large'))
accepts('a start image URL of 2048 characters', image(urlOf(2048)))
accepts('a start image URL of 2048 code points', image(`https://example.com/${'🚢'.repeat(2028)}`))
const badImages: [title: string, value: unknown][] = [
  ['of 2049 characters', urlOf(2049)],
  ['of 2049 code points', `https://example.com/${'🚢'.repeat(2029)}`],
  ['over http', 'http://example.com/boat.png'],
  ['over ftp', 'ftp://example.com/boat.png'],
  ['in a data: URL', 'data:image/png;base64,iVBORw0KGgo='],
  ['in a file: URL', 'file:///etc/passwd'],
  ['in a javascript: URL', 'javascript:alert(1)'],
  ['at a relative URL', '/boat.png'],
  ['that is an empty string', ''],
  ['that is not a URL', 'a boat'],
  ['with a user name', 'https://ann@example.com/boat.png'],
  ['with a password', 'https://ann:pw@example.com/boat.png'],
  ['on a port of another protocol', 'https://example.com:22/boat.png'],
  ['at a loopback address', 'https://127.0.0.1/boat.png'],
  ['at a loopback address, in decimal', 'https://2130706433/boat.png'],
  ['at localhost', 'https://localhost/boat.png'],
  ['at an IPv6 loopback address', 'https://[::1]/boat.png'],
  ['at an IPv4-mapped IPv6 loopback address', 'https://[::ffff:127.0.0.1]/boat.png'],
  ['at a private address', 'https://10.1.2.3/boat.png'],
  ['over http at a host in FETCH_ALLOW', 'http://images.internal:8080/boat.png'],
  ['at a private address in FETCH_ALLOW', 'http://127.0.0.1:9000/boat.png'],
  ['at the cloud metadata service', 'https://169.254.169.254/latest/meta-data/'],
  ['at the cloud metadata service, by name', 'https://metadata.google.internal/computeMetadata/v1/'],
  ['at the cloud metadata service, by its public name', 'https://METADATA.goog./computeMetadata/v1/'],
  ['at the cloud metadata service, in octal and hexadecimal', 'https://0251.0xfe.43518/boat.png'],
  ['at the cloud metadata service, in IPv6', 'https://[fd00:ec2::254]/boat.png'],
  ['at a name of one label', 'https://metadata/boat.png'],
  ['at a name of one label with a dot', 'https://kubernetes./boat.png'],
  ['at a name of the local network', 'https://printer.local/boat.png'],
  ['at a name of an internal network', 'https://db.prod.INTERNAL/boat.png'],
  ['at a name of a home network', 'https://nas.home.arpa/boat.png'],
  ['at a service of a cluster', 'https://api.default.svc/boat.png'],
  ['at a loopback address, in full-width digits', 'https://１２７。０。０。１/boat.png'],
  ['at a loopback address, in circled digits', 'https://①②⑦.①/boat.png'],
  ['at a loopback address, percent-encoded', 'https://%31%32%37.0.0.1/boat.png'],
  ['with a null character', 'https://example.com/boat\0.png'],
  ['that is a list', ['https://example.com/boat.png']],
]
for (const [title, value] of badImages) {
  rejects(`a start image ${title}`, image(value), 'INVALID_REQUEST', 'startImageUrl')
}
const https = image('https://example.com/boat.png')
rejects(
  'a start image for a text-to-video model',
  { model: 'text-only', ...https },
  'UNSUPPORTED_MODE',
  'startImageUrl',
)
rejects('no start image for an image-to-video model', { model: 'image-only' }, 'UNSUPPORTED_MODE', 'startImageUrl')
accepts('text for a text-to-video model', { model: 'text-only' })
accepts('a start image for an image-to-video model', { model: 'image-only', ...https })

rejects('an unknown field', { fps: 24 }, 'INVALID_REQUEST', 'fps')

test('400: an empty body → every missing field is named in details', async () => {
  const { status, error } = await kinora.call('POST', '/api/v1/video/generate', { as: ann, body: {} })
  assert.equal(status, 400)
  assert.deepEqual(pathsOf({ error }).sort(), ['duration', 'model', 'prompt'])
})

test('400: a body that is not JSON, or not an object → INVALID_REQUEST', async () => {
  const bodies = ['{"prompt":', '', '[]', '"text"', 'null', '7', '{"__proto__":{"prompt":"x"}}', '{"a":1}{"b":2}']
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' }
    const { status, error } = await kinora.call('POST', '/api/v1/video/generate', { as: ann, body, headers })
    assert.equal(status, 400, body)
    assert.equal(error?.code, 'INVALID_REQUEST', body)
  }
})

test('415: a content type other than JSON → UNSUPPORTED_MEDIA_TYPE', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status, error } = await kinora.call('POST', '/api/v1/video/generate', {
      as: ann,
      body: JSON.stringify(generateBody),
      headers: { 'content-type': type },
    })
    assert.equal(status, 415, type)
    assert.equal(error?.code, 'UNSUPPORTED_MEDIA_TYPE')
  }
})

test('413: a body over 1 MiB → PAYLOAD_TOO_LARGE', async () => {
  const { status, error } = await kinora.generate(ann, { prompt: 'x'.repeat(1024 * 1024) })
  assert.equal(status, 413)
  assert.equal(error?.code, 'PAYLOAD_TOO_LARGE')
})

test('400, 413, 415: all the refused requests above → no rows, no credits moved', async () => {
  const [row] = await kinora.app.sql`
    select (select count(*) from kinora.video where user_id = ${ann.userId}) as videos,
           (select count(*) from kinora.credit_transaction where user_id = ${ann.userId}) as transactions,
           (select available from kinora.credit_account where user_id = ${ann.userId}) as available
  `
  assert.deepEqual(row, { videos: 0, transactions: 1, available: CREDITS })
})
