/** The image fields of generate besides the start image: modes, uploads, links and what the provider gets. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepAssets } from '../../src/asset/asset.ts'
import { addModel, modelOf } from '../support/changed-models.ts'
import { openKinora, pathsOf } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { keptOf, send } from '../support/images.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())

addModel('frames', {
  modes: {
    ...modelOf('delta-1-5').modes,
    'first-last': { duration: [8], aspectRatio: 'follows the image' },
    reference: { duration: [4, 8], inputs: { reference: { from: 1, to: 2 } } },
  },
  routes: [
    {
      account: 'provider-a',
      input: {
        mode: 'mode',
        first: 'start',
        last: 'end',
        all: 'referenceImages',
        ratio: 'aspectRatio',
      },
    },
  ],
})

const ann = await kinora.person({ credits: 1000 })
const url = (name: string) => `https://example.com/${name}.png`
const frames = (change: object) => kinora.generate(ann, { model: 'frames', duration: 8, ...change })

test('200: start and end image, references → the mode by the images; the provider gets each', async () => {
  await runNextStep(kinora, (await frames({ startImageUrl: url('a'), endImageUrl: url('b') })).data.uuid)
  const { callback_url: _, model: __, ...ends } = provider.submits.at(-1)?.body ?? {}
  assert.deepEqual(ends, { mode: 'first-last', first: url('a'), last: url('b') })
  await runNextStep(kinora, (await frames({ referenceImageUrls: [url('a'), url('b')] })).data.uuid)
  const { callback_url: ___, model: ____, ...references } = provider.submits.at(-1)?.body ?? {}
  assert.deepEqual(references, { mode: 'reference', all: [url('a'), url('b')], ratio: '16:9' })
})

test('200, 400: no aspectRatio → none is needed where the film has the shape of its image, elsewhere the error names the ratios', async () => {
  const shaped = { startImageUrl: url('a'), endImageUrl: url('b'), aspectRatio: undefined }
  const { data, status } = await frames(shaped)
  assert.equal(status, 200)
  await runNextStep(kinora, data.uuid)
  assert.equal(provider.submits.at(-1)?.body.ratio, undefined)
  const refused = await frames({ aspectRatio: undefined })
  assert.deepEqual([refused.status, refused.error?.code, pathsOf(refused)], [400, 'INVALID_REQUEST', ['aspectRatio']])
  assert.match(refused.error?.message ?? '', /needs aspectRatio here, one of 16:9, 9:16/)
})

test('200: uploaded end and reference images → links for provider and owner; kept while the video is', async () => {
  const bob = await kinora.person({ credits: 100 })
  const first = (await send(kinora, bob, await images.plain(640, 360, 'png', 'red'))).data.url
  const last = (await send(kinora, bob, await images.plain(640, 360, 'png', 'blue'))).data.url
  const ofFrames = { model: 'frames', duration: 8 }
  const ends = await kinora.generate(bob, { ...ofFrames, startImageUrl: first, endImageUrl: last })
  assert.equal(ends.status, 200, JSON.stringify(ends.error))
  await runNextStep(kinora, ends.data.uuid)
  const { pathname } = new URL(last)
  assert.equal(new URL(String(provider.submits.at(-1)?.body.last)).pathname, pathname)
  const { data } = await kinora.call<{ endImageUrl: string }>('GET', `/api/v1/video/${ends.data.uuid}`, { as: bob })
  assert.equal(new URL(data.endImageUrl).pathname, pathname)
  assert.equal((await kinora.generate(bob, { ...ofFrames, referenceImageUrls: [last] })).status, 200)

  kinora.turnClock(8 * 86_400_000)
  await kinora.app.sql`update kinora.asset set due_at = ${kinora.app.now()} where user_id = ${bob.userId}`
  await sweepAssets(kinora.app)
  assert.equal((await keptOf(kinora, bob)).length, 2)
  const old = await kinora.generate(bob, { ...ofFrames, referenceImageUrls: [last] })
  assert.match(old.error?.message ?? '', /link to the reference image 1 has expired/)
  assert.match((await frames({ referenceImageUrls: [last] })).error?.message ?? '', /not a link to an asset of yours/)
})

const [a, b] = [url('a'), url('b')]
const refused: [what: string, body: object, path: string, message: RegExp][] = [
  ['end image without a start image', { endImageUrl: b }, 'startImageUrl', /needs startImageUrl/],
  [
    'references beside a start image',
    { referenceImageUrls: [a], startImageUrl: b },
    'startImageUrl',
    /takes no startImageUrl in the mode reference/,
  ],
  ['more references than the model takes', { referenceImageUrls: [a, b, a] }, 'referenceImageUrls', /takes 1 to 2/],
  ['no reference', { referenceImageUrls: [] }, 'referenceImageUrls', /./],
  ['a duration of another mode', { duration: 6, startImageUrl: a, endImageUrl: b }, 'duration', /films of 8 seconds/],
  [
    'a private address as end image',
    { startImageUrl: a, endImageUrl: 'https://127.0.0.1/a.png' },
    'endImageUrl',
    /cannot be used/,
  ],
  ['a reference that is no link', { referenceImageUrls: ['boat'] }, 'referenceImageUrls', /absolute https URL/],
  [
    'end image for a model without the mode',
    { model: 'delta-1-5', startImageUrl: a, endImageUrl: b },
    'endImageUrl',
    /leave out endImageUrl/,
  ],
]
for (const [what, body, path, message] of refused) {
  test(`400: ${what} → names the field`, async () => {
    const { status, error } = await frames(body)
    assert.equal(status, 400)
    assert.ok(pathsOf({ error }).includes(path), JSON.stringify(error))
    assert.match(error?.message ?? '', message)
  })
}
