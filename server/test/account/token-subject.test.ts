/** Browser tokens as principals of their own: what one subject made does not exist for the token of another one. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addModel, modelOf } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { readDocuments } from '../support/served-document.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
addModel('extender', {
  modes: { ...modelOf('delta-1-5').modes, extend: { aspectRatio: 'follows the image' } },
  routes: [{ account: 'provider-a', input: { prompt: 'prompt', video_url: 'film' } }],
})
const PRICE = 16
const FORBIDDEN = 'The token of a page may not do this: it makes and reads films of its own alone.'

type Data = {
  uuid: string
  token: string
  subject: string
  key: string
  id: string
  url: string
  videos: Video[]
  total: number
}
type Video = { uuid: string; subject: string | null; metadata: object | null }

const callWith = (credential: string, method: string, path: string, body?: object) =>
  kinora.call<Data>(method, path, { body, headers: { authorization: `Bearer ${credential}` } })

async function keyOf(as: Person): Promise<string> {
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'shop' } })
  return JSON.parse(text).key
}
async function tokenOf(key: string, limits: object): Promise<string> {
  const { data, status, text } = await callWith(key, 'POST', '/api/v1/key/token', {
    scopes: ['read', 'generate'],
    budget: 100,
    ...limits,
  })
  assert.equal(status, 200, text)
  return data.token
}
async function filmOf(token: string, change: object = {}): Promise<string> {
  const { data, status, text } = await callWith(token, 'POST', '/api/v1/video/generate', { ...generateBody, ...change })
  assert.equal(status, 200, text)
  return data.uuid
}
const idsOf = async (credential: string, query = '') =>
  (await callWith(credential, 'GET', `/api/v1/video/list${query}`)).data.videos.map(({ uuid }) => uuid).sort()

test('404: each operation on the film of another subject, of none, and of a token without a subject → not found', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const key = await keyOf(ann)
  const [bo, cy] = [await tokenOf(key, { subject: 'bo' }), await tokenOf(key, { subject: 'cy' })]
  const [own, alone] = [await tokenOf(key, {}), await tokenOf(key, {})]
  const films = { bo: await filmOf(bo), own: await filmOf(own), ann: await filmOf(key) }
  for (const [stranger, film] of [
    [cy, films.bo],
    [cy, films.own],
    [cy, films.ann],
    [alone, films.own],
    [alone, films.bo],
    [own, films.ann],
  ] as const) {
    for (const [method, path] of [
      ['GET', `/api/v1/video/${film}`],
      ['GET', `/api/v1/video/task?uuid=${film}`],
      ['POST', `/api/v1/video/${film}/cancel`],
      ['DELETE', `/api/v1/video/${film}`],
      ['GET', `/v1/videos/${film}`],
      ['DELETE', `/v1/videos/${film}`],
      ['GET', `/v1/videos/${film}/content`],
      ['GET', `/replicate/v1/predictions/${film}`],
      ['POST', `/replicate/v1/predictions/${film}/cancel`],
      ['GET', `/fal/kinora/delta-1-5/requests/${film}/status`],
      ['PUT', `/fal/kinora/delta-1-5/requests/${film}/cancel`],
      ['GET', `/api/v1/videos/${film}`],
      ['GET', `/api/v1/videos/${film}/content`],
    ] as const)
      assert.equal((await callWith(stranger, method, path)).status, 404, `${method} ${path}`)
    const remix = await callWith(stranger, 'POST', `/v1/videos/${film}/remix`, { prompt: 'Another boat' })
    const status = await callWith(stranger, 'POST', '/ai-gateway/video-model/status', { operation: { uuid: film } })
    assert.deepEqual([remix.status, status.status], [404, 404])
  }
  assert.deepEqual(await idsOf(cy), [])
  assert.deepEqual(await idsOf(bo), [films.bo])
  assert.deepEqual(await idsOf(bo, '?subject=cy&page=1'), [films.bo])
  assert.deepEqual(await idsOf(key), Object.values(films).sort())
  assert.deepEqual(await idsOf(key, '?subject=bo'), [films.bo])
  for (const list of ['/v1/videos', '/replicate/v1/predictions'])
    assert.ok(!(await callWith(cy, 'GET', list)).text.includes(films.bo), list)
})

test('200: film of a subject → its next token reads, cancels and deletes it; detail and list name the subject, and no member', async () => {
  const ann = await kinora.person()
  const key = await keyOf(ann)
  const uuid = await filmOf(await tokenOf(key, { subject: 'bo@shop.example', scopes: ['generate'] }))
  const next = await tokenOf(key, { subject: 'bo@shop.example', scopes: ['generate'] })
  const list = await callWith(next, 'GET', '/api/v1/video/list')
  assert.deepEqual([list.data.videos[0]?.subject, list.data.total], ['bo@shop.example', 1])
  assert.deepEqual((list.data as unknown as { makers: unknown[] }).makers, [])
  assert.ok(!list.text.includes(ann.email))
  const detail = await callWith(next, 'GET', `/api/v1/video/${uuid}`)
  assert.deepEqual([detail.status, detail.data.subject], [200, 'bo@shop.example'])
  assert.equal((await callWith(next, 'POST', `/api/v1/video/${uuid}/cancel`)).status, 200)
  assert.equal((await callWith(next, 'DELETE', `/api/v1/video/${uuid}`)).status, 200)
  assert.equal((await callWith(next, 'GET', `/api/v1/video/${uuid}`)).status, 404)
})

test('200: GET /api/v1/key with a token → its subject, scopes, what is left and its end', async () => {
  const ann = await kinora.person()
  const token = await tokenOf(await keyOf(ann), { subject: 'bo', budget: 100 })
  await filmOf(token)
  const { data } = await callWith(token, 'GET', '/api/v1/key')
  const { expiresAt, ...rest } = data as unknown as { expiresAt: string }
  assert.deepEqual(rest, { subject: 'bo', scopes: ['read', 'generate'], budget: 100, left: 100 - PRICE })
  assert.ok(Date.parse(expiresAt) > kinora.app.now().getTime())
})

test('403: token with the budget 0 → reads, and generates, uploads, cancels and deletes nothing', async () => {
  const ann = await kinora.person()
  const key = await keyOf(ann)
  const uuid = await filmOf(await tokenOf(key, { subject: 'bo' }))
  const reader = await tokenOf(key, { subject: 'bo', budget: 0 })
  assert.equal((await callWith(reader, 'GET', `/api/v1/video/${uuid}`)).status, 200)
  for (const [method, path, body] of [
    ['POST', '/api/v1/video/generate', generateBody],
    ['POST', '/api/v1/video/image'],
    ['POST', `/api/v1/video/${uuid}/cancel`],
    ['DELETE', `/api/v1/video/${uuid}`],
  ] as const) {
    const { error } = await callWith(reader, method, path, body)
    assert.equal(error?.code, 'INSUFFICIENT_SCOPE', path)
    assert.match(error?.message ?? '', /^This token of a page reads films and makes none: it needs a budget/)
  }
})

test('400, 404: upload and film of another subject → neither a start image nor a source; the same bytes are an image of each', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const key = await keyOf(ann)
  const [bo, cy] = [await tokenOf(key, { subject: 'bo' }), await tokenOf(key, { subject: 'cy' })]
  const png = await plain(640, 360)
  const upload = async (credential: string) => {
    const { data, status, text } = await kinora.call<Data>('POST', '/api/v1/video/image', {
      body: png,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'image/png' },
    })
    assert.equal(status, 200, text)
    return data.url
  }
  const [ofBo, ofCy, ofKey] = [await upload(bo), await upload(cy), await upload(key)]
  const path = (url: string) => new URL(url).pathname
  assert.equal(new Set([ofBo, ofCy, ofKey].map(path)).size, 3)
  assert.equal(path(await upload(bo)), path(ofBo))
  const withImage = (url: string) => ({ ...generateBody, startImageUrl: url })
  for (const operation of ['quote', 'generate']) {
    const refused = await callWith(cy, 'POST', `/api/v1/video/${operation}`, withImage(ofBo))
    assert.match(refused.error?.message ?? '', /not a link to an asset of yours/)
  }
  for (const [credential, url] of [
    [bo, ofBo],
    [cy, ofKey],
    [key, ofBo],
  ] as const)
    assert.equal((await callWith(credential, 'POST', '/api/v1/video/quote', withImage(url))).status, 200)

  const extension = { ...generateBody, model: 'extender', extendFrom: await completedVideo(kinora, ann) }
  assert.equal((await callWith(cy, 'POST', '/api/v1/video/quote', extension)).status, 404)
  assert.equal((await callWith(key, 'POST', '/api/v1/video/quote', extension)).status, 200)
})

test('404: name of an asset of the key or of another subject → none of the token, and none of theirs for the key', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const key = await keyOf(ann)
  const [bo, cy] = [await tokenOf(key, { subject: 'bo' }), await tokenOf(key, { subject: 'cy' })]
  const upload = async (credential: string, name: string, height: number) => {
    const { status } = await kinora.call<Data>('POST', `/api/v1/asset?name=${name}`, {
      body: await plain(64, height),
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'image/png' },
    })
    return status
  }
  assert.equal(await upload(key, 'ceo', 64), 200)
  for (let i = 0; i < 10; i++) assert.equal(await upload(bo, 'mara', 64 + i), i < 9 ? 200 : 400)
  const quote = async (credential: string, name: string) => {
    const body = { ...generateBody, inputs: [{ role: 'start', asset: name }] }
    return (await callWith(credential, 'POST', '/api/v1/video/quote', body)).status
  }
  assert.deepEqual([await quote(key, '@ceo'), await quote(bo, '@ceo'), await quote(cy, '@mara')], [200, 404, 404])
  assert.deepEqual([await quote(bo, '@mara'), await quote(key, '@mara')], [200, 404])
  // What a visitor has named takes no room of the owner's.
  assert.equal(await upload(key, 'mara', 64), 200)
  assert.equal(await quote(key, '@mara'), 200)
  const { data } = await kinora.call<{ assets: { id: string; name: string; subject: string | null }[] }>(
    'GET',
    '/api/v1/asset?named=true&pageSize=100',
    { headers: { authorization: `Bearer ${key}` } },
  )
  const subjects = Map.groupBy(data.assets, ({ subject }) => subject)
  assert.deepEqual([subjects.size, subjects.get(null)?.map(({ name }) => name)], [2, ['mara']])
  const file = `/replicate/v1/files/${subjects.get(null)?.[0]?.id}`
  const statuses = [
    await callWith(bo, 'GET', file),
    await callWith(bo, 'DELETE', file),
    await callWith(key, 'GET', file),
  ]
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [404, 404, 200],
  )
  assert.match((await callWith(cy, 'GET', '/replicate/v1/files')).text, /"results":\[\]/)
})

test('200: Idempotency-Key of two subjects → a film each; of one subject → replayed, and 422 for other metadata', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const key = await keyOf(ann)
  const make = (credential: string, metadata: object = { order: '1', shop: 'a' }) =>
    kinora.call<Data>('POST', '/api/v1/video/generate', {
      body: { ...generateBody, metadata },
      headers: { authorization: `Bearer ${credential}`, 'idempotency-key': 'order 1' },
    })
  const first = await make(await tokenOf(key, { subject: 'bo' }))
  const again = await make(await tokenOf(key, { subject: 'bo' }), { shop: 'a', order: '1' })
  const other = await make(await tokenOf(key, { subject: 'cy' }))
  const ofKey = await make(key)
  assert.equal(first.data.uuid, again.data.uuid)
  assert.equal(new Set([first, other, ofKey].map(({ data }) => data.uuid)).size, 3)
  assert.equal(
    (await make(await tokenOf(key, { subject: 'bo' }), { order: '2' })).error?.code,
    'IDEMPOTENCY_KEY_REUSED',
  )
})

type Operation = { operationId: string; security?: Record<string, unknown>[] }
type Document = { paths: Record<string, Record<string, Operation>> }

test('403: every operation that takes an API key, with a token → refused, but for those about films of its own', async () => {
  const ann = await kinora.person()
  const token = await tokenOf(await keyOf(ann), { subject: 'bo' })
  const document = await readDocuments<Document>(kinora)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  const ofKeys = operations.filter(({ security = [] }) => security.some((each) => 'apiKey' in each))
  const allowed: string[] = []
  for (const { method, path, operationId } of ofKeys) {
    const isRead = method === 'GET'
    const response = await fetch(kinora.url + path.replace(/\{\w+\}/g, randomUUID()), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(isRead ? {} : { 'content-type': 'application/json' }) },
      ...(isRead ? {} : { body: '{}' }),
    })
    if (response.status !== 403) allowed.push(operationId)
    await response.body?.cancel()
  }
  assert.deepEqual(allowed.sort(), [
    'cancelVideo',
    'changeAsset',
    'deleteAsset',
    'deleteVideo',
    'generateVideo',
    'getAsset',
    'getKey',
    'getLimits',
    'getTask',
    'getVideo',
    'listAssets',
    'listVideos',
    'quoteVideo',
    'streamVideoEvents',
    'uploadAsset',
    'uploadImage',
  ])
  // Those of sign-in know no token.
  assert.equal((await callWith(token, 'GET', '/api/auth/get-session')).text, 'null')
  assert.equal((await callWith(token, 'GET', '/api/auth/list-sessions')).status, 401)
})

test('403: MCP with a token → the tools about films of its own, and no other', async () => {
  const ann = await kinora.person()
  const key = await keyOf(ann)
  const token = await tokenOf(key, { subject: 'bo' })
  const rpc = async (method: string, params: object) => {
    const response = await fetch(`${kinora.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { status: response.status, text: await response.text() }
  }
  const { text } = await rpc('tools/list', {})
  const names = [...text.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
  const refused: string[] = []
  const film = await filmOf(key)
  for (const name of names) {
    const called = await rpc('tools/call', { name, arguments: { uuid: film, model: 'delta-1-5' } })
    if (called.status === 403) {
      assert.match(called.text, new RegExp(FORBIDDEN))
      refused.push(name)
    }
  }
  assert.deepEqual(
    refused,
    names.filter((name) => /credits|project|shot/.test(name)),
  )
  for (const name of ['get_video', 'cancel_video', 'delete_video'])
    assert.match((await rpc('tools/call', { name, arguments: { uuid: film } })).text, /NOT_FOUND/)
  assert.ok(!(await rpc('tools/call', { name: 'list_videos', arguments: {} })).text.includes(film))
})
