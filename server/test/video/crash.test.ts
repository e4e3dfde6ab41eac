// slow
/**
 * Crash recovery: a process is killed with SIGKILL at every named crash point. The next process, mostly that of the
 * test, brings the video to a final status, the ledger is consistent, and no provider has received the task twice. The
 * names are read from the sources, so a new crash point without a test fails here.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { sweepAssets } from '../../src/asset/asset.ts'
import { PIECE_BYTES, sweepUploads } from '../../src/asset/upload.ts'
import { sweepOrphans } from '../../src/video/film-files.ts'
import { openCrashes, workerPoints } from '../support/crash.ts'
import { paintedFilm } from '../support/films.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, noCredits, openKinora } from '../support/harness.ts'
import { folderOf, keptOf, plain, rowsOf, send } from '../support/images.ts'
import { remade, silence } from '../support/sounds.ts'
import { filesOf, readRow } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { start, tasksOf, makeDue, waitUntilFinal, killWorkerAt } = openCrashes(kinora)

const uploads = ['asset.recorded', 'asset.stored']
/** Those of an upload by several requests, with how much of it is kept, in pieces. */
const largeUploads = { 'upload.reserved': 0, 'upload.stored': 0, 'upload.kept': 2, 'upload.finished': 3 }
const soundAlone = ['sound.recorded', 'sound.stored', 'sound.changed']
const api = [
  ...['generate.committed', 'callback.received', 'callback.recorded'],
  ...[...uploads, ...Object.keys(largeUploads), ...soundAlone],
]
/**
 * Other tests have these: start-image-inline.test.ts, because a process of its own reaches no site of a test by a
 * user's link; webhook.test.ts; mail.test.ts; team/authority.test.ts; cancel.test.ts; find.test.ts; provenance.test.ts;
 * db/citus/transactions.test.ts; project/{crash,render}.test.ts; http/idempotency.test.ts; payment/top-up.test.ts.
 */
const inOtherTests = [
  ...['input.stored', 'input.recorded', 'webhook.sent', 'mail.sent', 'account.closed', 'once.committed'],
  ...['cancel.answered', 'cancel.recorded', 'find.answered', 'find.recorded'],
  ...['signed', 'film-stored', 'poster-stored', 'recorded', 'marked'].map((name) => `provenance.${name}`),
  ...['top-up.claimed', 'top-up.charged', 'top-up.applied'],
  ...['team.given', 'begin.claimed', 'begin.recorded', 'cut.claimed', 'cut.begun', 'cut.rendered'],
]

test('crash points: named in the sources → each has a test here', async () => {
  const points: string[] = []
  for await (const file of glob('**/*.ts', { cwd: new URL('../../src/', import.meta.url) })) {
    const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
    points.push(...[...text.matchAll(/crashPoint\('([^']+)'\)/g)].map(([, name = '']) => name))
  }
  assert.deepEqual([...new Set(points)].sort(), [...Object.keys(workerPoints), ...api, ...inOtherTests].sort())
})

for (const [point, { status, submits, swept = 0 }] of Object.entries(workerPoints)) {
  test(`crash recovery: the worker was killed at ${point} → ${status}, submitted ${submits === 1 ? 'once' : 'never'}, no orphaned files`, async () => {
    const ann = await kinora.person({ credits: 24 })
    const video = await killWorkerAt(point, ann.userId, (film) => kinora.generate(ann, film))
    const { uuid, prompt } = video
    await makeDue(video)
    // The steps of the next worker run in this process.
    const ended = await kinora.finish(ann, uuid)
    assert.equal(ended.status, status, ended.error ?? '')
    assert.deepEqual(
      (await tasksOf(prompt)).map((task) => task.submits),
      submits ? [submits] : [],
    )
    const { available, frozen, used } = await kinora.balance(ann)
    const isPaid = status === 'COMPLETED'
    assert.deepEqual({ available, frozen, used }, { available: isPaid ? 0 : 24, frozen: 0, used: isPaid ? 24 : 0 })
    await app.sql`update kinora.video_file set due_at = ${app.now()} where user_id = ${ann.userId}`
    assert.equal(await sweepOrphans(app), swept)
    assert.equal((await app.sql`select from kinora.video_file where user_id = ${ann.userId}`).length, 0)
    const stored = isPaid ? [`${uuid}.jpg`, `${uuid}.mp4`] : []
    assert.deepEqual(filesOf(kinora, ann.userId, uuid).stored, stored)
  })
}

test('200: the API was killed after committing a generate, same Idempotency-Key again → one video', async () => {
  const ann = await kinora.person({ credits: 100 })
  const PORT = String(await freePort())
  const headers = {
    authorization: `Bearer ${ann.token}`,
    'content-type': 'application/json',
    'idempotency-key': 'the same key',
  }
  const body = JSON.stringify({ ...generateBody, prompt: 'A paper boat, requested twice' })
  const generate = (url: string) => fetch(`${url}/api/v1/video/generate`, { method: 'POST', headers, body })

  const crashing = await start('api', { PORT, KINORA_CRASH_AT: 'generate.committed' })
  await assert.rejects(generate(`http://127.0.0.1:${PORT}`))
  assert.equal(await crashing.ended, 'SIGKILL')

  const replay = await generate(kinora.url)
  assert.equal(replay.status, 200)
  const { data } = (await replay.json()) as { data: { uuid: string } }
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  const { data: listed } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(listed.total, 1)
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 84, used: 16, total: 100 })
})

for (const point of ['callback.received', 'callback.recorded']) {
  test(`crash recovery: API and worker in one process were killed at ${point} → COMPLETED, submitted once`, async () => {
    const ann = await kinora.person({ credits: 16 })
    // Slow: a callback before the submit is recorded would be lost with the process, and its film with it.
    const prompt = `A paper boat at ${point} [slow: 1s]`
    const PORT = String(await freePort())
    const settings = { PORT, AI_CALLBACK_URL: `http://127.0.0.1:${PORT}/api/v1/video/callback` }
    const crashing = await start('all', { ...settings, KINORA_CRASH_AT: point })
    const { data } = await kinora.generate(ann, { prompt })
    assert.equal(await crashing.ended, 'SIGKILL')

    const next = await start('all', settings)
    await waitUntilFinal({ ownerId: ann.userId, uuid: data.uuid, prompt })
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
  test(`200: the API was killed at ${point}, same image uploaded again → one row and one file remain`, async () => {
    const ann = await kinora.person()
    const PORT = String(await freePort())
    const png = await plain(320, 180)
    const crashing = await start('api', { PORT, KINORA_CRASH_AT: point })
    await assert.rejects(send({ url: `http://127.0.0.1:${PORT}` }, ann, png))
    assert.equal(await crashing.ended, 'SIGKILL')

    assert.equal((await send(kinora, ann, png)).status, 200)
    await app.sql`update kinora.asset set due_at = ${app.now()} where user_id = ${ann.userId} and state = 'storing'`
    await sweepAssets(app)
    assert.deepEqual(
      (await rowsOf(kinora, ann)).map(({ state }) => state),
      ['kept'],
    )
    assert.equal(keptOf(kinora, ann).length, 1)
  })
}

for (const [point, pieces] of Object.entries(largeUploads)) {
  test(`204: the API was killed at ${point}, the upload goes on → one asset, and no piece is left`, async () => {
    const ann = await kinora.person()
    const PORT = String(await freePort())
    const SAMPLES = 360 * 48_000
    const voice = Buffer.concat([silence(0, SAMPLES, 48_000), randomBytes(SAMPLES)])
    const sizeBytes = voice.length
    let url = `http://127.0.0.1:${PORT}`
    const send = async (method: string, target: string, headers: Record<string, string>, body?: Buffer) => {
      const { status, headers: answered } = await fetch(url + target, {
        method,
        headers: { authorization: `Bearer ${ann.token}`, 'tus-resumable': '1.0.0', ...headers },
        ...(body && { body: new Uint8Array(body) }),
      })
      return { status, at: answered.get('location') ?? '', of: Object.fromEntries(answered) }
    }
    const append = (at: string, offset: number) =>
      send(
        'PATCH',
        at,
        { 'upload-offset': `${offset}`, 'content-type': 'application/offset+octet-stream' },
        voice.subarray(offset),
      )
    const crashing = await start('api', { PORT, KINORA_CRASH_AT: point })
    const { at } = await send('POST', '/api/v1/asset/upload', { 'upload-length': `${sizeBytes}` })
    await assert.rejects(append(at, 0))
    assert.equal(await crashing.ended, 'SIGKILL')

    url = kinora.url
    const { of } = await send('HEAD', at, {})
    assert.ok(Number(of['upload-offset']) >= Math.min(sizeBytes, pieces * PIECE_BYTES), of['upload-offset'])
    const isComplete = of['asset-id'] !== undefined
    assert.equal(isComplete, point === 'upload.finished')
    const ended = isComplete ? of : (await append(at, Number(of['upload-offset']))).of
    assert.equal(ended['upload-offset'], `${sizeBytes}`)
    await app.sql`update kinora.asset_upload set due_at = ${app.now()} where user_id = ${ann.userId}`
    await sweepUploads(app)
    assert.deepEqual(
      (await rowsOf(kinora, ann)).map(({ id, state }) => [id, state]),
      [[ended['asset-id'], 'kept']],
    )
    assert.deepEqual([keptOf(kinora, ann).length, folderOf(kinora, `files/upload/${ann.userId}`)], [1, []])
  })
}

for (const point of soundAlone) {
  test(`200: the API was killed at ${point}, the kind is changed again → the sound alone, one file`, async () => {
    const ann = await kinora.person()
    const PORT = String(await freePort())
    const target = '/api/v1/asset'
    const url = `http://127.0.0.1:${PORT}`
    const headers = { authorization: `Bearer ${ann.token}` }
    const film = await remade(await paintedFilm('avc', 320, 180, 2), { codec: 'aac' })
    const json = { ...headers, 'content-type': 'application/json' }
    const crashing = await start('api', { PORT, KINORA_CRASH_AT: point })
    const sending = { method: 'POST', headers: { ...headers, 'content-type': 'video/mp4' }, body: new Uint8Array(film) }
    const sent = (await (await fetch(url + target, sending)).json()) as { data: { id: string } }
    const change = (url: string) =>
      fetch(`${url}${target}/${sent.data.id}`, { method: 'PATCH', headers: json, body: '{"kind":"sound"}' })
    await assert.rejects(change(url))
    assert.equal(await crashing.ended, 'SIGKILL')

    assert.equal((await change(kinora.url)).status, 200)
    await app.sql`update kinora.asset set due_at = ${app.now()}, name = 'voice' where user_id = ${ann.userId}`
    await sweepAssets(app)
    assert.deepEqual(keptOf(kinora, ann), [`${sent.data.id}.m4a`])
    const rows = await app.sql`select kind, other_key from kinora.asset where user_id = ${ann.userId}`
    assert.deepEqual([...rows], [{ kind: 'sound', otherKey: null }])
  })
}
