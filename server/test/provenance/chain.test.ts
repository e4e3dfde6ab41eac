// slow
/** Content credentials have what a film was made from: films followed to the beginning; pictures; the vendor's. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openSigner } from '../../src/provenance/keys.ts'
import { addModel, modelOf } from '../support/changed-models.ts'
import { judge, signByVendor } from '../support/content-credentials.ts'
import * as films from '../support/films.ts'
import { openKinora, type Person } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { facts, sign } from '../support/signed-film.ts'
import { startAuthority } from '../support/time-stamp-authority.ts'

const kinora = await openKinora({ simulator: true })
const { modes } = modelOf('delta-1-5')
const input = { prompt: 'prompt', duration: 'duration', aspect_ratio: 'aspectRatio', quality: 'quality' }
addModel('extender', {
  modes: { ...modes, extend: { duration: [4], aspectRatio: 'follows the image' } },
  routes: [{ account: 'provider-a', input: { ...input, video_url: 'film' } }],
})
addModel('upscaler', {
  modes: {
    upscale: {
      prompt: 'none',
      duration: { follows: 'film', from: 3, to: 8 },
      quality: ['1080p', '4k'],
      aspectRatio: 'follows the image',
    },
  },
  price: { per: 'second', credits: { '1080p': 2, '4k': 5 } },
  routes: [{ account: 'provider-a', input: { ...input, video_url: 'film' } }],
})

async function filmOf(ann: Person, body: Record<string, unknown>) {
  const { data, error } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
  assert.equal(error, undefined)
  const task = await kinora.finish(ann, data.uuid)
  assert.equal(task.status, 'COMPLETED', task.error ?? '')
  const detail = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const bytes = Buffer.from(await (await fetch(detail.data.videoUrl)).arrayBuffer())
  const root = readFileSync(path.join(kinora.app.config.dataDir, 'provenance/root.pem'), 'utf8')
  const found = (await judge(bytes, 'video/mp4', root)) ?? assert.fail('the film has content credentials')
  assert.deepEqual([found.state, found.failures], ['Trusted', []])
  return { uuid: data.uuid, found }
}

const text = { model: 'delta-1-5', prompt: 'A paper boat', duration: 4, aspectRatio: '16:9' }

test('ingredients: film extended, then upscaled → each has the one before as its parent; the chain is followed to the beginning', async () => {
  const ann = await kinora.person({ credits: 200 })
  const first = await filmOf(ann, text)
  const second = await filmOf(ann, { model: 'extender', prompt: 'It sinks', duration: 4, extendFrom: first.uuid })
  const third = await filmOf(ann, { model: 'upscaler', upscaleFrom: second.uuid })
  assert.deepEqual([first.found.actions, first.found.ingredients], [['c2pa.created'], []])
  for (const [film, parent] of [
    [second, first],
    [third, second],
  ] as const) {
    assert.deepEqual(film.found.actions, ['c2pa.opened', 'c2pa.edited'])
    assert.deepEqual(film.found.ingredients, [{ relationship: 'parentOf', manifest: parent.found.active }])
  }
  assert.deepEqual(third.found.manifests.sort(), [first, second, third].map(({ found }) => found.active).sort())
})

test('ingredients: film from a picture of a person → composite, with the picture as its input', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data } = await images.send(kinora, ann, await images.plain(640, 360))
  const { found } = await filmOf(ann, { ...text, startImageUrl: data.url })
  assert.deepEqual(found.actions, ['c2pa.created'])
  assert.deepEqual(found.sourceTypes, ['compositeWithTrainedAlgorithmicMedia'])
  assert.deepEqual(found.ingredients, [{ relationship: 'inputTo', manifest: undefined }])
})

test('ingredients: film that its vendor has signed → keeps that manifest as its parent, and is signed here once', async (t) => {
  const film = await films.greyFilm(320, 180, 1)
  const vendor = await openSigner(
    { dataDir: path.join(kinora.app.config.dataDir, 'vendor'), provenance: { certificate: null, key: null } },
    new Date(),
  )
  const theirs = await signByVendor(vendor, film)
  const label = (await judge(theirs, 'video/mp4', vendor.root ?? ''))?.active ?? assert.fail('the vendor has signed')
  const input = { relationship: 'input', contentType: 'image/png', manifests: null } as const
  const signed = await sign(t, theirs, { facts: { ...facts, isComposite: true, ingredients: [input] } })
  const found = await judge(signed.bytes, 'video/mp4', signed.root + vendor.root)
  assert.deepEqual([found?.state, found?.failures], ['Trusted', []])
  assert.deepEqual(found?.actions, ['c2pa.opened', 'c2pa.edited'])
  assert.deepEqual(found?.ingredients, [
    { relationship: 'parentOf', manifest: label },
    { relationship: 'inputTo', manifest: undefined },
  ])
  assert.equal(found?.manifests.length, 2)
})

test('time stamp: authority out of order → with `on` the film is signed without, with `required` it waits for it', async (t) => {
  const { config } = kinora.app
  const { provenance } = config
  const authority = await startAuthority()
  t.after(() => {
    config.provenance = provenance
    return authority.close()
  })
  const ann = await kinora.person({ credits: 100 })
  authority.answer(() => ({ status: 500, body: Buffer.alloc(0) }))
  config.provenance = { ...provenance, tsa: authority.url }
  const without = await filmOf(ann, text)
  assert.equal(without.found.text.includes('"timeStamp.validated"'), false)

  config.provenance = { ...provenance, mode: 'required', tsa: authority.url }
  const asked = authority.asked()
  const { data } = await kinora.generate(ann, text)
  await kinora.workUntil(async () => authority.asked() > asked)
  const { data: task } = await kinora.call<{ status: string }>('GET', `/api/v1/video/task?uuid=${data.uuid}`, {
    as: ann,
  })
  assert.notEqual(task.status, 'COMPLETED')
  authority.answer(null)
  kinora.turnClock(60_000)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  const [row] = await kinora.app.sql<{ isSigned: boolean }[]>`
    select signed_at is not null as is_signed from kinora.video_provenance where video_id = ${data.uuid}
  `
  assert.deepEqual(row, { isSigned: true })
})
