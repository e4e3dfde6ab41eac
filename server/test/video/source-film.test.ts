/** `POST /api/v1/video/generate` with `extendFrom` or `upscaleFrom`: which films serve, until its submit. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { addModel, modelOf } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { forgetFailuresBeforeEach } from '../support/forget-failures.ts'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())
forgetFailuresBeforeEach(kinora)

addModel('extender', {
  modes: { ...modelOf('delta-1-5').modes, extend: { aspectRatio: 'follows the image' } },
  routes: [{ account: 'provider-a', input: { prompt: 'prompt', video_url: 'film' } }],
})
addModel('upscaler', {
  modes: {
    upscale: {
      prompt: 'none',
      duration: { follows: 'film', from: 4, to: 4 },
      quality: ['1080p'],
      aspectRatio: 'follows the image',
    },
  },
  price: { per: 'second', credits: 2 },
  routes: [{ account: 'provider-a', input: { video_url: 'film' } }],
})

const bodies = {
  extend: (uuid: string) => ({ ...generateBody, model: 'extender', extendFrom: uuid }),
  upscale: (uuid: string) => ({ model: 'upscaler', upscaleFrom: uuid }),
}

for (const use of ['extend', 'upscale'] as const) {
  const send = (as: Person, uuid: string, { operation = 'generate', key = '', change = {} } = {}) =>
    kinora.call<{ uuid: string }>('POST', `/api/v1/video/${operation}`, {
      as,
      body: { ...bodies[use](uuid), ...change },
      ...(key && { headers: { 'idempotency-key': key } }),
    })

  test(`404: film to ${use} of another user, deleted, or unknown → as if there were none, nothing frozen`, async () => {
    const [ann, bob] = [await kinora.person({ credits: 60 }), await kinora.person({ credits: 60 })]
    const others = await completedVideo(kinora, bob)
    const deleted = await completedVideo(kinora, ann)
    await kinora.call('DELETE', `/api/v1/video/${deleted}`, { as: ann })
    const before = await kinora.balance(ann)
    for (const uuid of [others, deleted, '00000000-0000-7000-8000-000000000000']) {
      const { status, error } = await send(ann, uuid)
      assert.deepEqual([status, error?.code, error?.message], [404, 'NOT_FOUND', `There is no such video to ${use}.`])
      assert.equal((await send(ann, uuid, { operation: 'quote' })).status, 404)
    }
    assert.deepEqual(await kinora.balance(ann), before)
  })

  test(`409: video to ${use} without a film → what to do`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const refused = async (uuid: string, message: string) => {
      const { status, error } = await send(ann, uuid)
      assert.deepEqual([status, error?.message, error?.details], [409, message, [{ path: `${use}From`, message }]])
    }
    const { data: pending } = await kinora.generate(ann)
    await refused(pending.uuid, `The video to ${use} has no film yet; wait until it is COMPLETED.`)
    await kinora.call('POST', `/api/v1/video/${pending.uuid}/cancel`, { as: ann })
    await refused(pending.uuid, `The video to ${use} has failed; choose one that is COMPLETED.`)
    const removed = await completedVideo(kinora, ann)
    await kinora.app.sql`update kinora.video set files_removed_at = now() where id = ${removed}`
    await refused(removed, `The film to ${use} is no longer stored; generate it again first.`)
  })

  test(`FAILED: film to ${use} deleted before the submit → nothing is sent, the credits are back`, async () => {
    const ann = await kinora.person({ credits: 60 })
    const source = await completedVideo(kinora, ann)
    const { data } = await send(ann, source)
    await kinora.call('DELETE', `/api/v1/video/${source}`, { as: ann })
    assert.equal((await runNextStep(kinora, data.uuid)).status, 'FAILED')
    assert.ok(!provider.submits.some(({ body }) => JSON.stringify(body).includes('video_url')))
    const { data: detail } = await kinora.call<{ error: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
    assert.equal(detail.error, `The film to ${use} could not be used: There is no such video.`)
    assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 44, used: 16, total: 60 })
  })

  test(`200: same key after the film to ${use} was deleted → idempotent replay; with another quality 422`, async () => {
    const ann = await kinora.person({ credits: 60 })
    const source = await completedVideo(kinora, ann)
    const first = await send(ann, source, { key: 'k' })
    assert.equal((await send(ann, source, { key: 'k', change: { quality: '1080p' } })).status, 422)
    await kinora.call('DELETE', `/api/v1/video/${source}`, { as: ann })
    assert.deepEqual((await send(ann, source, { key: 'k' })).data, first.data)
    assert.equal((await send(ann, source, { key: 'other' })).status, 404)
  })
}
