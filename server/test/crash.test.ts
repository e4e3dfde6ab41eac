/**
 * Killed with SIGKILL at every named point of a video's life: whoever comes next brings it to its end, the books are
 * right, and no provider has got the task twice. The points are read from the sources, so that a new one is tested or
 * fails here.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { after, test } from 'node:test'
import { sweepImages } from '../src/image/start-image.ts'
import { freePort } from './free-port.ts'
import { generateBody, openKinora, type Person } from './harness.ts'
import { keptOf, plain, rowsOf, send } from './images.ts'
import { type ServerProcess, startProcess } from './processes.ts'
import { filesOf, readRow, waitFor } from './video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app, simulator } = kinora
const started = new Set<ServerProcess>()
after(() => {
  for (const { child } of started) child.kill('SIGKILL')
})
async function start(...[command, env]: [command: 'api' | 'worker' | 'all', env?: Record<string, string>]) {
  const server = await startProcess(kinora, command, env)
  started.add(server)
  server.ended.then(() => started.delete(server))
  return server
}

/** At each point of the worker: the prompt that leads there, how the video ends, and how often it was submitted. */
const worker: Record<string, { word?: string; end: 'COMPLETED' | 'FAILED'; submits: number }> = {
  'submit.claimed': { end: 'COMPLETED', submits: 1 },
  // Nobody knows whether it was sent, so it is not sent again: released at the deadline, although nothing was sent.
  'submit.intended': { end: 'FAILED', submits: 0 },
  // The answer died with the worker; the callback tells.
  'submit.answered': { end: 'COMPLETED', submits: 1 },
  'submit.recorded': { end: 'COMPLETED', submits: 1 },
  'ask.answered': { word: '[lost]', end: 'COMPLETED', submits: 1 },
  'ask.recorded': { word: '[lost]', end: 'COMPLETED', submits: 1 },
  'collect.claimed': { end: 'COMPLETED', submits: 1 },
  'collect.fetched': { end: 'COMPLETED', submits: 1 },
  'collect.inspected': { end: 'COMPLETED', submits: 1 },
  'collect.film-stored': { end: 'COMPLETED', submits: 1 },
  'collect.thumbnail-stored': { end: 'COMPLETED', submits: 1 },
  'collect.settled': { end: 'COMPLETED', submits: 1 },
  'fail.decided': { word: '[refuse: Not that.]', end: 'FAILED', submits: 0 },
  'fail.recorded': { word: '[refuse: Not that.]', end: 'FAILED', submits: 0 },
}
const uploads = ['image.noted', 'image.stored']
const api = ['generate.committed', 'callback.received', 'callback.recorded', ...uploads]

test('every crash point of the sources is tested here', async () => {
  const points: string[] = []
  for await (const file of glob('**/*.ts', { cwd: new URL('../src/', import.meta.url) })) {
    const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
    points.push(...[...text.matchAll(/crashPoint\('([^']+)'\)/g)].map(([, name = '']) => name))
  }
  assert.deepEqual(points.sort(), [...Object.keys(worker), ...api].sort())
})

const tasksOf = async (prompt: string) => ((await simulator?.tasks()) ?? []).filter((task) => task.prompt === prompt)
const isQuiet = (prompt: string) => async () =>
  (await tasksOf(prompt)).every(({ state, ...task }) => {
    const { callbacksLeft } = task as unknown as { callbacksLeft: number }
    return /completed|failed/.test(state) && callbacksLeft === 0
  })

/** Stands in for waiting: the lease ends, what is due later is due now; the deadline of what nobody knows passes. */
async function letTimePass(uuid: string): Promise<void> {
  await app.sql`
    update kinora.video
    set due_at = now(),
        lease_until = now(),
        deadline_at = case when status = 'PENDING' and submitted_at is not null then now() else deadline_at end
    where id = ${uuid} and due_at is not null
  `
}

async function toTheEnd(uuid: string, prompt: string): Promise<void> {
  await waitFor('the provider to be done', isQuiet(prompt), PATIENT)
  await letTimePass(uuid)
  const isOver = async () => {
    const { dueAt, status, leaseId } = await readRow(kinora, uuid)
    if (status === 'GENERATING' && leaseId === null) await letTimePass(uuid)
    return dueAt === null
  }
  await waitFor('the end', isOver, PATIENT)
}

/** Twelve films at once are waited for, by one worker on as few processors as there are. */
const PATIENT = { patienceMs: 60_000, pauseMs: 100 }

type Victim = { ann: Person; uuid: string; prompt: string }

/** A video whose worker is killed at the point, and that no other worker touches until its time has come. */
async function killedAt(point: string, word = ''): Promise<Victim> {
  const ann = await kinora.person({ credits: 24 })
  const prompt = `A paper boat at ${point} ${word}`.trim()
  const dying = await start('worker', { KINORA_CRASH_AT: point })
  const { data } = await kinora.generate(ann, { model: 'alpha-2', quality: '480p', prompt })
  if (point.startsWith('ask.')) {
    await waitFor('the task', async () => (await readRow(kinora, data.uuid)).status === 'GENERATING')
    await waitFor('the provider to be done', isQuiet(prompt))
    await letTimePass(data.uuid)
  }
  assert.equal(await dying.ended, 'SIGKILL')
  await waitFor('the provider to be done', isQuiet(prompt))
  await app.sql`update kinora.video set due_at = 'infinity' where id = ${data.uuid} and due_at is not null`
  return { ann, uuid: data.uuid, prompt }
}

const victims = new Map<string, Victim>()
for (const [point, { word }] of Object.entries(worker)) {
  test(`SIGKILL: the worker at ${point}`, async () => {
    victims.set(point, await killedAt(point, word))
  })
}

test('one worker brings them all to their end', async () => {
  const next = await start('worker')
  await Promise.all([...victims.values()].map(({ uuid, prompt }) => toTheEnd(uuid, prompt)))
  assert.equal(await next.stop(), 0)
})

for (const [point, { end, submits }] of Object.entries(worker)) {
  test(`${end}: after SIGKILL at ${point}`, async () => {
    const { ann, uuid, prompt } = victims.get(point) ?? assert.fail()
    const row = await readRow(kinora, uuid)
    assert.equal(row.status, end, row.error ?? '')
    assert.deepEqual(
      (await tasksOf(prompt)).map((task) => task.submits),
      submits ? [submits] : [],
    )
    const { available, frozen, used } = await kinora.balance(ann)
    const isPaid = end === 'COMPLETED'
    assert.deepEqual({ available, frozen, used }, { available: isPaid ? 0 : 24, frozen: 0, used: isPaid ? 24 : 0 })
    const kept = isPaid ? [`${uuid}.jpg`, `${uuid}.mp4`] : []
    assert.deepEqual(filesOf(kinora, ann.userId, uuid).kept, kept)
  })
}

test('the API is killed after a generate was committed: the same key again finds the one video', async () => {
  const ann = await kinora.person({ credits: 100 })
  const PORT = String(await freePort())
  const headers = {
    authorization: `Bearer ${ann.token}`,
    'content-type': 'application/json',
    'idempotency-key': 'the same key',
  }
  const body = JSON.stringify({ ...generateBody, prompt: 'A paper boat, asked for twice' })
  const generate = () => fetch(`http://127.0.0.1:${PORT}/api/v1/video/generate`, { method: 'POST', headers, body })

  const dying = await start('api', { PORT, KINORA_CRASH_AT: 'generate.committed' })
  await assert.rejects(generate())
  assert.equal(await dying.ended, 'SIGKILL')

  const next = await start('all', { PORT })
  const again = await generate()
  assert.equal(again.status, 200)
  const { data } = (await again.json()) as { data: { uuid: string } }
  const prompt = 'A paper boat, asked for twice'
  await waitFor('the task', async () => (await tasksOf(prompt)).length > 0)
  await toTheEnd(data.uuid, prompt)
  const { data: listed } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(listed.total, 1)
  assert.deepEqual(await kinora.balance(ann), { available: 84, frozen: 0, used: 16, total: 100, expiringSoon: 0 })
  assert.equal(await next.stop(), 0)
})

for (const point of ['callback.received', 'callback.recorded']) {
  test(`COMPLETED: API and worker in one process are killed at ${point}`, async () => {
    const ann = await kinora.person({ credits: 16 })
    const prompt = `A paper boat at ${point}`
    const PORT = String(await freePort())
    const settings = { PORT, AI_CALLBACK_URL: `http://127.0.0.1:${PORT}/api/v1/video/callback` }
    const dying = await start('all', { ...settings, KINORA_CRASH_AT: point })
    const { data } = await kinora.generate(ann, { prompt })
    assert.equal(await dying.ended, 'SIGKILL')

    const next = await start('all', settings)
    await toTheEnd(data.uuid, prompt)
    assert.equal(await next.stop(), 0)
    assert.equal((await readRow(kinora, data.uuid)).status, 'COMPLETED')
    assert.equal((await kinora.balance(ann)).used, 16)
    assert.deepEqual(
      (await tasksOf(prompt)).map((task) => task.submits),
      [1],
    )
  })
}

for (const point of uploads) {
  test(`200: after the API was killed at ${point} the same image is uploaded again, and nothing is left of the first try`, async () => {
    const ann = await kinora.person()
    const PORT = String(await freePort())
    const png = await plain(320, 180)
    const upload = () => send({ url: `http://127.0.0.1:${PORT}` }, ann, png)
    const dying = await start('api', { PORT, KINORA_CRASH_AT: point })
    await assert.rejects(upload())
    assert.equal(await dying.ended, 'SIGKILL')

    const next = await start('api', { PORT })
    assert.equal((await upload()).status, 200)
    assert.equal(await next.stop(), 0)
    await app.sql`update kinora.video_image set due_at = ${app.now()} where user_id = ${ann.userId} and state = 'storing'`
    await sweepImages(app)
    assert.deepEqual(
      (await rowsOf(kinora, ann)).map(({ state }) => state),
      ['kept'],
    )
    assert.equal(keptOf(kinora, ann).length, 1)
  })
}
