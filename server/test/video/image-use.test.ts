// slow
/** Using an uploaded start image: link checks, the link for the provider, and when the image is removed. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { sweepAssets } from '../../src/asset/asset.ts'
import { signLink } from '../../src/storage/link.ts'
import { generateBody, openKinora, type Person, pathsOf } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { keptOf, rowsOf, send } from '../support/images.ts'

const kinora = await openKinora({ simulator: true, env: { FILE_URL_TTL: '5m' } })
const { app } = kinora
const DAY_MS = 86_400_000

const quote = (as: Person, startImageUrl: string) =>
  kinora.call('POST', '/api/v1/video/quote', { as, body: { ...generateBody, startImageUrl } })

test('200: uploaded start image → quote, generate, provider fetch, new link for the owner, reuse', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data } = await send(kinora, ann, await images.plain(1280, 720, 'png', '#00a040'))
  assert.equal((await quote(ann, data.url)).status, 200)
  const made = await kinora.generate(ann, { startImageUrl: data.url })
  assert.equal(made.status, 200)
  // The task is submitted after the user's link has expired.
  kinora.turnClock(10 * 60_000)
  const sentAt = app.now().getTime()
  const { status, error } = await kinora.finish(ann, made.data.uuid)
  assert.deepEqual([status, error], ['COMPLETED', null])
  const inputs = ((await kinora.simulator?.tasks()) ?? []).flatMap((task) => task.inputs)
  const { pathname } = new URL(data.url)
  const given = new URL(inputs.find(({ url }) => url.includes(pathname))?.url ?? '')
  assert.ok(Number(given.searchParams.get('exp')) * 1000 >= sentAt + DAY_MS)
  const row = await kinora.call<{ startImageUrl: string; thumbnailUrl: string }>(
    'GET',
    `/api/v1/video/${made.data.uuid}`,
    { as: ann },
  )
  assert.notEqual(row.data.startImageUrl, data.url)
  assert.equal((await fetch(row.data.startImageUrl)).status, 200)
  // The film's first frame is the image.
  const thumbnail = Buffer.from(await (await fetch(row.data.thumbnailUrl)).arrayBuffer())
  const { data: pixels } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, green = 0, blue = 0] = pixels.subarray(0, 3)
  assert.ok(red < 60 && green > 110 && blue < 110, `${red} ${green} ${blue}`)
  assert.equal((await kinora.generate(ann, { startImageUrl: row.data.startImageUrl })).status, 200)
})

test('200: same Idempotency-Key, image under another link → idempotent replay', async () => {
  const ann = await kinora.person()
  const key = { 'idempotency-key': 'one' }
  const png = await images.plain(100, 100)
  const first = await kinora.generate(ann, { startImageUrl: (await send(kinora, ann, png)).data.url }, key)
  kinora.turnClock(app.config.fileUrlTtlS * 1000)
  const { url } = (await send(kinora, ann, png)).data
  const second = await kinora.generate(ann, { startImageUrl: url }, key)
  assert.deepEqual([second.status, second.data.uuid], [200, first.data.uuid])
})

test('200: same Idempotency-Key, link expired or image removed → idempotent replay', async () => {
  const ann = await kinora.person()
  const key = { 'idempotency-key': 'two' }
  const { url } = (await send(kinora, ann, await images.plain(100, 100))).data
  const first = await kinora.generate(ann, { startImageUrl: url }, key)
  assert.equal(first.status, 200)
  await app.sql`update kinora.asset set state = 'going' where user_id = ${ann.userId}`
  const gone = await kinora.generate(ann, { startImageUrl: url }, key)
  assert.deepEqual([gone.status, gone.data], [200, first.data])
  kinora.turnClock((app.config.fileUrlTtlS * 9 * 1000) / 8 + 1000)
  const over = await kinora.generate(ann, { startImageUrl: url }, key)
  assert.deepEqual([over.status, over.data], [200, first.data])
  const other = await kinora.generate(ann, { startImageUrl: url, prompt: 'Another boat' }, key)
  assert.deepEqual([other.status, other.error?.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  for (const headers of [{}, { 'idempotency-key': 'three' }]) {
    const unknown = await kinora.generate(ann, { startImageUrl: url }, headers)
    assert.equal(unknown.status, 400)
    assert.match(unknown.error?.message ?? '', /has expired; upload/)
  }
})

test('400: link forged, expired, of another user, of a removed image, or to another file → INVALID_REQUEST', async (t: TestContext) => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { url } = (await send(kinora, ann, await images.plain(100, 100))).data
  const sign = (key: string) => signLink(app.config, key, { nowMs: app.now().getTime(), ttlS: app.config.fileUrlTtlS })
  const cases: [string, Person, string, RegExp][] = [
    ['forged', ann, url.replace(/sig=.{6}/, 'sig=AAAAAA'), /^The startImageUrl is not a link to an asset of yours/],
    ['longer', ann, url.replace(/exp=\d/, 'exp=9'), /is not a link to an asset of yours/],
    ['unsigned', ann, url.replace(/\?.*/, ''), /is not a link to an asset of yours/],
    ['of another', bob, url, /is not a link to an asset of yours; upload it first\.$/],
    ['a film', ann, sign(`video/${ann.userId}/${ann.userId}.mp4`), /is not a link to an asset of yours/],
    ['never kept', ann, sign(`asset/${ann.userId}/${ann.userId}.png`), /is no longer kept; upload it again\.$/],
  ]
  for (const [title, as, startImageUrl, message] of cases) {
    await t.test(title, async () => {
      for (const answer of [await quote(as, startImageUrl), await kinora.generate(as, { startImageUrl })]) {
        assert.deepEqual([answer.status, answer.error?.code], [400, 'INVALID_REQUEST'])
        assert.match(answer.error?.message ?? '', message)
        assert.deepEqual(pathsOf(answer), ['startImageUrl'])
      }
    })
  }
  assert.equal((await quote(ann, url)).status, 200)
  kinora.turnClock((app.config.fileUrlTtlS * 9 * 1000) / 8 + 1000)
  assert.match((await quote(ann, url)).error?.message ?? '', /^The link to the start image has expired; upload/)
})

test('sweep: unused image → removed after 30 days; used image → removed after its video', async () => {
  const ann = await kinora.person()
  const used = await send(kinora, ann, await images.plain(100, 100, 'png', 'red'))
  await send(kinora, ann, await images.plain(100, 100, 'png', 'blue'))
  const made = await kinora.generate(ann, { startImageUrl: used.data.url })
  assert.equal((await kinora.finish(ann, made.data.uuid)).status, 'COMPLETED')
  const kept = async (days: number) => {
    kinora.turnClock(days * DAY_MS)
    while ((await sweepAssets(app)) > 0);
    assert.equal((await rowsOf(kinora, ann)).length, keptOf(kinora, ann).length)
    return keptOf(kinora, ann).length
  }
  assert.equal(await kept(29), 2)
  assert.equal(await kept(1.1), 1)
  assert.equal(await kept(31), 1)
  // The session has expired meanwhile.
  await app.sql`update public.session set "expiresAt" = ${new Date(app.now().getTime() + DAY_MS)} where token = public.stored_token(${ann.token})`
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${made.data.uuid}`, { as: ann })).status, 200)
  assert.equal(await kept(30.1), 0)
  const key = new URL(used.data.url).pathname.replace('/files/', '')
  const link = signLink(app.config, key, { nowMs: app.now().getTime(), ttlS: 60 })
  assert.equal((await fetch(link)).status, 404)
})

test('sweep: image used by failed videos only → removed after 30 days', async () => {
  const ann = await kinora.person()
  const { data } = await send(kinora, ann, await images.plain(100, 100))
  const made = await kinora.generate(ann, { startImageUrl: data.url })
  await kinora.call('POST', `/api/v1/video/${made.data.uuid}/cancel`, { as: ann })
  kinora.turnClock(30.1 * DAY_MS)
  while ((await sweepAssets(app)) > 0);
  assert.deepEqual([await rowsOf(kinora, ann), keptOf(kinora, ann)], [[], []])
})

test('sweep: process died between storing and recording → file and row removed', async () => {
  const ann = await kinora.person()
  await send(kinora, ann, await images.plain(64, 64))
  const now = app.now()
  await app.sql`
    update kinora.asset set state = 'storing', due_at = ${new Date(now.getTime() + 3600_000)}
    where user_id = ${ann.userId}
  `
  const before = keptOf(kinora, ann)
  assert.equal((await send(kinora, ann, await images.plain(64, 64))).status, 200)
  kinora.turnClock(3600_000 + 1000)
  await sweepAssets(app)
  assert.equal((await rowsOf(kinora, ann)).length, 1)
  assert.equal(keptOf(kinora, ann).length, 1)
  assert.notDeepEqual(keptOf(kinora, ann), before)
})
