/**
 * UPLOADING: a film is fetched, checked, stored and paid exactly once, whatever breaks on the way and however many workers
 * come to it; and nothing is kept of a film that is not paid for.
 */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { workOnce } from '../src/worker.ts'
import { openKinora, type Person } from './harness.ts'
import { startScriptedProvider, taskIdOf } from './scripted-provider.ts'
import { eventsOf, filesOf, liveToTheEnd, nextStep, readRow, turnTo, waitFor } from './video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
const { app } = kinora
const HOUR_MS = 3600_000
const storage = { ...app.storage }
after(() => provider.close())
beforeEach(() => provider.reset())
afterEach(() => {
  Object.assign(app.storage, storage)
})

type Begun = { ann: Person; uuid: string }
/** A video whose film is ready to be fetched. */
async function begin(): Promise<Begun> {
  const ann = await kinora.person({ credits: 24 })
  const made = await kinora.generate(ann, { model: 'alpha-2' })
  await workOnce(app)
  const [submit] = provider.submits
  const taskId = submit && taskIdOf(submit)
  assert.equal(await provider.callBack(submit, { ...(taskId && { taskId }), videoUrl: provider.filmUrl }), 200)
  return { ann, uuid: made.data.uuid }
}
const booksOf = async (ann: Person) => {
  const { available, frozen, used } = await kinora.balance(ann)
  return { available, frozen, used }
}

async function assertPaid({ ann, uuid }: Begun): Promise<void> {
  assert.equal((await readRow(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await booksOf(ann), { available: 0, frozen: 0, used: 24 })
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const film = await fetch(data.videoUrl)
  assert.equal(film.status, 200)
  assert.equal(film.headers.get('content-type'), 'video/mp4')
  await film.body?.cancel()
  assert.deepEqual(filesOf(kinora, ann.userId, uuid), { kept: [`${uuid}.jpg`, `${uuid}.mp4`], parts: [] })
}

async function assertReleased({ ann, uuid }: Begun, error: RegExp): Promise<void> {
  const row = await readRow(kinora, uuid)
  assert.equal(row.status, 'FAILED')
  assert.match(row.error ?? '', error)
  assert.deepEqual(await booksOf(ann), { available: 24, frozen: 0, used: 0 })
  assert.deepEqual(filesOf(kinora, ann.userId, uuid), { kept: [], parts: [] })
}
const fail = (): Promise<void> => Promise.reject(new Error('the disk is on fire'))

test('a film that is not there yet is fetched when it is', async () => {
  kinora.holdClock()
  const video = await begin()
  const answers = [404, 500, 403, 429]
  provider.onFilm = () => ({ status: answers.shift() ?? 418 })
  const pausesS: number[] = []
  for (let tries = 0; tries < 4; tries++) {
    const { dueAt } = await nextStep(kinora, video.uuid)
    pausesS.push(((dueAt?.getTime() ?? 0) - app.now().getTime()) / 1000)
  }
  assert.deepEqual(pausesS, [2, 5, 15, 30])
  provider.reset()
  await liveToTheEnd(kinora, video.uuid)
  await assertPaid(video)
})

test('a film that is never there: FAILED and released after an hour, not before', async () => {
  kinora.holdClock()
  const video = await begin()
  provider.onFilm = () => ({ status: 404 })
  const beganMs = app.now().getTime()
  await liveToTheEnd(kinora, video.uuid)
  assert.equal(Math.round((app.now().getTime() - beganMs) / 60_000), 60)
  await assertReleased(video, /^The provider's film could not be used: .* status 404\.$/)
})

for (const [name, film] of [
  ['HTML', Buffer.from('<!doctype html><p>Please sign in')],
  ['an empty file', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(10_000)],
] as const) {
  test(`${name} is no film: FAILED at once`, async () => {
    const video = await begin()
    provider.onFilm = () => film
    assert.equal((await nextStep(kinora, video.uuid)).status, 'FAILED')
    await assertReleased(video, /^The provider's film could not be used: [A-Z].*\.$/)
  })
}

test('a status that time will not mend: FAILED at once', async () => {
  const video = await begin()
  provider.onFilm = () => ({ status: 410 })
  assert.equal((await nextStep(kinora, video.uuid)).status, 'FAILED')
  await assertReleased(video, /status 410/)
})

test('storage that fails is tried again, and the film is paid when it works', async () => {
  const video = await begin()
  app.storage.put = fail
  for (let tries = 0; tries < 3; tries++) assert.equal((await nextStep(kinora, video.uuid)).status, 'UPLOADING')
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid), { kept: [], parts: [] })
  Object.assign(app.storage, storage)
  await liveToTheEnd(kinora, video.uuid)
  await assertPaid(video)
})

test('storage that keeps the film and not the thumbnail: nothing is left of it after the hour', async () => {
  const video = await begin()
  app.storage.put = (key, file, type) => (key.endsWith('.jpg') ? fail() : storage.put(key, file, type))
  await nextStep(kinora, video.uuid)
  assert.deepEqual(filesOf(kinora, video.ann.userId, video.uuid).kept, [`${video.uuid}.mp4`])
  kinora.turnClock(HOUR_MS)
  await liveToTheEnd(kinora, video.uuid)
  await assertReleased(video, /^The provider's film could not be used: The film could not be stored\.$/)
})

test('storage that fails at everything for an hour: FAILED and released all the same', async () => {
  const video = await begin()
  app.storage.put = fail
  app.storage.remove = fail
  assert.equal((await nextStep(kinora, video.uuid)).status, 'UPLOADING')
  kinora.turnClock(HOUR_MS)
  await liveToTheEnd(kinora, video.uuid)
  await assertReleased(video, /The film could not be stored\.$/)
})

test('a folder that cannot be written to is tried again', async () => {
  const video = await begin()
  const folder = path.join(app.config.dataDir, 'files/video', video.ann.userId)
  await mkdir(path.dirname(folder), { recursive: true })
  await writeFile(folder, 'a file where a folder should be')
  assert.equal((await nextStep(kinora, video.uuid)).status, 'UPLOADING')
  await rm(folder)
  await liveToTheEnd(kinora, video.uuid)
  await assertPaid(video)
})

test('a place for half-fetched films that cannot be written to is our trouble, not the film’s', async () => {
  const video = await begin()
  const parts = path.join(app.config.dataDir, 'parts')
  await rm(parts, { recursive: true, force: true })
  await writeFile(parts, '')
  assert.equal((await nextStep(kinora, video.uuid)).status, 'UPLOADING')
  await rm(parts)
  await liveToTheEnd(kinora, video.uuid)
  await assertPaid(video)
})

test('eight workers at once: one of them fetches, stores and settles', async () => {
  const video = await begin()
  const eightTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work))
  // Connections that stand already: otherwise the first worker is done before the others have one.
  await eightTimes(async () => app.sql`select pg_sleep(0.1)`)
  await eightTimes(() => workOnce(app))
  await assertPaid(video)
  assert.equal(provider.fetches, 1)
})

/** One worker is stalled in the middle of fetching; its lease ends, and another one takes over and completes. */
async function overtaken(video: Begun, lateFilm: Buffer | { status: number }): Promise<void> {
  const { onFilm } = provider
  const stall = Promise.withResolvers<void>()
  provider.onFilm = async () => {
    if (provider.fetches > 1) return onFilm()
    await stall.promise
    return lateFilm
  }
  const stalled = workOnce(app)
  await waitFor('the first fetch', () => provider.fetches === 1)
  turnTo(kinora, (await readRow(kinora, video.uuid)).dueAt ?? app.now())
  await workOnce(app)
  assert.equal((await readRow(kinora, video.uuid)).status, 'COMPLETED')
  // Past the hour, too, in which an unreachable film is tried for.
  kinora.turnClock(2 * HOUR_MS)
  stall.resolve()
  await stalled
}

for (const [name, film] of [
  ['HTML', Buffer.from('<html>')],
  ['404', { status: 404 }],
  ['410', { status: 410 }],
] as const) {
  test(`a worker that was overtaken and then meets ${name} does no harm to the film that is paid`, async () => {
    const video = await begin()
    await overtaken(video, film)
    await assertPaid(video)
    assert.deepEqual(await eventsOf(kinora, video.uuid), ['accepted', 'result', 'completed'])
  })
}

test('a worker that was overtaken and has the film too settles nothing a second time', async () => {
  const video = await begin()
  await overtaken(video, await provider.onFilm())
  await assertPaid(video)
})

test('words from the provider while its film is being fetched change nothing', async () => {
  const video = await begin()
  const [submit] = provider.submits
  const { onFilm } = provider
  provider.onFilm = async () => {
    assert.equal(await provider.callBack(submit, { error: 'No.' }), 200)
    assert.equal(await provider.callBack(submit, { videoUrl: 'http://127.0.0.1:1/another.mp4' }), 200)
    assert.equal(await provider.callBack(submit, {}), 200)
    return onFilm()
  }
  await nextStep(kinora, video.uuid)
  await assertPaid(video)
  assert.deepEqual(await eventsOf(kinora, video.uuid), ['accepted', 'result', 'contradicted', 'completed'])
})

test('a video that was deleted while it was made is paid, and stays out of sight', async () => {
  const { ann, uuid } = await begin()
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
  await liveToTheEnd(kinora, uuid)
  assert.deepEqual(await booksOf(ann), { available: 0, frozen: 0, used: 24 })
  assert.equal((await kinora.call('GET', `/api/v1/video/${uuid}`, { as: ann })).status, 404)
})
