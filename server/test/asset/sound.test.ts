/** The sound of a film alone: by `?kind=sound` of an upload, and by PATCH of an asset. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepAssets, UNUSED_DAYS } from '../../src/asset/asset.ts'
import { queues } from '../../src/media/queues.ts'
import { addModel, models } from '../support/changed-models.ts'
import { paintedFilm } from '../support/films.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { keptOf, plain, rowsOf } from '../support/images.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { remade, sound } from '../support/sounds.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env } })
after(() => provider.close())
addModel('edits', {
  modes: { edit: { inputs: { film: {} }, duration: [4], quality: ['720p'], aspectRatio: ['16:9'] } },
  price: { per: 'second', credits: 2 },
  routes: [{ account: 'provider-a', input: { prompt: 'prompt', film: 'film' } }],
})
after(() => models().delete('edits'))

type Asset = { id: string; kind: string; name: string | null; url: string; width: number | null; contentType: string }
const change = (as: Person, id: string, body: object) =>
  kinora.call<Asset>('PATCH', `/api/v1/asset/${id}`, { as, body })
const list = async (as: Person) =>
  (await kinora.call<{ assets: Asset[] }>('GET', '/api/v1/asset', { as })).data.assets.map(({ id, kind }) => [id, kind])

async function send(as: Person, bytes: Buffer, query = '') {
  const response = await fetch(`${kinora.url}/api/v1/asset${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  const { data, error } = (await response.json()) as { data: Asset; error?: { message: string } }
  return { status: response.status, data, message: error?.message }
}
const talking = async (container: 'm4a' | 'mov' = 'm4a') =>
  await remade(await paintedFilm('avc', 320, 180, 2), { codec: 'aac', container })
const edit = (as: Person, asset: string) =>
  kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
    as,
    body: { model: 'edits', prompt: 'Snow', duration: 4, inputs: [{ role: 'film', asset }] },
  })

test('?kind=sound: MP4, MOV → its sound alone; a sound → itself; the film that is sent too is another asset', async () => {
  const ann = await kinora.person()
  for (const container of ['m4a', 'mov'] as const) {
    const film = await talking(container)
    const { data, message } = await send(ann, film, '?kind=sound')
    assert.deepEqual([message, data.kind, data.width, data.contentType], [undefined, 'sound', null, 'audio/mp4'])
    assert.equal((await send(ann, film, '?kind=sound')).data.id, data.id)
    const whole = await send(ann, film)
    assert.equal(whole.data.kind, 'film')
    assert.notEqual(whole.data.id, data.id)
  }
  assert.equal((await send(ann, await sound('mp3', 2), '?kind=sound')).data.contentType, 'audio/mpeg')
})

test('400, 415: a film without sound, a picture, a sound as a film → one sentence each', async () => {
  const ann = await kinora.person()
  const silent = await send(ann, await paintedFilm('avc', 320, 180, 2), '?kind=sound')
  assert.deepEqual([silent.status, silent.message], [400, 'The film has no sound.'])
  const picture = await send(ann, await plain(64, 64), '?kind=sound')
  assert.deepEqual([picture.status, picture.message], [415, 'It is an image, and not a sound.'])
  const voice = await send(ann, await sound('mp3', 2), '?kind=film')
  assert.deepEqual([voice.status, voice.message], [415, 'It is a sound, and not a film.'])
  assert.equal((await send(ann, await plain(64, 64), '?kind=song')).status, 400)
  assert.deepEqual([await list(ann), keptOf(kinora, ann)], [[], []])
})

test('PATCH kind: film → its sound under the same id and name, one file; the same film sent again is a film', async () => {
  const ann = await kinora.person()
  const film = await talking()
  const { data } = await send(ann, film, '?name=harbour')
  const { data: changed, error } = await change(ann, data.id, { kind: 'sound' })
  assert.equal(error, undefined)
  assert.deepEqual([changed.id, changed.kind, changed.name, changed.width], [data.id, 'sound', 'harbour', null])
  assert.equal((await fetch(changed.url)).status, 200)
  assert.equal((await fetch(data.url)).status, 404)
  assert.deepEqual(keptOf(kinora, ann), [`${data.id}.m4a`])
  assert.equal((await change(ann, data.id, { kind: 'sound', name: 'voice' })).data.name, 'voice')
  const back = await change(ann, data.id, { kind: 'film' })
  assert.deepEqual([back.status, pathsOf(back)], [400, ['kind']])
  assert.equal((await send(ann, film)).data.kind, 'film')
  assert.equal((await change(ann, data.id, {})).status, 400)
})

test('PATCH kind: film without sound, of another user → as it was', async () => {
  const [ann, ben] = [await kinora.person(), await kinora.person()]
  const { data } = await send(ann, await paintedFilm('avc', 320, 180, 2))
  const silent = await change(ann, data.id, { kind: 'sound' })
  assert.deepEqual([silent.status, silent.error?.message], [400, 'The film has no sound.'])
  assert.equal((await change(ben, data.id, { kind: 'sound' })).status, 404)
  assert.deepEqual([await list(ann), keptOf(kinora, ann)], [[[data.id, 'film']], [`${data.id}.mp4`]])
})

test('429: PATCH kind of several films at once → one becomes its sound, the others as they were', async () => {
  const [ann, ben] = [await kinora.person(), await kinora.person()]
  const films = [await talking(), await talking('mov')]
  const ids: string[] = []
  for (const film of films) ids.push((await send(ann, film)).data.id)
  const { data: other } = await send(ben, films[0] ?? Buffer.alloc(0))
  // No film is read until three requests have their answer.
  const held = await Promise.all(['cid', 'dan'].map((user) => queues.asset.acquire(user)))
  const theirs = change(ben, other.id, { kind: 'sound' })
  const refused = Promise.withResolvers<void>()
  let answers = 0
  const own = [...ids, ...ids].map(async (id) => {
    const { status } = await change(ann, id, { kind: 'sound' })
    answers += 1
    if (answers === 3) refused.resolve()
    return status
  })
  await refused.promise
  for (const release of held) release()
  assert.deepEqual([(await theirs).status, (await Promise.all(own)).sort()], [200, [200, 429, 429, 429]])
  assert.deepEqual((await list(ann)).map(([, kind]) => kind).sort(), ['film', 'sound'])
  for (const [id, kind] of await list(ann))
    if (kind === 'film') assert.equal((await change(ann, String(id), { kind: 'sound' })).status, 200)
})

test('409: PATCH kind of a film that a video uses → stays a film, and the video gets it', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data } = await send(ann, await talking())
  const made = await edit(ann, data.id)
  assert.equal(made.status, 200, made.text)
  const refused = await change(ann, data.id, { kind: 'sound' })
  assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
  await runNextStep(kinora, made.data.uuid)
  assert.match(String(provider.submits.at(-1)?.body.film), new RegExp(data.id))
  assert.deepEqual(await list(ann), [[data.id, 'film']])
})

test('FAILED: film that became a sound between the request and the submit → names it, refunded', async () => {
  const ann = await kinora.person({ credits: 60 })
  const { data } = await send(ann, await talking())
  const made = await edit(ann, data.id)
  // As if the change had read the videos before this one.
  await kinora.app.sql`update kinora.asset set kind = 'sound' where user_id = ${ann.userId} and id = ${data.id}`
  await runNextStep(kinora, made.data.uuid)
  const { data: task } = await kinora.call<{ status: string; error: { message: string } | string }>(
    'GET',
    `/api/v1/video/task?uuid=${made.data.uuid}`,
    { as: ann },
  )
  assert.equal(task.status, 'FAILED')
  assert.match(JSON.stringify(task), /The film to edit could not be used: It is a sound now\./)
  assert.equal((await kinora.balance(ann)).available, 60)
})

test('PATCH kind: film deleted and swept while its sound is stored → 404, and no file is left', async () => {
  const ann = await kinora.person()
  const { data } = await send(ann, await talking())
  const { storage } = kinora.app
  const { put } = storage
  storage.put = async (...of) => {
    await kinora.call('DELETE', `/api/v1/asset/${data.id}`, { as: ann })
    while ((await sweepAssets(kinora.app)) > 0);
    await put(...of)
  }
  try {
    assert.equal((await change(ann, data.id, { kind: 'sound' })).status, 404)
  } finally {
    storage.put = put
  }
  assert.deepEqual([keptOf(kinora, ann), await rowsOf(kinora, ann)], [[], []])
})

test('PATCH kind: sweep of the film that is due meanwhile → the sound stays', async () => {
  const ann = await kinora.person()
  const { data } = await send(ann, await talking(), '?name=harbour')
  await kinora.app.sql`update kinora.asset set due_at = ${kinora.app.now()} where user_id = ${ann.userId}`
  const { storage } = kinora.app
  const { put } = storage
  storage.put = async (...of) => {
    await put(...of)
    while ((await sweepAssets(kinora.app)) > 0);
  }
  try {
    assert.equal((await change(ann, data.id, { kind: 'sound' })).status, 200)
  } finally {
    storage.put = put
  }
  assert.deepEqual(keptOf(kinora, ann), [`${data.id}.m4a`])
})

test('sweep: second file that a process left → removed, the asset stays', async () => {
  const ann = await kinora.person()
  const { data } = await send(ann, await talking(), '?name=harbour')
  const key = `asset/${ann.userId}/${data.id}.m4a`
  await kinora.app.storage.put(key, import.meta.filename, 'audio/mp4')
  await kinora.app.sql`update kinora.asset set other_key = ${key} where user_id = ${ann.userId} and id = ${data.id}`
  assert.equal(keptOf(kinora, ann).length, 2)
  kinora.turnClock((UNUSED_DAYS + 1) * 86_400_000)
  while ((await sweepAssets(kinora.app)) > 0);
  assert.deepEqual(
    [keptOf(kinora, ann), await rowsOf(kinora, ann)],
    [[`${data.id}.mp4`], [{ id: data.id, state: 'kept' }]],
  )
})
