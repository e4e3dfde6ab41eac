/** Callbacks on a final video of which no task is recorded: a provider that gets 200 does not send its report again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackUrl } from '../../src/video/callback-reference.ts'
import { openKinora } from '../support/harness.ts'
import { readRow } from '../support/video-row.ts'

const kinora = await openKinora()
const ann = await kinora.person({ credits: 48 })

/** Reports to the callback URL that the provider has of the video. */
async function report(videoId: string, provider: string, body: object): Promise<number> {
  const url = callbackUrl(kinora.app.config, provider, { userId: ann.userId, videoId })
  return (await kinora.call('POST', url.slice(kinora.url.length), { body })).status
}
const late = [
  { taskId: 'task-late', status: 'completed', videoUrl: 'https://films.example/boat.mp4' },
  { taskId: 'task-late', status: 'failed' },
  { taskId: 'task-late', status: 'processing' },
]

test('200: refused by the next provider, then a report of the earlier one → no change', async () => {
  const { uuid } = (await kinora.generate(ann, { model: 'alpha-2' })).data
  await kinora.app.sql`
    update kinora.video
    set providers = '{provider-a,provider-b}', provider_index = 2, submitted_at = created_at
    where id = ${uuid}
  `
  for (const body of late) assert.equal(await report(uuid, 'provider-a', body), 409, 'not final yet')
  assert.equal(await report(uuid, 'provider-b', { code: 501, msg: 'No boats', data: { state: 'fail' } }), 200)
  const before = await readRow(kinora, uuid)
  assert.equal(before.status, 'FAILED')
  for (const body of late) assert.equal(await report(uuid, 'provider-a', body), 200)
  assert.deepEqual(await readRow(kinora, uuid), before)
  assert.equal((await kinora.balance(ann)).available, 48)
})

test('200: cancelled before it was sent → no change', async () => {
  const { uuid } = (await kinora.generate(ann, { model: 'alpha-2' })).data
  assert.equal((await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })).status, 200)
  const before = await readRow(kinora, uuid)
  for (const body of late) assert.equal(await report(uuid, 'provider-a', body), 200)
  assert.deepEqual(await readRow(kinora, uuid), before)
  assert.equal((await kinora.balance(ann)).available, 48)
})
