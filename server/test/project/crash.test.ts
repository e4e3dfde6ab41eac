/** Workers that are killed while they give a waiting film its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrashes } from '../support/crash.ts'
import { openKinora } from '../support/harness.ts'
import { openProjects, settingsOf } from '../support/projects.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '1' }, simulator: true })
const { app } = kinora
const { start, tasksOf, makeDue } = openCrashes(kinora)
const { make, generate } = openProjects(kinora)

for (const point of ['begin.claimed', 'begin.recorded']) {
  test(`crash recovery: the worker was killed at ${point} → the film begins all the same, submitted once`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const prompt = `A paper boat at ${point}`
    const settings = settingsOf(prompt, { model: 'alpha-2', quality: '480p' })
    const { data: project } = await make(ann, [settings, settings])
    const [first, second] = (await generate(ann, project.id)).data.videos
    assert.ok(first && second?.waiting)
    // It ends, and the waiting one is due.
    await kinora.call('POST', `/api/v1/video/${first.uuid}/cancel`, { as: ann })
    const crashing = await start('worker', { KINORA_CRASH_AT: point })
    assert.equal(await crashing.ended, 'SIGKILL')
    await makeDue({ ownerId: ann.userId, uuid: second.uuid })
    assert.equal((await kinora.finish(ann, second.uuid)).status, 'COMPLETED')
    assert.deepEqual(
      (await tasksOf(prompt)).map(({ submits }) => submits),
      [1],
    )
    const [account] = await app.sql`
      select open_holds, waiting_holds from kinora.credit_account where user_id = ${ann.userId}
    `
    assert.deepEqual(account, { openHolds: 0, waitingHolds: 0 })
  })
}
