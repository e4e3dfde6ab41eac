/** Export and erasure of what the browser tokens of a subject made: a visitor of a customer's site asks for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseSubjects } from '../../src/account-data/erase.ts'
import { sweepAssets } from '../../src/asset/asset.ts'
import { completeVideo, putManifest } from '../support/completed-video.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const { app } = kinora
const { sql } = app

type Erasure = { left: { videos: number; images: number }; erased: boolean }

async function shopOf(): Promise<{ ann: Person; key: string }> {
  const ann = await kinora.person({ credits: 1000 })
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'shop' } })
  return { ann, key: JSON.parse(text).key }
}
const callWith = <T = Record<string, unknown>>(credential: string, method: string, path: string, body?: object) =>
  kinora.call<T>(method, path, { body, headers: { authorization: `Bearer ${credential}` } })
const tokenOf = async (key: string, subject: string) => {
  const body = { subject, scopes: ['generate'], budget: 500 }
  return (await callWith<{ token: string }>(key, 'POST', '/api/v1/key/token', body)).data.token
}
async function filmOf(token: string, prompt: string): Promise<string> {
  const png = await plain(640, 360, 'png', prompt.length % 2 ? 'red' : 'blue')
  const { data: image } = await kinora.call<{ url: string }>('POST', '/api/v1/asset?name=visitor', {
    body: png,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
  })
  const body = { ...generateBody, prompt, startImageUrl: image.url, metadata: { order: prompt } }
  const { data, text } = await callWith<{ uuid: string }>(token, 'POST', '/api/v1/video/generate', body)
  assert.ok(data.uuid, text)
  return data.uuid
}
const erase = async (key: string, subject: string) => {
  const { status, data, text } = await callWith<Erasure>(key, 'DELETE', `/api/v1/subject/${subject}`)
  assert.equal(status, 200, text)
  return data
}

test('200: erasure of a subject → its films, prompts, images and tokens go, also of one in progress at its end; the rest and the books stay', async () => {
  const { ann, key } = await shopOf()
  const [bo, cy] = [await tokenOf(key, 'bo'), await tokenOf(key, 'cy')]
  const [done, running, other] = [await filmOf(bo, 'Bo one'), await filmOf(bo, 'Bo two!'), await filmOf(cy, 'Cy')]
  await completeVideo(kinora, ann, done)
  await completeVideo(kinora, ann, other)
  const files = await sql<{ videoKey: string }[]>`select video_key from kinora.video where id = ${done}`
  const manifest = await putManifest(kinora, ann, done, false)
  const before = await kinora.balance(ann)

  const first = await erase(key, 'bo')
  assert.deepEqual([first.erased, first.left.videos], [false, 1])
  await assertRefusedWithinASecond(async () => (await callWith(bo, 'GET', '/api/v1/video/list')).status)
  for (const file of [files[0]?.videoKey ?? '', manifest])
    assert.equal(await app.storage.read(file, AbortSignal.timeout(1000)), null, file)
  assert.equal((await callWith(key, 'GET', `/api/v1/video/${running}`)).status, 404)

  await completeVideo(kinora, ann, running)
  await eraseSubjects(app)
  await sweepAssets(app)
  assert.deepEqual(await erase(key, 'bo'), { subject: 'bo', left: { videos: 0, images: 0 }, erased: true })
  const rows = await sql<{ id: string; prompt: string; subject: string | null; metadata: object | null }[]>`
    select id, prompt, subject, metadata from kinora.video where user_id = ${ann.userId} order by id
  `
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { id: done, prompt: '', subject: null, metadata: null },
      { id: running, prompt: '', subject: null, metadata: null },
      { id: other, prompt: 'Cy', subject: 'cy', metadata: { order: 'Cy' } },
    ],
  )
  const removed = await sql`
    select subject, reason from kinora.audit where user_id = ${ann.userId} and action = 'video.remove-files' order by subject
  `
  assert.deepEqual(
    [...removed],
    [done, running].map((subject) => ({ subject, reason: 'SUBJECT_ERASED' })),
  )
  const images = await sql<{ subject: string }[]>`select subject from kinora.asset where user_id = ${ann.userId}`
  assert.deepEqual(
    images.map(({ subject }) => subject),
    ['cy'],
  )
  assert.equal((await sql`select from kinora.subject_erasure where user_id = ${ann.userId}`).length, 0)
  const after = await kinora.balance(ann)
  assert.deepEqual([after.available, after.used + after.frozen], [before.available, before.used + before.frozen])
  const again = await tokenOf(key, 'bo')
  assert.equal((await callWith(again, 'GET', '/api/v1/video/list')).status, 200)
})

test('200: export of a subject → its films and images, and no others', async () => {
  const { ann, key } = await shopOf()
  const [bo, cy] = [await tokenOf(key, 'bo'), await tokenOf(key, 'cy')]
  const [own, other] = [await filmOf(bo, 'Bo'), await filmOf(cy, 'Cyan')]
  for (const uuid of [own, other]) await completeVideo(kinora, ann, uuid)
  const response = await fetch(`${kinora.url}/api/v1/subject/bo/export`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const zip = Buffer.from(await response.arrayBuffer()).toString('latin1')
  assert.equal(response.status, 200)
  assert.ok(zip.includes(`videos/${own}.mp4`) && zip.includes('assets/') && /"order": ?"Bo"/.test(zip))
  assert.ok(!zip.includes(other) && !zip.includes('Cyan') && !zip.includes(ann.email) && !zip.includes('account.json'))
})

test('403: token, or key without the scope account → neither export nor erasure', async () => {
  const { ann, key } = await shopOf()
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', {
    as: ann,
    body: { name: 'k', scopes: ['read', 'generate'] },
  })
  for (const credential of [await tokenOf(key, 'bo'), JSON.parse(text).key]) {
    assert.equal((await callWith(credential, 'DELETE', '/api/v1/subject/bo')).status, 403)
    assert.equal((await callWith(credential, 'GET', '/api/v1/subject/bo/export')).status, 403)
  }
})

test('200: usage, deliveries and an endpoint of a subject → what its tokens made alone; payloads carry subject and metadata', async () => {
  const { ann, key } = await shopOf()
  const endpoint = async (more: object) => {
    const body = { url: 'https://93.184.215.14/hook', events: ['video.completed'], ...more }
    const { data, status, text } = await callWith<{ id: string }>(key, 'POST', '/api/v1/webhook/endpoints', body)
    assert.equal(status, 200, text)
    return data.id
  }
  const [all, ofBo] = [await endpoint({}), await endpoint({ subject: 'bo' })]
  const films = [await filmOf(await tokenOf(key, 'bo'), 'Bo'), await filmOf(await tokenOf(key, 'cy'), 'Cyan')]
  await callWith(key, 'POST', '/api/v1/video/generate', generateBody)
  for (const uuid of films) await completeVideo(kinora, ann, uuid)
  type Deliveries = { deliveries: { id: string }[] }
  const bodiesOf = async (id: string, query = '') => {
    const { data } = await callWith<Deliveries>(key, 'GET', `/api/v1/webhook/endpoints/${id}/deliveries${query}`)
    const read = data.deliveries.map(({ id: delivery }) =>
      callWith<{ request: { body: string } }>(key, 'GET', `/api/v1/webhook/endpoints/${id}/deliveries/${delivery}`),
    )
    const bodies = (await Promise.all(read)).map(({ data: { request } }) => JSON.parse(request.body).data)
    return bodies.map(({ uuid, subject, metadata }) => ({ uuid, subject, metadata }))
  }
  const bo = { uuid: films[0], subject: 'bo', metadata: { order: 'Bo' } }
  const cy = { uuid: films[1], subject: 'cy', metadata: { order: 'Cyan' } }
  assert.deepEqual(await bodiesOf(all), [cy, bo])
  assert.deepEqual(await bodiesOf(all, '?subject=bo'), [bo])
  assert.deepEqual(await bodiesOf(ofBo), [bo])

  type Usage = { rows: { credits: number; videos: number }[] }
  const usageOf = async (query: string) =>
    (await callWith<Usage>(key, 'GET', `/api/v1/credit/usage?${query}`)).data.rows.map(({ videos }) => videos)
  assert.deepEqual(
    [await usageOf('by=day'), await usageOf('by=day&subject=bo'), await usageOf('by=model&subject=bo')],
    [[3], [1], [1]],
  )
  assert.deepEqual(await usageOf('by=maker&subject=none'), [])
})
