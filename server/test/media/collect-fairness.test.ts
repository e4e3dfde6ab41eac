/** The worker's collect pool: one user's films do not take all of it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { claim } from '../../src/video/claim.ts'
import type { runStep } from '../../src/video/lifecycle.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { uploadingVideos } from '../support/uploading-video.ts'
import { waitFor } from '../support/video-row.ts'

const provider = await startScriptedProvider()
after(() => provider.close())

/** Runs a worker whose steps last until `end` is called with their user. */
async function withWorker(concurrency: number, work: (steps: ReturnType<typeof openSteps>) => Promise<void>) {
  const { app } = kinora
  const steps = openSteps()
  const worker = startWorker({ ...app, config: { ...app.config, workerConcurrency: concurrency } }, { run: steps.run })
  try {
    await work(steps)
  } finally {
    steps.endAll()
    await worker.stop()
    // Nothing of this test is due in the next one.
    await claim(app, ['UPLOADING'], 100)
  }
}

function openSteps() {
  const started: string[] = []
  const running: { userId: string; end: () => void }[] = []
  let isOver = false
  const run: typeof runStep = async (_app, { video }) => {
    started.push(video.userId)
    const ended = Promise.withResolvers<void>()
    running.push({ userId: video.userId, end: ended.resolve })
    if (isOver) ended.resolve()
    await ended.promise
  }
  const end = ({ userId }: Person) => {
    const at = running.findIndex((step) => step.userId === userId)
    assert.ok(at >= 0)
    running.splice(at, 1)[0]?.end()
  }
  const endAll = () => {
    isOver = true
    for (const step of running) step.end()
  }
  return { run, started, end, endAll }
}

const kinora = await openKinora({ env: provider.env })
const { createUploadingVideo } = uploadingVideos(kinora, provider)

test("collect: a user's films are due before another's → one slot stays free for the other's", async () => {
  const ann = await kinora.person({ credits: 600 })
  const bob = await kinora.person({ credits: 600, beside: ann })
  for (let n = 0; n < 4; n++) await createUploadingVideo(ann)
  await createUploadingVideo(bob)
  // Two slots.
  await withWorker(1, async ({ started, end }) => {
    await waitFor("Ann's and Bob's first", () => started.length === 2)
    assert.deepEqual(new Set(started), new Set([ann.userId, bob.userId]))
    end(ann)
    await waitFor("Ann's second", () => started.length === 3)
    assert.equal(started[2], ann.userId)
  })
})

test('collect: three users, four slots → round robin', async () => {
  const ann = await kinora.person({ credits: 600 })
  const [bob, cid] = [
    await kinora.person({ credits: 600, beside: ann }),
    await kinora.person({ credits: 600, beside: ann }),
  ]
  for (const [person, films] of [
    [ann, 4],
    [bob, 2],
    [cid, 1],
  ] as const) {
    for (let n = 0; n < films; n++) await createUploadingVideo(person)
  }
  await withWorker(32, async ({ started }) => {
    await waitFor('four slots in use', () => started.length === 4)
    const count = (person: Person) => started.filter((userId) => userId === person.userId).length
    assert.deepEqual([count(ann), count(bob), count(cid)], [2, 1, 1])
  })
})
