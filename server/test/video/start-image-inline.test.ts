// slow
/** INLINE_START_IMAGE: Kinora fetches users' start images through the SSRF guard and gives providers its own links. */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { test } from 'node:test'
import { workOnce } from '../../src/worker/worker.ts'
import { openKinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { failsWith, imagesSent, openSite, sendImage } from '../support/start-image-fixture.ts'
import { readRow, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora

test('inline: image fetched once, stored → every provider and retry gets our link to the same bytes, and the owner too', async (t) => {
  const ann = await kinora.person()
  const pictures = [await images.plain(320, 180, 'png', '#00a040'), await images.plain(320, 180, 'png', '#a00000')]
  const site = await openSite(kinora, t, (_request, response) =>
    sendImage(response, pictures[site.requests.length - 1] ?? pictures[1] ?? ''),
  )
  const prompt = 'A boat at anchor [down: 2]'
  const { data } = await kinora.generate(ann, { startImageUrl: `${site.url}/boat.png?token=1`, prompt })
  const { status, error } = await kinora.finish(ann, data.uuid)
  assert.deepEqual([status, error], ['COMPLETED', null])
  assert.deepEqual(site.requests, ['/boat.png?token=1'])
  const sent = await imagesSent(kinora, prompt)
  assert.ok(
    sent.length > 0 && sent.every((url) => url.startsWith(`${kinora.url}/files/asset/${ann.userId}/`)),
    String(sent),
  )
  const detail = await kinora.call<{ startImageUrl: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const shown = await fetch(detail.data.startImageUrl)
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png'])
  assert.equal(images.keptOf(kinora, ann).length, 1)
})

test('inline: host that is unknown, private or redirects to a private address → FAILED, credits released', async (t) => {
  const ann = await kinora.person()
  const site = await openSite(kinora, t, (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  )
  const prompt = 'A boat that is elsewhere'
  const { data } = await kinora.generate(ann, { startImageUrl: `${site.url}/boat.png`, prompt })
  await failsWith(
    kinora,
    ann,
    data.uuid,
    prompt,
    /^The start image could not be used: 169\.254\.169\.254 is not an address on the public Internet\.$/,
  )
})

test('inline: response that is no usable image → FAILED with the reason, nothing stored, nothing sent', async (t) => {
  const ann = await kinora.person()
  const small = await images.plain(8, 8)
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'
  const cases: [string, http.RequestListener, RegExp][] = [
    ['html', (_request, response) => sendImage(response, '<html>', 'text/html'), /sent "text\/html" where image/],
    [
      'svg',
      (_request, response) => sendImage(response, svg),
      /This is an SVG, which is not read here; convert it to a PNG, JPEG, WebP or AVIF\.$/,
    ],
    ['small', (_request, response) => sendImage(response, small), /each side must have 64 to 8192\.$/],
    ['empty', (_request, response) => sendImage(response, ''), /The body is empty;/],
    ['large', (_request, response) => sendImage(response, Buffer.alloc(15 * 2 ** 20 + 1)), /./],
    ['gone', (_request, response) => response.writeHead(410).end(), /answered with status 410\.$/],
    ['bomb', (_request, response) => sendImage(response, images.bomb(30_000)), /each side must have 64 to 8192\.$/],
  ]
  let listener: http.RequestListener = () => undefined
  const site = await openSite(kinora, t, (request, response) => listener(request, response))
  for (const [name, respond, reason] of cases) {
    listener = respond
    const prompt = `A boat in ${name}`
    const { data } = await kinora.generate(ann, { startImageUrl: `${site.url}/${name}`, prompt })
    await failsWith(
      kinora,
      ann,
      data.uuid,
      prompt,
      new RegExp(`^The start image could not be used: .*${reason.source}`),
    )
    assert.equal(images.keptOf(kinora, ann).length, 0, name)
    assert.deepEqual(images.folderOf(kinora, 'tmp'), [], name)
  }
})

test('inline: 404 for a minute → tried again, then FAILED; 503 at first → tried again, and sent', async (t) => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(64, 64)
  let isAway = true
  const site = await openSite(kinora, t, ({ url }, response) => {
    if (url === '/missing') response.writeHead(404).end()
    else if (isAway) response.writeHead(503).end()
    else sendImage(response, png)
  })
  const missing = await kinora.generate(ann, { startImageUrl: `${site.url}/missing`, prompt: 'A boat that is missing' })
  const late = await kinora.generate(bob, { startImageUrl: `${site.url}/late`, prompt: 'A boat that is late' })
  await workOnce(app)
  assert.equal((await readRow(kinora, missing.data.uuid)).status, 'PENDING')
  isAway = false
  kinora.turnClock(61_000)
  await failsWith(kinora, ann, missing.data.uuid, 'A boat that is missing', /answered with status 404\.$/)
  assert.equal((await kinora.finish(bob, late.data.uuid)).status, 'COMPLETED')
})

test('inline: three slow images of one user → two are fetched at a time, and another user’s is not kept waiting', async (t) => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const png = await images.plain(64, 64)
  const held = new Map<string, http.ServerResponse>()
  let isSlow = true
  const site = await openSite(kinora, t, ({ url = '' }, response) => {
    if (isSlow && url.startsWith('/slow')) held.set(url, response)
    else sendImage(response, png)
  })
  const slow = new Map<string, string>()
  for (const path of ['/slow1', '/slow2', '/slow3']) {
    const { data } = await kinora.generate(ann, { startImageUrl: site.url + path, prompt: `A boat at ${path}` })
    slow.set(path, data.uuid)
  }
  const quick = await kinora.generate(bob, { startImageUrl: `${site.url}/quick`, prompt: 'A quick boat' })
  const working = workOnce(app)
  await waitFor('two slow requests', () => held.size === 2)
  await waitFor('the quick one to be sent', async () => (await readRow(kinora, quick.data.uuid)).submittedAt !== null)
  assert.equal(held.size, 2)
  // Cancelled while its image is fetched: the fetch ends without effect.
  const cancelled = slow.get([...held.keys()][0] ?? '') ?? ''
  assert.equal((await kinora.call('POST', `/api/v1/video/${cancelled}/cancel`, { as: ann })).status, 200)
  isSlow = false
  for (const response of held.values()) sendImage(response, png)
  await working
  kinora.turnClock(2000)
  for (const uuid of slow.values()) {
    assert.equal((await kinora.finish(ann, uuid)).status, uuid === cancelled ? 'FAILED' : 'COMPLETED')
  }
  assert.equal((await kinora.finish(bob, quick.data.uuid)).status, 'COMPLETED')
})

test('inline: step interrupted after the image is stored, or after that is recorded → the next step makes the film from it', async (t) => {
  for (const [point, fetches] of [
    ['input.stored', 2],
    ['input.recorded', 1],
  ] as const) {
    const ann = await kinora.person()
    const png = await images.plain(64, 64)
    const site = await openSite(kinora, t, (_request, response) => sendImage(response, png))
    const { data } = await kinora.generate(ann, { startImageUrl: `${site.url}/boat.png`, prompt: `A boat at ${point}` })
    const { crashPoint } = app
    app.crashPoint = (name) => {
      if (name === point) throw new Error('interrupted')
    }
    await workOnce(app)
    app.crashPoint = crashPoint
    assert.equal((await readRow(kinora, data.uuid)).submittedAt, null)
    kinora.turnClock(61_000)
    assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
    assert.equal(site.requests.length, fetches)
    assert.equal(images.keptOf(kinora, ann).length, 1, 'the same bytes are the same image')
  }
})
