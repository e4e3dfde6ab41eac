/**
 * The worker's own loop when the ground moves: the database goes away in the middle of a step, or the process is told to
 * stop. Every video ends all the same, and the next worker takes over at once.
 */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import postgres from 'postgres'
import { startWorker, type Worker } from '../src/worker.ts'
import { openKinora, type Person } from './harness.ts'
import { accepted, startScriptedProvider, taskIdOf } from './scripted-provider.ts'
import { eventsOf, filesOf, readRow, turnTo, waitFor } from './video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, PROVIDER_TIMEOUT: '30s' } })
const { app } = kinora
const storage = { ...app.storage }
const admin = postgres(process.env.TEST_DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
const database = new URL(kinora.databaseUrl).pathname.slice(1)
let worker: Worker | null = null
after(async () => {
  await worker?.stop()
  await admin.end()
  provider.close()
})
beforeEach(() => provider.reset())
afterEach(async () => {
  await worker?.stop()
  worker = null
  Object.assign(app.storage, storage)
})

async function begin(): Promise<{ ann: Person; uuid: string }> {
  const ann = await kinora.person({ credits: 24 })
  return { ann, uuid: (await kinora.generate(ann, { model: 'alpha-2' })).data.uuid }
}
const statusOf = async (uuid: string) => (await readRow(kinora, uuid)).status
const toBe = (uuid: string, status: string) => waitFor(status, async () => (await statusOf(uuid)) === status)
const used = async (ann: Person) => (await kinora.balance(ann)).used

/** Without connections, old or new, while the work goes on; with them again however it ends. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  await admin.unsafe(`alter database ${database} allow_connections false`)
  await admin`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${database}`
  try {
    await work()
  } finally {
    await admin.unsafe(`alter database ${database} allow_connections true`)
    // A connection that was broken and not used since fails its next reader; that is not to be what a test looks with.
    await Promise.all(Array.from({ length: 64 }, () => app.sql`select`.catch(() => undefined)))
  }
}
/** Whether the log has told of something like this since, at this level. */
function listenFor(level: 'warn' | 'error', words: string): () => boolean {
  const log = app.log[level]
  let isTold = false
  app.log[level] = (_facts: unknown, message?: string) => {
    isTold ||= message?.includes(words) ?? false
    if (isTold) app.log[level] = log
  }
  return () => isTold
}
/** Holds something up until it is let go. */
function gate(): { reached: Promise<void>; pass: () => Promise<void>; letGo: () => void } {
  const [reached, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pass = () => {
    reached.resolve()
    return free.promise
  }
  return { reached: reached.promise, pass, letGo: free.resolve }
}
const finishes = () => {
  provider.onAsk = (_name, id) => ({ status: 200, body: { id, status: 'completed', results: [provider.filmUrl] } })
}

test('the database is away between steps: the worker goes on', async () => {
  worker = startWorker(app)
  const { ann, uuid } = await begin()
  await toBe(uuid, 'GENERATING')
  const isRefused = listenFor('error', 'no videos could be claimed')
  await withoutDatabase(() => waitFor('a claim that fails', isRefused))
  finishes()
  turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  await toBe(uuid, 'COMPLETED')
  assert.equal(await used(ann), 24)
})

test('the database is away when a provider answers a submit: the task is not lost', async () => {
  const gateway = gate()
  provider.onSubmit = async (submit) => {
    await gateway.pass()
    return accepted(submit, taskIdOf(submit))
  }
  worker = startWorker(app)
  const { ann, uuid } = await begin()
  await gateway.reached
  const isRefused = listenFor('warn', 'could not be recorded')
  await withoutDatabase(async () => {
    gateway.letGo()
    await waitFor('a first try to record it, which fails', isRefused)
  })
  await toBe(uuid, 'GENERATING')
  finishes()
  turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  await toBe(uuid, 'COMPLETED')
  assert.equal(await used(ann), 24)
  assert.equal(provider.submits.length, 1)
})

test('the database is away when a film has been fetched: taken up again when the lease ends', async () => {
  finishes()
  const gateway = gate()
  const { onFilm } = provider
  provider.onFilm = async () => {
    if (provider.fetches === 1) await gateway.pass()
    return onFilm()
  }
  worker = startWorker(app)
  const { ann, uuid } = await begin()
  await toBe(uuid, 'GENERATING')
  turnTo(kinora, (await readRow(kinora, uuid)).dueAt ?? app.now())
  await gateway.reached
  await withoutDatabase(async () => {
    gateway.letGo()
    await waitFor('the step to end', () => filesOf(kinora, ann.userId, uuid).parts.length === 0)
  })
  assert.equal(await statusOf(uuid), 'UPLOADING')
  kinora.turnClock(60_000)
  await toBe(uuid, 'COMPLETED')
  assert.equal(await used(ann), 24)
  assert.equal(filesOf(kinora, ann.userId, uuid).kept.length, 2)
})

test('503 while the database is away, and then everything is as before', async () => {
  const ann = await kinora.person()
  const read = () => kinora.call('GET', '/api/v1/credit/balance', { as: ann })
  await withoutDatabase(async () => {
    const { status, headers } = await read()
    assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [503, true])
  })
  await waitFor('the balance', async () => (await read()).status === 200)
})

test('stop: what can be finished is finished, what cannot be is handed back, what does not heed is left', async () => {
  // One film that arrives in time, one that never does, and one whose storing cannot be interrupted.
  const films = [gate(), gate()]
  const upload = gate()
  const { onFilm } = provider
  provider.onFilm = async () => {
    await films[provider.fetches - 1]?.pass()
    return onFilm()
  }
  const videos = [await begin(), await begin(), await begin()]
  let puts = 0
  app.storage.put = async (...put) => {
    puts++
    if (puts === 1) await upload.pass()
    return storage.put(...put)
  }
  worker = startWorker(app)
  for (const { uuid } of videos) await toBe(uuid, 'GENERATING')
  finishes()
  kinora.turnClock(10_000)
  await Promise.all([upload.reached, ...films.map(({ reached }) => reached)])

  const stopping = worker.stop()
  films[0]?.letGo()
  await stopping
  worker = null
  const ends = await Promise.all(videos.map(({ uuid }) => statusOf(uuid)))
  assert.deepEqual(ends.sort(), ['COMPLETED', 'UPLOADING', 'UPLOADING'])
  for (const { uuid } of videos) {
    const { dueAt, leaseId } = await readRow(kinora, uuid)
    assert.equal(leaseId, null)
    assert.ok(dueAt === null || dueAt <= app.now(), 'due at once')
  }

  worker = startWorker(app)
  for (const { uuid } of videos) await toBe(uuid, 'COMPLETED')
  // The abandoned upload ends after its video was completed by somebody else.
  upload.letGo()
  films[1]?.letGo()
  for (const { ann, uuid } of videos) {
    assert.equal(await used(ann), 24)
    assert.deepEqual((await eventsOf(kinora, uuid)).filter((event) => event === 'completed').length, 1)
  }
})
