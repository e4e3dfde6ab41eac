/** `/api/v1/asset/upload`: large files by several requests, as tus has it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { openApp } from '../../src/app.ts'
import { sweepAssets } from '../../src/asset/asset.ts'
import { OPEN_UPLOADS_MAX, PIECE_BYTES, sweepUploads, UPLOAD_HOURS } from '../../src/asset/upload.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { folderOf, keptOf, plain, rowsOf } from '../support/images.ts'
import { openS3Server } from '../support/s3-server.ts'
import { silence } from '../support/sounds.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { CORS_ORIGINS: 'https://shop.example.com' } })
const { app } = kinora
/** Six minutes of noise: two whole pieces and a last one. */
const SAMPLES = 360 * 48_000
const voice = Buffer.concat([silence(0, SAMPLES, 48_000), randomBytes(SAMPLES)])

type Sent = { status: number; offset: number | null; asset: string | null; headers: Headers; message: string }
type Credential = Person | { headers: Record<string, string> }
const credentialOf = (as: Credential) => ('token' in as ? { authorization: `Bearer ${as.token}` } : as.headers)

async function tus(
  as: Credential,
  method: string,
  target: string,
  { headers = {}, body, url = kinora.url }: { headers?: Record<string, string>; body?: Buffer; url?: string } = {},
): Promise<Sent> {
  const response = await fetch(url + target, {
    method,
    headers: { ...credentialOf(as), 'tus-resumable': '1.0.0', ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
  const text = await response.text()
  const offset = response.headers.get('upload-offset')
  return {
    status: response.status,
    offset: offset === null ? null : Number(offset),
    asset: response.headers.get('asset-id'),
    headers: response.headers,
    message: text === '' ? '' : JSON.parse(text).error.message,
  }
}
const begin = async (as: Credential, bytes: number, query = '', url = kinora.url) => {
  const headers = { 'upload-length': String(bytes) }
  const begun = await tus(as, 'POST', `/api/v1/asset/upload${query}`, { headers, url })
  return { ...begun, at: begun.headers.get('location') ?? '' }
}
const append = (as: Credential, at: string, offset: number, body: Buffer, url = kinora.url) =>
  tus(as, 'PATCH', at, {
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    ...{ body, url },
  })
const piecesOf = (as: Person) => folderOf(kinora, `files/upload/${as.userId}`)
const uploadsOf = async (as: Person) => [
  ...(await app.sql<{ id: string }[]>`select id from kinora.asset_upload where user_id = ${as.userId}`),
]
const temporary = () => folderOf(kinora, 'tmp')
const assetOf = (as: Person, id: string | null) =>
  kinora.call<{ kind: string; name: string | null; durationS: number; url: string }>('GET', `/api/v1/asset/${id}`, {
    as,
  })

test('201, 204: file in three requests → offsets, then the asset that the last one names; no piece is left', async () => {
  const ann = await kinora.person()
  const begun = await begin(ann, voice.length, '?name=voice')
  assert.deepEqual([begun.status, begun.offset], [201, 0])
  assert.equal(begun.headers.get('tus-resumable'), '1.0.0')
  assert.ok(Date.parse(begun.headers.get('upload-expires') ?? '') > Date.now())
  const third = 9_000_000
  for (let offset = 0; offset < voice.length; offset += third) {
    const sent = await append(ann, begun.at, offset, voice.subarray(offset, offset + third))
    assert.deepEqual([sent.status, sent.offset, sent.message], [204, Math.min(voice.length, offset + third), ''])
    const head = await tus(ann, 'HEAD', begun.at)
    assert.deepEqual([head.status, head.offset, head.asset], [200, sent.offset, sent.asset])
    assert.equal(head.headers.get('cache-control'), 'no-store')
  }
  const { asset } = await tus(ann, 'HEAD', begun.at)
  const { data } = await assetOf(ann, asset)
  assert.deepEqual([data.kind, data.name], ['sound', 'voice'])
  assert.deepEqual([piecesOf(ann), temporary(), keptOf(kinora, ann).length], [[], [], 1])
  const again = await append(ann, begun.at, voice.length, Buffer.alloc(0))
  assert.deepEqual([again.status, again.asset], [204, asset])
  kinora.turnClock((UPLOAD_HOURS + 1) * 3600_000)
  await sweepUploads(app)
  assert.equal((await tus(ann, 'HEAD', begun.at)).status, 404)
  assert.deepEqual([await uploadsOf(ann), (await assetOf(ann, asset)).status], [[], 200])
})

test('204: connection that breaks in the middle → what arrived is kept, and the rest makes the same file', async () => {
  const ann = await kinora.person()
  const { at } = await begin(ann, voice.length)
  const controller = new AbortController()
  const stopped = 10_000_000
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new Uint8Array(voice.subarray(0, stopped))),
  })
  const headers = {
    ...credentialOf(ann),
    ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  }
  const init = { method: 'PATCH', headers, body, signal: controller.signal, duplex: 'half' } as RequestInit
  const sending = fetch(kinora.url + at, init)
  const offsetOf = async () => (await tus(ann, 'HEAD', at)).offset ?? 0
  while ((await offsetOf()) < PIECE_BYTES) await new Promise(setImmediate)
  controller.abort()
  await assert.rejects(sending)
  while (temporary().length > 0) await new Promise(setImmediate)
  const offset = await offsetOf()
  assert.ok(offset >= PIECE_BYTES && offset <= stopped, String(offset))
  const { asset, message } = await append(ann, at, offset, voice.subarray(offset))
  assert.equal(message, '')
  const { data } = await assetOf(ann, asset)
  const whole = await kinoraSend(ann, voice)
  assert.equal(whole, asset, JSON.stringify(data))
  assert.deepEqual(piecesOf(ann), [])
})

/** The same file by one request is the same asset. */
async function kinoraSend(as: Person, file: Buffer): Promise<string> {
  const response = await fetch(`${kinora.url}/api/v1/asset`, {
    method: 'POST',
    headers: { ...credentialOf(as), 'content-type': 'audio/wav' },
    body: new Uint8Array(file),
  })
  return ((await response.json()) as { data: { id: string } }).data.id
}

test('404: upload of another user, member, or expired → as if there were none; 409: another offset', async () => {
  const [ann, ben] = [await kinora.person(), await kinora.person()]
  const { at } = await begin(ann, voice.length)
  for (const method of ['HEAD', 'DELETE']) assert.equal((await tus(ben, method, at)).status, 404)
  assert.equal((await append(ben, at, 0, voice)).status, 404)
  const wrong = await append(ann, at, 5, voice.subarray(5))
  assert.deepEqual([wrong.status, wrong.message.startsWith('0 bytes of this upload have arrived')], [409, true])
  kinora.turnClock((UPLOAD_HOURS + 1) * 3600_000)
  assert.equal((await append(ann, at, 0, voice)).status, 404)
})

test('404: upload of a team by one member → not reached by another; a viewer cannot begin one', async () => {
  const { id: team } = await openTeams(kinora).newTeam({ credits: 0 })
  const [ann, ben, eve] = [
    await addMember(app, team, await kinora.person()),
    await addMember(app, team, await kinora.person()),
    await addMember(app, team, await kinora.person(), 'viewer'),
  ]
  const of = (person: Person) => ({ headers: { authorization: `Bearer ${person.token}`, 'x-team': team } })
  const { at, status } = await begin(of(ann), 20_000_000)
  assert.equal(status, 201)
  assert.equal((await tus(of(ben), 'HEAD', at)).status, 404)
  assert.equal((await tus(ann, 'HEAD', at)).status, 404)
  assert.equal((await begin(of(eve), 20_000_000)).status, 403)
})

test('413, 429: beyond the limit of a file, ASSET_BYTES with open uploads, or too many → refused before any byte', async () => {
  const ann = await kinora.person()
  assert.equal((await begin(ann, 201 * 1024 ** 2)).status, 413)
  assert.equal((await begin(ann, 16 * 1024 ** 2, '?kind=image')).status, 413)
  const { assetBytes } = app.config
  app.config.assetBytes = 50_000_000
  try {
    const first = await begin(ann, 30_000_000)
    const full = await begin(ann, 30_000_000)
    assert.deepEqual([first.status, full.status], [201, 413])
    assert.match(full.message, /more than 50 MB/)
    assert.equal((await tus(ann, 'DELETE', first.at)).status, 204)
    assert.equal((await begin(ann, 30_000_000)).status, 201)
  } finally {
    app.config.assetBytes = assetBytes
  }
  const ben = await kinora.person()
  const begun = await Promise.all(Array.from({ length: OPEN_UPLOADS_MAX + 1 }, () => begin(ben, 20_000_000)))
  assert.deepEqual(begun.map(({ status }) => status).sort(), [...Array(OPEN_UPLOADS_MAX).fill(201), 429])
})

test('400, 412, 413, 415: no length, another version, more than declared, another type → each says what to do', async () => {
  const ann = await kinora.person()
  assert.equal((await tus(ann, 'POST', '/api/v1/asset/upload')).status, 400)
  const old = await tus(ann, 'POST', '/api/v1/asset/upload', { headers: { 'tus-resumable': '0.2.0' } })
  assert.deepEqual([old.status, old.headers.get('tus-version')], [412, '1.0.0'])
  const { at } = await begin(ann, 1000)
  assert.equal((await append(ann, at, 0, Buffer.alloc(1001))).status, 413)
  const typed = await tus(ann, 'PATCH', at, { headers: { 'upload-offset': '0' }, body: Buffer.alloc(10) })
  assert.equal(typed.status, 415)
})

test('400, 415: file that cannot be used → one sentence, and nothing is left of it', async () => {
  const ann = await kinora.person()
  const { at } = await begin(ann, voice.length)
  await append(ann, at, 0, Buffer.alloc(9_000_000).fill('junk'))
  const refused = await append(ann, at, 9_000_000, voice.subarray(9_000_000))
  assert.ok([400, 415].includes(refused.status), String(refused.status))
  assert.match(refused.message, /\.$/)
  assert.equal((await tus(ann, 'HEAD', at)).status, 404)
  assert.deepEqual([piecesOf(ann), await uploadsOf(ann), await rowsOf(kinora, ann)], [[], [], []])
  const picture = await plain(100, 100)
  const wrong = await begin(ann, picture.length, '?kind=film')
  const other = await append(ann, wrong.at, 0, picture)
  assert.deepEqual([other.status, other.message], [415, 'It is an image, and not a film.'])
})

test('409: two requests of one upload at once → the later one receives, the file is whole', async () => {
  const ann = await kinora.person()
  const { at } = await begin(ann, voice.length)
  const both = await Promise.all([append(ann, at, 0, voice), append(ann, at, 0, voice)])
  const statuses = both.map(({ status }) => status)
  assert.ok(statuses.includes(204), String(statuses))
  assert.ok(
    statuses.every((status) => [204, 409].includes(status)),
    String(statuses),
  )
  const { asset } = await tus(ann, 'HEAD', at)
  assert.equal(await kinoraSend(ann, voice), asset)
  await sweepAssets(app)
  assert.deepEqual([piecesOf(ann), (await rowsOf(kinora, ann)).filter(({ state }) => state === 'kept').length], [[], 1])
})

test('sweep: upload that is given up → its pieces go after a day without a byte', async () => {
  const ann = await kinora.person()
  const { at } = await begin(ann, voice.length)
  await append(ann, at, 0, voice.subarray(0, 9_000_000))
  assert.equal(piecesOf(ann).length, 2)
  await sweepUploads(app)
  assert.equal(piecesOf(ann).length, 2)
  kinora.turnClock((UPLOAD_HOURS + 1) * 3600_000)
  await sweepUploads(app)
  assert.deepEqual([piecesOf(ann), await uploadsOf(ann)], [[], []])
})

test('CORS: page of CORS_ORIGINS → reads offset, address and asset', async () => {
  const response = await fetch(`${kinora.url}/api/v1/asset/upload`, {
    method: 'POST',
    headers: { origin: 'https://shop.example.com', 'tus-resumable': '1.0.0' },
  })
  const names = ['access-control-expose-headers', 'access-control-allow-credentials']
  // All headers, which browsers understand of requests without cookies.
  assert.deepEqual(
    names.map((name) => response.headers.get(name)),
    ['*', null],
  )
})

test('S3: pieces → objects of the bucket while it arrives, by two processes; none is left', async () => {
  const s3 = await openS3Server()
  after(s3.close)
  const {
    S3_ENDPOINT: endpoint = '',
    S3_ACCESS_KEY_ID: accessKeyId = '',
    S3_SECRET_ACCESS_KEY: secretAccessKey = '',
  } = s3.env()
  const keyPair = { accessKeyId, secretAccessKey }
  const settings = { bucket: 'films', endpoint, region: 'auto', ...keyPair, forcePathStyle: true, filesUrl: null }
  const storage = 's3' as const
  const ann = await kinora.person()
  const keys = () => [...s3.objects.keys()].filter((key) => key.startsWith('films/upload/'))
  await kinora.withSettings({ s3: settings, storage }, async (first) => {
    const { at } = await begin(ann, voice.length, '', first)
    assert.equal((await append(ann, at, 0, voice.subarray(0, 9_000_000), first)).offset, 9_000_000)
    assert.equal(keys().length, 2)
    await kinora.withSettings({ s3: settings, storage }, async (second) => {
      assert.equal((await tus(ann, 'HEAD', at, { url: second })).offset, 9_000_000)
      const { asset, message } = await append(ann, at, 9_000_000, voice.subarray(9_000_000), second)
      assert.equal(message, '')
      assert.deepEqual([keys(), s3.uploads.size], [[], 0])
      assert.ok([...s3.objects.keys()].some((key) => key.includes(String(asset))))
    })
    const given = await begin(ann, voice.length, '', first)
    await append(ann, given.at, 0, voice.subarray(0, 9_000_000), first)
    s3.failOnce('DELETE /films/upload/', 500)
    s3.failOnce('DELETE /films/upload/', 500)
    assert.equal((await tus(ann, 'DELETE', given.at, { url: first })).status, 204)
    assert.equal((await tus(ann, 'HEAD', given.at, { url: first })).status, 404)
    const other = await openApp({ ...app.config, s3: settings, storage }, app.log)
    await sweepUploads(other)
    await other.close()
    assert.deepEqual(keys(), [])
  })
})

test('401, 403, 404: no credential, a key that only reads, another subject’s token → refused; its own may', async () => {
  const ann = await kinora.person()
  const keyOf = async (scopes: string[]) => {
    const made = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'k', scopes } })
    return JSON.parse(made.text).key as string
  }
  const of = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } })
  assert.equal((await begin({ headers: {} }, 20_000_000)).status, 401)
  assert.equal((await begin(of(await keyOf(['read'])), 20_000_000)).status, 403)
  const key = await keyOf(['read', 'generate'])
  const tokenOf = async (subject: string) => {
    const body = { subject, scopes: ['read', 'generate'], budget: 10 }
    const made = await kinora.call('POST', '/api/v1/key/token', { headers: of(key).headers, body })
    return of(JSON.parse(made.text).data.token)
  }
  const [bo, cy] = [await tokenOf('bo'), await tokenOf('cy')]
  const { at, status } = await begin(bo, voice.length)
  assert.equal(status, 201)
  for (const other of [cy, of(key), ann]) assert.equal((await tus(other, 'HEAD', at)).status, 404)
  const { asset, message } = await append(bo, at, 0, voice)
  assert.equal(message, '')
  const read = (as: { headers: Record<string, string> }) => fetch(`${kinora.url}/api/v1/asset/${asset}`, as)
  assert.deepEqual([(await read(bo)).status, (await read(cy)).status], [200, 404])
})

test('403: session cookie of a page of another site → refused, as every change', async () => {
  const cookie = { headers: { cookie: 'better-auth.session_token=x', 'sec-fetch-site': 'cross-site' } }
  assert.equal((await begin(cookie, 20_000_000)).status, 403)
})
