/** A provider that takes no link: the start image is uploaded to it before the task is sent. */
import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import type { Provider, UploadedFile } from '../../src/provider/provider.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { openKinora, type Person } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { providersWith } from '../support/providers-with.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { openSite, sendImage } from '../support/start-image-fixture.ts'
import { readRow, runUntilFinal } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
after(() => provider.close())
beforeEach(() => provider.reset())

type Upload = NonNullable<Provider['upload']>
function uploadsBy(t: TestContext, upload: Upload): UploadedFile[] {
  const uploaded: UploadedFile[] = []
  providersWith(t, app, {
    upload: async (image, options) => {
      uploaded.push({ ...image, file: new Blob([await image.file.arrayBuffer()]) })
      return upload(image, options)
    },
  })
  return uploaded
}
const imageSent = () =>
  (provider.submits.at(-1)?.body.input ?? provider.submits.at(-1)?.body) as Record<string, unknown>
async function filmFrom(ann: Person, startImageUrl: string): Promise<string> {
  const { data, error } = await kinora.generate(ann, { startImageUrl })
  assert.equal(error, undefined)
  await workOnce(app)
  return data.uuid
}
const uploadedImage = async (ann: Person) => (await images.send(kinora, ann, await images.plain(320, 180))).data.url
const balanceOf = async (ann: Person) => {
  const { available, frozen } = await kinora.balance(ann)
  return { available, frozen }
}

test('upload: stored image → its bytes are uploaded, and the task names what the provider returned', async (t) => {
  const uploaded = uploadsBy(t, async () => ({ kind: 'uploaded', value: 'asset-1' }))
  const ann = await kinora.person()
  const uuid = await filmFrom(ann, await uploadedImage(ann))
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  assert.match(JSON.stringify(imageSent()), /"asset-1"/)
  const [image] = uploaded
  assert.equal(image?.contentType, 'image/png')
  assert.match(image.name, /^[0-9a-f-]{36}\.png$/)
  assert.deepEqual(Buffer.from(await image.file.arrayBuffer()).toString('latin1', 1, 4), 'PNG')
})

test('upload: image of another site, without INLINE_START_IMAGE → fetched once, stored and uploaded', async (t) => {
  const uploaded = uploadsBy(t, async () => ({ kind: 'uploaded', value: 'asset-2' }))
  const ann = await kinora.person()
  const png = await images.plain(320, 180)
  const site = await openSite(kinora, t, (_request, response) => sendImage(response, png))
  app.config.inlineStartImage = false
  await filmFrom(ann, `${site.url}/boat.png`)
  assert.deepEqual([site.requests, uploaded.length], [['/boat.png'], 1])
  assert.match(JSON.stringify(imageSent()), /"asset-2"/)
  assert.equal(images.keptOf(kinora, ann).length, 1)
})

test('upload: provider does not take it now → not accepted: again, and then the next provider, nothing sent before', async (t) => {
  let isAway = true
  const uploaded = uploadsBy(t, async () =>
    isAway ? { kind: 'not_accepted', reason: 'busy', retryable: true } : { kind: 'uploaded', value: 'asset-3' },
  )
  const ann = await kinora.person()
  const uuid = await filmFrom(ann, await uploadedImage(ann))
  const row = await readRow(kinora, uuid)
  assert.deepEqual([row.status, row.attempt, row.submittedAt, provider.submits.length], ['PENDING', 1, null, 0])
  isAway = false
  kinora.turnClock(5_000)
  await workOnce(app)
  assert.equal((await readRow(kinora, uuid)).status, 'GENERATING')
  assert.deepEqual([uploaded.length, provider.submits.length], [2, 1])
})

test('upload: image refused → FAILED with its name and the provider’s reason, credits released, nothing sent', async (t) => {
  uploadsBy(t, async () => ({ kind: 'refused', failure: { code: 'INPUT_REFUSED', message: 'A face is not allowed.' } }))
  const ann = await kinora.person()
  const uuid = await filmFrom(ann, await uploadedImage(ann))
  const row = await readRow(kinora, uuid)
  assert.deepEqual(
    [row.status, row.error, provider.submits.length],
    ['FAILED', 'The start image could not be used: A face is not allowed.', 0],
  )
  assert.deepEqual(await balanceOf(ann), { available: 60, frozen: 0 })
})

test('upload: storage is away → tried again; image that is gone → FAILED', async (t) => {
  uploadsBy(t, async () => ({ kind: 'uploaded', value: 'asset-4' }))
  const ann = await kinora.person({ credits: 60 })
  const { read } = app.storage
  t.after(() => {
    app.storage.read = read
  })
  app.storage.read = () => Promise.reject(new Error('the disk is on fire'))
  const url = await uploadedImage(ann)
  const uuid = await filmFrom(ann, url)
  assert.equal((await readRow(kinora, uuid)).status, 'PENDING')
  app.storage.read = async () => null
  assert.equal((await runUntilFinal(kinora, uuid)).error, 'The start image could not be used: It is no longer stored.')
  assert.deepEqual(await balanceOf(ann), { available: 60, frozen: 0 })
})
