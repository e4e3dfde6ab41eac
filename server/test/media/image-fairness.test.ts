/** Uploads that are expensive to decode: their cost is judged by the header, and they delay their own user only. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { folderOf, rowsOf, send } from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()

test("200: small upload beside eight expensive ones of another user → finishes before that user's third", async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const small = await images.plain(64, 64)
  const finished: string[] = []
  const costly = Array.from({ length: 8 }, (_, n) => images.costlyPng(1200 + n, 1000))
  const uploads = costly.map(async (png, n) => {
    const { status } = await send(kinora, ann, png)
    finished.push(`ann ${n}`)
    return status
  })
  const received = () =>
    folderOf(kinora, 'tmp').filter((dir) => sizeOf(path.join(kinora.app.config.dataDir, 'tmp', dir, 'upload')) > 1000)
  await waitFor("Ann's uploads", () => received().length + finished.length === 8)
  assert.equal((await send(kinora, bob, small)).status, 200)
  finished.push('bob')
  assert.deepEqual(await Promise.all(uploads), Array(8).fill(200))
  assert.ok(finished.indexOf('bob') < 3, finished.join(', '))
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

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
