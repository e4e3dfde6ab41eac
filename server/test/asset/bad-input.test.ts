// slow
/**
 * Inputs that cannot be used: each is one sentence that names the input by role and number, the credits are back,
 * nothing is fetched twice and no file is left. Real files, behind links, which the worker fetches.
 */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { sweepAssets } from '../../src/asset/asset.ts'
import { addModel, models } from '../support/changed-models.ts'
import * as films from '../support/films.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { folderOf, keptOf, plain } from '../support/images.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { remade, sound } from '../support/sounds.ts'
import { openSite } from '../support/start-image-fixture.ts'
import { readRow, runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, RATE_LIMITS: 'off' } })
after(() => provider.close())
beforeEach(() => provider.reset())
const references = { from: 1, to: 6, image: { to: 3 }, film: { to: 3 }, sound: { to: 3 } }
const input = {
  ...{ prompt: 'prompt', film: 'film', sound: 'sound' },
  ...{ images: 'referenceImages', films: 'referenceFilms', sounds: 'referenceSounds' },
}
const shape = { duration: [4], quality: ['720p' as const], aspectRatio: ['16:9'] }
addModel('everything', {
  modes: {
    edit: { ...shape, inputs: { film: {} } },
    reference: { ...shape, inputs: { reference: references } },
    'lip-sync': { ...shape, prompt: 'optional' },
  },
  price: { per: 'second', credits: 2 },
  routes: [{ account: 'provider-a', input }],
})
after(() => models().delete('everything'))

type Given = { role: string; kind?: string; url?: string; asset?: string }
const generate = (as: Person, inputs: Given[]) =>
  kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
    as,
    body: { model: 'everything', prompt: 'A boat', ...{ duration: 4, aspectRatio: '16:9' }, inputs },
  })
const painted = () => films.paintedFilm('avc', 320, 180, 2)
const talking = async () => remade(await painted(), { codec: 'aac' })
const send =
  (bytes: Buffer | string, type: string): http.RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(bytes)
const ending =
  (bytes: Buffer): http.RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length })
    response.write(bytes.subarray(0, 1000), () => response.destroy())
  }
const hdr = async () =>
  remade(await films.greyFilm(320, 180, 2), {
    colorSpace: { primaries: 'bt2020', transfer: 'pq', matrix: 'bt2020-ncl', fullRange: false } as never,
  })
const encrypted = async () => Buffer.from((await painted()).toString('latin1').replaceAll('avc1', 'encv'), 'latin1')
const transparent = async () =>
  remade(await films.paintedFilm('vp9', 320, 180, 2), { container: 'webm', isTransparent: true })

type Bad = [name: string, role: 'film' | 'sound', respond: () => Promise<http.RequestListener>, sentence: RegExp]
const bad: Bad[] = [
  [
    'sound alone as a film',
    'film',
    async () => send(await sound('aac', 2), 'video/mp4'),
    /It is a sound, and not a film\.$/,
  ],
  [
    'picture as a film',
    'film',
    async () => send(await plain(64, 64), 'video/mp4'),
    /It is an image, and not a film\.$/,
  ],
  [
    'picture as a sound',
    'sound',
    async () => send(await plain(64, 64), 'audio/mpeg'),
    /It is an image, and not a sound\.$/,
  ],
  ['film without a sound', 'sound', async () => send(await painted(), 'video/mp4'), /The film has no sound\.$/],
  [
    'film that is too long',
    'film',
    async () => send(await films.greyFilm(320, 180, 660, { framesPerSecond: 1 }), 'video/mp4'),
    /660 seconds; 600 are the most\.$/,
  ],
  ['broken film', 'film', async () => send(films.withBlankPictures(await painted()), 'video/mp4'), /damaged.*\.$/],
  ['film that is cut', 'film', async () => send(films.cutShort(await painted(), 0.8), 'video/mp4'), /\.$/],
  ['protected film', 'film', async () => send(await encrypted(), 'video/mp4'), /protected against copies.*\.$/],
  ['HDR', 'film', async () => send(await hdr(), 'video/mp4'), /high dynamic range \(HDR\).*\.$/],
  ['alpha', 'film', async () => send(await transparent(), 'video/webm'), /transparent.*\.$/],
  ['page', 'film', async () => send('<html>', 'text/html'), /\.$/],
]

for (const [name, role, respond, sentence] of bad) {
  test(`FAILED: ${name}, by a link → one sentence that names the input, credits back, fetched once, nothing is left`, async (t) => {
    const ann = await kinora.person({ credits: 60 })
    const [listener, good] = [await respond(), send(role === 'film' ? await painted() : await talking(), 'video/mp4')]
    const site = await openSite(kinora, t, (request, response) =>
      (request.url === '/bad' ? listener : good)(request, response),
    )
    const [first, second] = role === 'film' ? (['film'] as const) : (['film', 'sound'] as const)
    const url = (each: string) => `${site.url}/${each === role ? 'bad' : 'good'}`
    const inputs = [first, second].flatMap((each) => (each ? [{ role: each, url: url(each) }] : []))
    if (role === 'sound') site.requests.length = 0
    const made = await generate(ann, inputs)
    assert.equal(made.status, 200, made.text)
    await runNextStep(kinora, made.data.uuid)
    const row = await readRow(kinora, made.data.uuid)
    assert.equal(row.status, 'FAILED', String(row.error))
    assert.match(String(row.error), /^The (film to edit|sound) could not be used: /)
    assert.match(String(row.error), sentence)
    assert.equal((await kinora.balance(ann)).available, 60)
    assert.deepEqual([site.requests.filter((path) => path === '/bad'), provider.submits.length], [['/bad'], 0])
    assert.deepEqual([keptOf(kinora, ann).length, folderOf(kinora, 'tmp')], [inputs.length - 1, []])
  })
}

test('FAILED: second of two reference films is broken → its number; a link that ends mid-way → tried again, then the same', async (t) => {
  const ann = await kinora.person({ credits: 60 })
  const film = await painted()
  let listener = send(films.withBlankPictures(film), 'video/mp4')
  const site = await openSite(kinora, t, (request, response) =>
    (request.url === '/bad' ? listener : send(film, 'video/mp4'))(request, response),
  )
  const inputs = ['good', 'bad'].map((name) => ({ role: 'reference', kind: 'film', url: `${site.url}/${name}` }))
  const made = await generate(ann, inputs)
  await runNextStep(kinora, made.data.uuid)
  assert.match(String((await readRow(kinora, made.data.uuid)).error), /^The reference film 2 could not be used: /)
  listener = ending(film)
  const broken = await generate(ann, inputs)
  await runNextStep(kinora, broken.data.uuid)
  const row = await readRow(kinora, broken.data.uuid)
  assert.deepEqual([row.status, folderOf(kinora, 'tmp')], ['PENDING', []])
  kinora.turnClock(11 * 60_000)
  await runNextStep(kinora, broken.data.uuid)
  const { status, error } = await readRow(kinora, broken.data.uuid)
  assert.equal(status, 'FAILED')
  assert.match(String(error), /^The reference film 2 could not be used: .+\.$/)
  assert.equal((await kinora.balance(ann)).available, 60)
  assert.deepEqual(site.requests.filter((path) => path === '/good').length, 2)
})

test('200: portrait by rotation, a rate that varies, the sound of a film by its link → kept and used', async (t) => {
  const ann = await kinora.person({ credits: 60 })
  const portrait = films.rotated(await painted(), 90)
  const site = await openSite(kinora, t, (request, response) =>
    send(request.url === '/portrait' ? portrait : voiced, 'video/mp4')(request, response),
  )
  const voiced = await remade(await painted(), { codec: 'aac', isUneven: true })
  const inputs = [
    { role: 'film', url: `${site.url}/portrait` },
    { role: 'sound', url: `${site.url}/voiced` },
  ]
  const made = await generate(ann, inputs)
  assert.equal(made.status, 200, made.text)
  await runNextStep(kinora, made.data.uuid)
  assert.equal((await readRow(kinora, made.data.uuid)).status, 'GENERATING')
  const { data } = await kinora.call<{ assets: { kind: string; width: number | null; height: number | null }[] }>(
    'GET',
    '/api/v1/asset',
    { as: ann },
  )
  const uneven = await fetch(`${kinora.url}/api/v1/asset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'video/mp4' },
    body: new Uint8Array(voiced),
  })
  assert.equal(uneven.status, 200, await uneven.text())
  const seen = data.assets.map(({ kind, width, height }) => [kind, width, height])
  assert.deepEqual(seen.sort(), [
    ['film', 180, 320],
    ['sound', null, null],
  ])
})

test('404: asset of another user; FAILED: one of two that is deleted before the submit → says which, credits back', async () => {
  const [ann, ben] = [await kinora.person({ credits: 60 }), await kinora.person({ credits: 60 })]
  const upload = async (as: Person, color: string) => {
    const body = new Uint8Array(await plain(64, 64, 'png', color))
    const headers = { authorization: `Bearer ${as.token}`, 'content-type': 'image/png' }
    const response = await fetch(`${kinora.url}/api/v1/asset`, { method: 'POST', headers, body })
    return ((await response.json()) as { data: { id: string } }).data.id
  }
  const ids = [await upload(ann, 'red'), await upload(ann, 'blue')]
  const inputs = ids.map((asset) => ({ role: 'reference', asset }))
  const foreign = await generate(ben, inputs)
  assert.deepEqual([foreign.status, (await kinora.balance(ben)).available], [404, 60])
  const made = await generate(ann, inputs)
  await kinora.call('DELETE', `/api/v1/asset/${ids[1]}`, { as: ann })
  while ((await sweepAssets(kinora.app)) > 0);
  await runNextStep(kinora, made.data.uuid)
  const { status, error } = await readRow(kinora, made.data.uuid)
  assert.equal(status, 'FAILED')
  assert.match(String(error), /reference image 2/)
  assert.deepEqual([(await kinora.balance(ann)).available, provider.submits.length], [60, 0])
})
