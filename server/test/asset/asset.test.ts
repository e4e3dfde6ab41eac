/** `/api/v1/asset`: what users keep as inputs of films, by name and in films. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openKinora as openClient } from '../../../client/src/client.ts'
import { sweepAssets, UNUSED_DAYS } from '../../src/asset/asset.ts'
import { uploadQueue } from '../../src/media/queues.ts'
import { addModel, models } from '../support/changed-models.ts'
import { paintedFilm } from '../support/films.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { keptOf, plain } from '../support/images.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { sound } from '../support/sounds.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, RATE_LIMITS: 'off' } })
after(() => provider.close())
addModel('cast', {
  modes: {
    'text-to-video': { duration: [4], quality: ['720p'], aspectRatio: ['16:9'] },
    'image-to-video': {},
    reference: { inputs: { reference: { from: 1, to: 3 } } },
    'lip-sync': { prompt: 'optional', duration: { follows: 'sound', from: 1, to: 30 } },
  },
  price: { per: 'second', credits: 2 },
  routes: [
    {
      account: 'provider-a',
      input: {
        prompt: 'prompt',
        start: 'start',
        all: 'referenceImages',
        film: 'film',
        sound: 'sound',
        duration: 'duration',
      },
    },
  ],
})
after(() => models().delete('cast'))

type Asset = { id: string; kind: string; name: string | null; url: string; width: number; durationS: number | null }
const asset = (as: Person, method: string, path = '', body?: object) =>
  kinora.call<Asset & { assets: Asset[] }>(method as 'GET', `/api/v1/asset${path}`, { as, ...(body && { body }) })

async function send(as: Person, bytes: Buffer, type = 'image/png', query = '') {
  const response = await fetch(`${kinora.url}/api/v1/asset${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': type },
    body: new Uint8Array(bytes),
  })
  const { data, error } = (await response.json()) as { data: Asset; error?: { code: string; message: string } }
  return { status: response.status, data, error }
}
const generate = (as: Person, body: object) =>
  kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
    as,
    body: { model: 'cast', prompt: 'A boat', duration: 4, aspectRatio: '16:9', ...body },
  })
const sentBody = () => provider.submits.at(-1)?.body ?? {}
const idIn = (link: unknown) => /\/([0-9a-f-]{36})\.\w+\?/.exec(String(link))?.[1]

test('200: picture, film and sound → each its kind and size; listed by kind and name, renamed, deleted', async () => {
  const ann = await kinora.person()
  const { data: picture } = await send(ann, await plain(320, 200), 'image/png', '?name=@Mara')
  const { data: film } = await send(ann, await paintedFilm('avc', 320, 180, 2), 'video/mp4')
  const { data: voice, error } = await send(ann, await sound('mp3', 3), 'audio/mpeg')
  assert.equal(error, undefined)
  assert.deepEqual([picture.kind, picture.name, picture.width], ['image', 'mara', 320])
  assert.deepEqual([film.kind, film.width], ['film', 320])
  assert.deepEqual([voice.kind, Math.round(voice.durationS ?? 0)], ['sound', 3])
  const idsOf = async (query: string) => (await asset(ann, 'GET', query)).data.assets.map(({ id }) => id)
  assert.deepEqual(await idsOf(''), [voice.id, film.id, picture.id])
  assert.deepEqual(await idsOf('?kind=film'), [film.id])
  assert.deepEqual(await idsOf('?name=@mara'), [picture.id])
  assert.deepEqual(await idsOf('?named=true'), [picture.id])
  assert.deepEqual(await idsOf('?named=false'), [voice.id, film.id])
  for (const [{ url }, type] of [
    [film, 'video/mp4'],
    [voice, 'audio/mpeg'],
  ] as const)
    assert.equal((await fetch(url)).headers.get('content-type'), type)
  assert.equal((await asset(ann, 'PATCH', `/${film.id}`, { name: 'Harbour' })).data.name, 'harbour')
  assert.equal((await asset(ann, 'PATCH', `/${film.id}`, { name: 'a b' })).status, 400)
  assert.equal((await asset(ann, 'DELETE', `/${film.id}`)).status, 200)
  assert.deepEqual(await idsOf('?name=harbour'), [])
  assert.equal((await asset(ann, 'GET', `/${film.id}`)).status, 404)
})

test('404: asset of another user → as if there were none, by id, in lists and as an input', async () => {
  const [ann, ben] = [await kinora.person(), await kinora.person({ credits: 100 })]
  const { data } = await send(ann, await plain(100, 100, 'png', 'red'), 'image/png', '?name=mara')
  for (const method of ['GET', 'DELETE']) assert.equal((await asset(ben, method, `/${data.id}`)).status, 404)
  assert.equal((await asset(ben, 'PATCH', `/${data.id}`, { name: null })).status, 404)
  assert.deepEqual((await asset(ben, 'GET')).data.assets, [])
  for (const name of [data.id, '@mara']) {
    const { status, error } = await generate(ben, { inputs: [{ role: 'start', asset: name }] })
    assert.deepEqual([status, pathsOf({ error })], [404, ['inputs.0']])
  }
})

test('400: link in the words of rows, such as kinora:video/… → no link to the file of another user', async () => {
  const [ann, eve] = [await kinora.person({ credits: 100 }), await kinora.person()]
  const { data } = await send(eve, await plain(64, 64))
  for (const url of [
    `kinora:asset/${eve.userId}/${data.id}.png`,
    `kinora:video/${eve.userId}/${data.id}.mp4`,
    'kinora:',
    `video:${data.id}`,
    'asset:@mara',
  ]) {
    for (const given of [
      { startImageUrl: url },
      { referenceImageUrls: [url] },
      { inputs: [{ role: 'start', url }] },
      { inputs: [{ role: 'reference', kind: 'film', url }] },
    ]) {
      const { status, error } = await generate(ann, given)
      assert.deepEqual([status, error?.code], [400, 'INVALID_REQUEST'], url)
      assert.match(error?.message ?? '', /must be an https URL/)
    }
  }
})

test('generate: @mara in references → her pictures in order, cut to what the model takes; as a start image the first', async () => {
  const ann = await kinora.person({ credits: 100 })
  const ids: string[] = []
  for (const colour of ['red', 'green', 'blue', 'white'])
    ids.push((await send(ann, await plain(100, 100, 'png', colour), 'image/png', '?name=mara')).data.id)
  const cast = {
    inputs: [
      { role: 'reference', url: 'https://example.com/a.png' },
      { role: 'reference', asset: '@mara' },
    ],
  }
  const { data, error } = await generate(ann, { ...cast, prompt: '@mara in a boat' })
  assert.equal(error, undefined)
  await runNextStep(kinora, data.uuid)
  assert.equal(sentBody().prompt, 'image 2, image 3 in a boat')
  const all = sentBody().all as string[]
  assert.deepEqual([all[0], ...all.slice(1).map(idIn)], ['https://example.com/a.png', ids[0], ids[1]])
  const started = await generate(ann, { inputs: [{ role: 'start', asset: '@mara' }] })
  await runNextStep(kinora, started.data.uuid)
  assert.equal(idIn(sentBody().start), ids[0])
  for (const id of ids) await asset(ann, 'DELETE', `/${id}`)
  const detail = await kinora.call<{ inputs: object[] }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  assert.equal(detail.data.inputs.length, 3)
})

test('generate: film and sound by their ids → length and price by the sound; both at the provider', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: film } = await send(ann, await paintedFilm('avc', 320, 180, 2), 'video/mp4')
  const { data: voice } = await send(ann, await sound('mp3', 3), 'audio/mpeg')
  const inputs = [
    { role: 'film', asset: film.id },
    { role: 'sound', asset: voice.id },
  ]
  const body = { model: 'cast', inputs }
  const quoted = await kinora.call<{ credits: number; mode: string }>('POST', '/api/v1/video/quote', { as: ann, body })
  assert.deepEqual([quoted.data?.credits, quoted.data?.mode], [6, 'lip-sync'], JSON.stringify(quoted.error))
  const made = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
  await runNextStep(kinora, made.data.uuid)
  assert.deepEqual([idIn(sentBody().film), idIn(sentBody().sound)], [film.id, voice.id])
  const wrong = await generate(ann, { duration: undefined, inputs: [inputs[0], { role: 'sound', asset: film.id }] })
  assert.deepEqual([wrong.status, wrong.error?.code], [400, 'UNSUPPORTED_MODE'])
  assert.match(wrong.error?.message ?? '', /takes no film as the sound; it takes sound\.$/)
})

test('400: name that is the id of another asset → refused; one that a row has names nothing by it', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: other } = await send(ann, await sound('mp3', 1), 'audio/mpeg')
  const { data: voice } = await send(ann, await sound('mp3', 3), 'audio/mpeg')
  const { data: film } = await send(ann, await paintedFilm('avc', 320, 180, 2), 'video/mp4')
  for (const name of [voice.id, `@${voice.id.toUpperCase()}`])
    assert.equal((await asset(ann, 'PATCH', `/${other.id}`, { name })).status, 400)
  const { userId } = ann
  await kinora.app.sql`update kinora.asset set name = ${voice.id} where user_id = ${userId} and id = ${other.id}`
  for (const source of [{ url: voice.url }, { asset: voice.id }]) {
    const inputs = [
      { role: 'film', asset: film.id },
      { role: 'sound', ...source },
    ]
    const body = { model: 'cast', inputs }
    const quoted = await kinora.call<{ credits: number }>('POST', '/api/v1/video/quote', { as: ann, body })
    assert.equal(quoted.data?.credits, 6, JSON.stringify(quoted.error))
    const made = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
    await runNextStep(kinora, made.data.uuid)
    assert.equal(idIn(sentBody().sound), voice.id)
  }
})

test('FAILED: asset deleted before the submit → nothing is sent, the credits are back, and the error names it', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await send(ann, await plain(100, 100))
  const made = await generate(ann, { inputs: [{ role: 'start', asset: data.id }] })
  assert.equal((await asset(ann, 'DELETE', `/${data.id}`)).status, 200)
  while ((await sweepAssets(kinora.app)) > 0);
  await runNextStep(kinora, made.data.uuid)
  const { data: task } = await kinora.call<{ status: string; error: string }>(
    'GET',
    `/api/v1/video/task?uuid=${made.data.uuid}`,
    { as: ann },
  )
  assert.deepEqual([task.status, (await kinora.balance(ann)).available], ['FAILED', 60])
  assert.match(task.error, /^The start image could not be used: /)
})

test('413: more than ASSET_BYTES, also by uploads at once → refused with what to do; room after one is deleted', async () => {
  const ann = await kinora.person()
  const one = await plain(64, 64, 'png', 'red')
  const { data } = await send(ann, one)
  const { assetBytes } = kinora.app.config
  const [{ bytes }] = await kinora.app.sql<[{ bytes: number }]>`
    select size_bytes::int as bytes from kinora.asset where user_id = ${ann.userId}
  `
  kinora.app.config.assetBytes = bytes * 3
  try {
    const colours = ['blue', 'green', 'white', 'black', 'grey']
    const sent = await Promise.all(colours.map(async (colour) => send(ann, await plain(64, 64, 'png', colour))))
    const refused = sent.filter(({ status }) => status === 413)
    assert.ok(refused.length >= 3 && refused.length < 5, JSON.stringify(sent.map(({ status }) => status)))
    assert.match(refused[0]?.error?.message ?? '', /delete some that you do not need\.$/)
    await asset(ann, 'DELETE', `/${data.id}`)
    // Another picture may be a byte larger.
    assert.equal((await send(ann, one)).status, 200)
  } finally {
    kinora.app.config.assetBytes = assetBytes
  }
})

test('400, 415: tenth picture of a name, no medium, unknown type → each says what to do', async () => {
  const ann = await kinora.person()
  for (let i = 0; i < 9; i++) await send(ann, await plain(64, 64 + i), 'image/png', '?name=mara')
  const tenth = await send(ann, await plain(64, 80), 'image/png', '?name=mara')
  assert.deepEqual([tenth.status, tenth.error?.code], [400, 'INVALID_REQUEST'])
  assert.match(tenth.error?.message ?? '', /9 assets named @mara/)
  assert.equal((await send(ann, Buffer.from('words'), 'image/png')).status, 415)
  const html = await send(ann, Buffer.from('<p>'), 'text/html')
  assert.deepEqual([html.status, html.error?.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.match(html.error?.message ?? '', /text\/html is none of them\.$/)
})

test('403: maker of a team names, renames or deletes another member’s asset → as it was; an admin may', async () => {
  const { newTeam, call } = openTeams(kinora)
  const { id, owner } = await newTeam({ credits: 0 })
  const [ann, ben] = [
    await addMember(kinora.app, id, await kinora.person()),
    await addMember(kinora.app, id, await kinora.person()),
  ]
  const picture = await plain(64, 64)
  const upload = (person: Person, query = '') =>
    call<Asset>(person, id, 'POST', `/api/v1/asset${query}`, picture, { 'content-type': 'image/png' })
  const { data } = await upload(ann, '?name=mara')
  const path = `/api/v1/asset/${data.id}`
  for (const refused of [
    await upload(ben, '?name=other'),
    await call(ben, id, 'PATCH', path, { name: 'other' }),
    await call(ben, id, 'DELETE', path),
  ])
    assert.deepEqual([refused.status, refused.error?.code], [403, 'FORBIDDEN'])
  const again = await upload(ben)
  assert.deepEqual([again.data.id, again.data.name], [data.id, 'mara'])
  assert.equal((await call<Asset>(owner, id, 'PATCH', path, { name: 'harbour' })).data.name, 'harbour')
  assert.equal((await call(ann, id, 'DELETE', path)).status, 200)
})

test('sweep: without a name or a use → removed after UNUSED_DAYS; with a name → stays', async () => {
  const ann = await kinora.person()
  await send(ann, await plain(64, 64, 'png', 'red'), 'image/png', '?name=mara')
  await send(ann, await plain(64, 64, 'png', 'blue'))
  kinora.turnClock((UNUSED_DAYS + 1) * 86_400_000)
  while ((await sweepAssets(kinora.app)) > 0);
  assert.equal(keptOf(kinora, ann).length, 1)
})

test('503: uploads that wait too long for their inspection → Retry-After; the client sends them again by itself', async (t) => {
  const [ann, { waitMaxMs }] = [await kinora.person(), uploadQueue]
  const pictures = await Promise.all(
    Array.from(
      { length: 4 },
      async (_, n) => new Blob([new Uint8Array(await plain(64, 64 + n))], { type: 'image/png' }),
    ),
  )
  t.after(() => Object.assign(uploadQueue, { waitMaxMs }))
  uploadQueue.waitMaxMs = 1
  const refused: { status: number; retryAfter: string | null; code: string }[] = []
  const client = openClient({
    baseUrl: kinora.url,
    token: ann.token,
    fetch: async (request) => {
      const response = await fetch(request)
      if (response.ok) return response
      const { error } = (await response.clone().json()) as { error: { code: string } }
      refused.push({ status: response.status, retryAfter: response.headers.get('retry-after'), code: error.code })
      uploadQueue.waitMaxMs = waitMaxMs
      return response
    },
  })
  const sent = await Promise.all(pictures.map((picture) => client.uploadAsset(picture)))
  assert.deepEqual(
    sent.flatMap(({ error }) => error ?? []),
    [],
  )
  assert.equal(new Set(sent.map(({ data }) => data?.id)).size, 4)
  assert.deepEqual(refused[0], { status: 503, retryAfter: '5', code: 'UNAVAILABLE' })
})
