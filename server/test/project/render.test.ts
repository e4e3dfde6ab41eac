/** Cuts: the chosen takes of a project become one film, which is a video of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStores } from '../../src/storage/open.ts'
import { sweepOrphans } from '../../src/video/film-files.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openCrashes } from '../support/crash.ts'
import { openStream } from '../support/event-stream-client.ts'
import { noCredits, openKinora, type Person } from '../support/harness.ts'
import { openProjects, type Project } from '../support/projects.ts'
import { sound as soundOf } from '../support/sounds.ts'
import { create } from '../support/webhook-receiver.ts'

const kinora = await openKinora({ env: { RENDER_CREDITS: '0' } })
const { app } = kinora
const { make, read, changeShot } = openProjects(kinora)
const { start, makeDue } = openCrashes(kinora)

type Detail = { status: string; duration: number; model: string; videoUrl: string | null; error: string | null }
const render = (as: Person, id: string, headers = {}) =>
  kinora.call<{ uuid: string; creditsUsed: number }>('POST', `/api/v1/project/${id}/render`, { as, headers })
type Quoted = { seconds: number | null; credits: number | null; refusal: { code: string; message: string } | null }
const quoted = async (as: Person, id: string) =>
  (await kinora.call<{ render: Quoted }>('POST', `/api/v1/project/${id}/quote`, { as, body: {} })).data.render
type Projects = { projects: { thumbnailUrl: string | null }[] }
const detail = async (as: Person, uuid: string) =>
  (await kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as })).data
const listed = async (as: Person, query = '') => {
  const { data } = await kinora.call<{ videos: { uuid: string }[]; total: number }>(
    'GET',
    `/api/v1/video/list${query}`,
    {
      as,
    },
  )
  return { uuids: data.videos.map(({ uuid }) => uuid), total: data.total }
}

/** A project whose shots have finished films as their takes. */
async function shotProject(ann: Person, count: number, duration = 4): Promise<{ project: Project; films: string[] }> {
  const { data: made } = await make(
    ann,
    Array.from({ length: count }, (_, i) => `Shot ${i}`),
  )
  const films: string[] = []
  for (const shot of made.shots) {
    const film = await completedVideo(kinora, ann, { duration })
    films.push(film)
    const { status } = await changeShot(ann, made.id, shot, { takeId: film })
    assert.equal(status, 200)
  }
  return { project: await read(ann, made.id), films }
}

test('200: render → a video as long as its shots, free, which only kind=cut lists; deleting it leaves the takes', async () => {
  const ann = await kinora.person({ credits: 1000 })
  // Longer than any one film may be.
  const { project, films } = await shotProject(ann, 12, 12)
  const [first = assert.fail()] = project.shots
  await changeShot(ann, project.id, first, { inMs: 1000, outMs: 3000 })
  const before = await kinora.balance(ann)
  const stream = await openStream(kinora.url, ann)
  assert.deepEqual(await quoted(ann, project.id), { seconds: 134, credits: 0, refusal: null })
  const { data, status } = await render(ann, project.id)
  assert.deepEqual([status, data.creditsUsed], [200, 0])
  await stream.until(data.uuid, 'PENDING')
  await kinora.finish(ann, data.uuid)
  await stream.until(data.uuid, 'COMPLETED')
  stream.close()
  assert.equal((await read(ann, project.id)).cutId, data.uuid)
  const [cover] = (await kinora.call<Projects>('GET', '/api/v1/project', { as: ann })).data.projects
  assert.match(cover?.thumbnailUrl ?? '', /\.jpg\?/)
  const cut = await detail(ann, data.uuid)
  assert.deepEqual([cut.status, cut.duration, cut.model, cut.error], ['COMPLETED', 134, 'cut', null])
  assert.match(cut.videoUrl ?? '', /\.mp4/)
  assert.deepEqual(await kinora.balance(ann), before)
  assert.deepEqual(await listed(ann), { uuids: films.toReversed(), total: 12 })
  assert.deepEqual(await listed(ann, '?kind=film&status=COMPLETED'), { uuids: films.toReversed(), total: 12 })
  assert.deepEqual(await listed(ann, '?kind=cut'), { uuids: [data.uuid], total: 1 })
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })).status, 200)
  assert.deepEqual(await listed(ann, '?kind=cut'), { uuids: [], total: 0 })
  assert.equal((await read(ann, project.id)).cutId, null)
})

test('200: render twice with one key → one cut; another one meanwhile 429; cancelled → FAILED, and the next begins', async () => {
  const ann = await kinora.person()
  const { project } = await shotProject(ann, 1)
  const headers = { 'idempotency-key': 'one' }
  const [one, again] = [await render(ann, project.id, headers), await render(ann, project.id, headers)]
  assert.equal(again.data.uuid, one.data.uuid)
  assert.equal((await render(ann, project.id)).error?.code, 'TOO_MANY_IN_PROGRESS')
  assert.equal((await kinora.call('POST', `/api/v1/video/${one.data.uuid}/cancel`, { as: ann })).status, 200)
  assert.equal((await detail(ann, one.data.uuid)).status, 'FAILED')
  assert.equal((await render(ann, project.id)).status, 200)
})

test('409: a shot without a finished take → its number is named, and nothing is made', async () => {
  const ann = await kinora.person()
  const { data: project } = await make(ann, ['A boat', 'A lighthouse'])
  const { status, error } = await render(ann, project.id)
  assert.deepEqual([status, error?.details], [409, { shots: [1, 2] }])
  const { refusal } = await quoted(ann, project.id)
  assert.deepEqual([refusal?.code, refusal?.message], ['CONFLICT', error?.message])
  const eve = await kinora.person()
  assert.equal((await render(eve, project.id)).status, 404)
})

test('FAILED: a take is deleted before it is rendered → the cut names the shot, and what it cost is back', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { project, films } = await shotProject(ann, 2)
  app.config.renderCredits = 3
  const { data } = await render(ann, project.id).finally(() => {
    app.config.renderCredits = 0
  })
  assert.equal((await kinora.balance(ann)).frozen, 3)
  await kinora.call('DELETE', `/api/v1/video/${films[1]}`, { as: ann })
  await kinora.finish(ann, data.uuid)
  assert.match((await detail(ann, data.uuid)).error ?? '', /take of shot 2 is no longer stored/)
  assert.equal((await kinora.balance(ann)).frozen, noCredits.frozen)
})

test('200: a sound beside the takes, RENDER_CREDITS → settled for each begun minute, and project.rendered is sent', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { project } = await shotProject(ann, 1)
  const sound = await kinora.call<{ id: string }>('POST', '/api/v1/asset', {
    as: ann,
    body: await soundOf('pcm-s16', 2),
    headers: { 'content-type': 'audio/wav' },
  })
  const body = { version: project.version, sound: { asset: sound.data.id, volume: 0.5, fadeInS: 0, fadeOutS: 1 } }
  const changed = await kinora.call('PATCH', `/api/v1/project/${project.id}`, { as: ann, body })
  assert.equal(changed.status, 200)
  await create(kinora, ann, { url: 'https://example.com/kinora', events: ['project.rendered'] })
  const { used } = await kinora.balance(ann)
  app.config.renderCredits = 3
  const { data } = await render(ann, project.id).finally(() => {
    app.config.renderCredits = 0
  })
  await kinora.finish(ann, data.uuid)
  assert.equal((await detail(ann, data.uuid)).status, 'COMPLETED')
  assert.equal((await kinora.balance(ann)).used - used, 3)
  const sent = await app.sql<{ body: string }[]>`select body from kinora.webhook_delivery where user_id = ${ann.userId}`
  const [rendered, ...more] = sent.map((each) => JSON.parse(each.body))
  assert.deepEqual(more, [])
  const { uuid, project: of, creditsUsed } = rendered.data
  assert.deepEqual([rendered.type, uuid, of, creditsUsed], ['project.rendered', data.uuid, project.id, 3])
})

for (const point of [
  'cut.claimed',
  'cut.begun',
  'cut.rendered',
  'collect.recorded',
  'collect.film-stored',
  'collect.settled',
]) {
  test(`crash recovery: the worker was killed at ${point} → one cut, and nothing of the other is left`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const { project } = await shotProject(ann, 1)
    const crashing = await start('worker', { KINORA_CRASH_AT: point })
    const { data } = await render(ann, project.id)
    assert.equal(await crashing.ended, 'SIGKILL')
    await makeDue({ ownerId: ann.userId, uuid: data.uuid })
    await kinora.finish(ann, data.uuid)
    assert.equal((await detail(ann, data.uuid)).status, 'COMPLETED')
    const later = new Date(app.now().getTime() + 24 * 3600_000)
    while ((await sweepOrphans({ ...app, now: () => later })) > 0);
    const stored: string[] = []
    const { inForce } = await openStores(app.config)
    for await (const { key } of inForce.list()) if (key.includes(data.uuid)) stored.push(key)
    await inForce.close()
    assert.equal(stored.length, 2)
  })
}
