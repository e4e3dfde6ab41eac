/** Uploads that are expensive to decode: their cost is judged by the header, and they delay their own user only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queues } from '../../src/media/queues.ts'
import { openKinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { rowsOf, send } from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()

test('200: small upload beside eight expensive ones of another user → is inspected next', async (t) => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const small = await images.plain(64, 64)
  const { image } = queues
  const inspected: (string | null)[] = []
  const { acquire } = image
  t.after(() => Object.assign(image, { acquire }))
  const asked = Promise.withResolvers<void>()
  let before = 0
  image.acquire = async (userId, signal) => {
    const granted = acquire(userId, signal)
    if (userId === bob.userId) {
      before = inspected.length
      asked.resolve()
    }
    const release = await granted
    inspected.push(userId)
    return release
  }
  const costly = Array.from({ length: 8 }, (_, n) => images.costlyPng(1200 + n, 1000))
  const uploads = costly.map(async (png) => (await send(kinora, ann, png)).status)
  await waitFor("Ann's uploads", () => image.waiting().callers > 2)
  const theirs = send(kinora, bob, small)
  await asked.promise
  assert.ok(before < 4, "most of Ann's wait")
  assert.equal((await theirs).status, 200)
  assert.deepEqual(await Promise.all(uploads), Array(8).fill(200))
  // One of Ann's may have been granted in the same turn.
  assert.ok(
    inspected.slice(before, before + 2).includes(bob.userId),
    `${inspected.indexOf(bob.userId)} after ${before}`,
  )
})

test('400: image whose header announces an expensive decoding → refused before a pixel is decoded', async () => {
  const ann = await kinora.person()
  const deep = images.costlyPng(8192, 6144, { isCut: true })
  const { status, error } = await send(kinora, ann, deep)
  assert.equal(status, 400)
  assert.match(error?.message ?? '', /^The image takes too long to decode: .*without interlacing/)
  const scans = await send(kinora, ann, await images.manyScansJpeg(4000, 3000, 5000), 'image/jpeg')
  assert.equal(scans.status, 400)
  assert.match(scans.error?.message ?? '', /^The image takes too long to decode/)
  assert.deepEqual(await rowsOf(kinora, ann), [])
})

test('400: 50 million pixels with 8 bits, interlaced, cut short → its cost is accepted, its end is missing', async () => {
  const ann = await kinora.person()
  const { error } = await send(kinora, ann, images.costlyPng(7000, 7000, { depth: 8, isCut: true }))
  assert.match(error?.message ?? '', /cut short/)
})
