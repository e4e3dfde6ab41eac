/** `metadata` of generate: what a caller notes beside a film, where it is shown, and the filter of lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })

type Video = { uuid: string; metadata: Record<string, string> | null }
const make = async (as: Person, metadata?: object, change: object = {}) => {
  const body = { ...generateBody, ...change, ...(metadata && { metadata }) }
  const { data, status, text } = await kinora.call<Video & { videos: Video[] }>('POST', '/api/v1/video/generate', {
    as,
    body,
  })
  assert.equal(status, 200, text)
  return data
}
const list = async (as: Person, query: string) => {
  const { data, status, text } = await kinora.call<{ videos: Video[]; total: number }>(
    'GET',
    `/api/v1/video/list?${query}`,
    { as },
  )
  assert.equal(status, 200, text)
  return { ids: data.videos.map(({ uuid }) => uuid), total: data.total, videos: data.videos }
}

test('200: metadata → in detail and list of each film of a request; without it null', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const metadata = { order: '1234', 'né "x"': '' }
  const { videos } = await make(ann, metadata, { n: 2 })
  const plain = await make(ann)
  for (const { uuid } of videos) {
    const { data } = await kinora.call<Video>('GET', `/api/v1/video/${uuid}`, { as: ann })
    assert.deepEqual(data.metadata, metadata)
  }
  const all = await list(ann, 'page=1')
  assert.deepEqual(
    all.videos.map((video) => video.metadata),
    [null, metadata, metadata],
  )
  assert.equal((await kinora.call<Video>('GET', `/api/v1/video/${plain.uuid}`, { as: ann })).data.metadata, null)
})

test('200: list with metadata[key]=value → the films that have all of these, in progress or final, in either sequence', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const [a, b] = [await make(ann, { order: '1', shop: 'a' }), await make(ann, { order: '1', shop: 'b' })]
  await make(ann, { order: '2', shop: 'a' })
  await make(ann)
  const query = (entries: Record<string, string>, more = '') =>
    Object.entries(entries)
      .map(([key, value]) => `metadata[${key}]=${value}`)
      .join('&') + more
  const expect = async (entries: Record<string, string>, films: Video[], more = '') => {
    const { ids, total } = await list(ann, query(entries, more))
    assert.deepEqual([ids, total], [films.map(({ uuid }) => uuid), films.length], JSON.stringify(entries))
  }
  await expect({ order: '1' }, [b, a])
  await expect({ order: '1' }, [a, b], '&sort=oldest')
  await expect({ order: '1', shop: 'a' }, [a])
  await expect({ order: '3' }, [])
  await expect({ order: '1' }, [], '&q=nothing')
  await kinora.call('POST', `/api/v1/video/${a.uuid}/cancel`, { as: ann })
  await expect({ order: '1' }, [b, a])
  await expect({ order: '1' }, [a], '&status=FAILED')
})

test('200: metadata in another service’s format → that of the film, and of its webhook; it changes no film', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const metadata = { duration: '12', order: '1' }
  const film = { prompt: 'A boat', model: 'delta-1-5' }
  const form = new FormData()
  for (const [name, value] of Object.entries(film)) form.set(name, value)
  form.set('metadata[order]', '1')
  form.set('metadata[duration]', '12')
  const options = { kinora: { metadata } }
  const send = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData
    const response = await fetch(kinora.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ann.token}`,
        'ai-model-id': film.model,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.status < 300, text)
    return text
  }
  const openAi = await send('/v1/videos', { ...film, metadata })
  assert.deepEqual(JSON.parse(openAi).metadata, metadata)
  await send('/v1/videos', form)
  await send('/api/v1/videos', { ...film, provider: { options } })
  await send('/ai-gateway/video-model/start', { prompt: film.prompt, n: 1, providerOptions: options })
  const { videos } = await list(ann, 'page=1')
  assert.deepEqual(
    videos.map((video) => video.metadata),
    Array(4).fill(metadata),
  )
  assert.deepEqual(new Set(videos.map((video) => (video as unknown as { duration: number }).duration)), new Set([4]))
})

test('400: too many entries, names, values that are too long, no text, or with a null character → names the field', async () => {
  const ann = await kinora.person()
  const entries = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']))
  const most = { ...entries(15), ['k'.repeat(64)]: '😀'.repeat(512) }
  await make(ann, most)
  for (const metadata of [
    entries(17),
    { ['k'.repeat(65)]: 'v' },
    { '': 'v' },
    { k: 'v'.repeat(513) },
    { k: 1 },
    { k: null },
    { k: 'a\u0000' },
    { 'k\u0000': 'a' },
    ['v'],
    'v',
  ]) {
    const { status, error, text } = await kinora.call('POST', '/api/v1/video/generate', {
      as: ann,
      body: { ...generateBody, metadata },
    })
    assert.equal(status, 400, JSON.stringify(metadata))
    assert.ok(error?.code === 'INVALID_REQUEST' && text.includes('metadata'), text)
  }
  for (const query of ['metadata=1', 'metadata[a]=1&metadata[a]=2'])
    assert.equal((await kinora.call('GET', `/api/v1/video/list?${query}`, { as: ann })).status, 400, query)
  assert.deepEqual((await list(ann, 'metadata[__proto__]=1')).ids, [])
})

test('200: lone surrogate in metadata → stored as PostgreSQL can', async () => {
  const ann = await kinora.person()
  const { uuid } = await make(ann, { k: 'a\ud800' })
  const { data } = await kinora.call<Video>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.deepEqual(data.metadata, { k: 'a\ufffd' })
})
