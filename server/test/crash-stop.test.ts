/**
 * SIGTERM in the middle of the work: the process ends within ten seconds and in order, and the next one brings every video
 * to its end. A second SIGTERM ends it at once.
 */
import assert from 'node:assert/strict'
import { mkdir, rm, utimes } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './free-port.ts'
import { openKinora } from './harness.ts'
import { folderOf } from './images.ts'
import { startProcess } from './processes.ts'
import { startScriptedProvider } from './scripted-provider.ts'
import { filesOf, readRow, waitFor } from './video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
const { onFilm, onSubmit } = provider
const statusOf = async (uuid: string) => (await readRow(kinora, uuid)).status
/** Films that were given up on may lie beside them. */
const imageParts = () => folderOf(kinora, 'parts').filter((name) => name.startsWith('image-'))
const toBe = (uuid: string, status: string) => waitFor(status, async () => (await statusOf(uuid)) === status)

test('SIGTERM in mid-collect and mid-submit: in order within 10 s, and the next process completes both', async () => {
  // The first film and the second submit never come to an end.
  provider.onFilm = () => (provider.fetches === 1 ? new Promise(() => {}) : onFilm())
  provider.onSubmit = (submit) => (provider.submits.length === 1 ? onSubmit(submit) : 'silence')
  const ann = await kinora.person({ credits: 48 })
  const stopped = await startProcess(kinora, 'worker')
  const { data: collecting } = await kinora.generate(ann, { model: 'alpha-2' })
  await toBe(collecting.uuid, 'GENERATING')
  await provider.callBack(provider.submits[0], { videoUrl: provider.filmUrl })
  await waitFor('the film to be asked for', () => provider.fetches === 1)
  const { data: submitting } = await kinora.generate(ann, { model: 'alpha-2' })
  await waitFor('the submit', () => provider.submits.length === 2)

  // Status 0 is the proof of both: a process that is not done within ten seconds ends itself with 1.
  assert.equal(await stopped.stop(), 0)
  assert.deepEqual(filesOf(kinora, ann.userId, collecting.uuid), { kept: [], parts: [] })
  const row = await readRow(kinora, collecting.uuid)
  assert.equal(row.leaseId, null)
  assert.ok(row.dueAt && row.dueAt <= new Date())

  const next = await startProcess(kinora, 'worker')
  await toBe(collecting.uuid, 'COMPLETED')
  assert.equal(await statusOf(submitting.uuid), 'PENDING')
  await provider.callBack(provider.submits[1], { taskId: 'after-the-stop', videoUrl: provider.filmUrl })
  await toBe(submitting.uuid, 'COMPLETED')
  assert.equal(await next.stop(), 0)
  assert.equal(provider.submits.length, 2)
  assert.equal((await kinora.balance(ann)).used, 48)
})

test('a second SIGTERM ends the process at once, and the video is taken up when the lease ends', async () => {
  provider.reset()
  provider.onFilm = () => (provider.fetches === 1 ? new Promise(() => {}) : onFilm())
  const ann = await kinora.person({ credits: 24 })
  const stopped = await startProcess(kinora, 'worker')
  const { data } = await kinora.generate(ann, { model: 'alpha-2' })
  await toBe(data.uuid, 'GENERATING')
  await provider.callBack(provider.submits[0], { videoUrl: provider.filmUrl })
  await waitFor('the film to be asked for', () => provider.fetches === 1)
  stopped.child.kill('SIGTERM')
  await stopped.logged('stopping')
  // In order it would have been 0.
  assert.equal(await stopped.stop(), 1)

  const next = await startProcess(kinora, 'worker')
  assert.equal(await statusOf(data.uuid), 'UPLOADING')
  await kinora.app.sql`update kinora.video set due_at = now(), lease_until = now() where id = ${data.uuid}`
  await toBe(data.uuid, 'COMPLETED')
  assert.equal(await next.stop(), 0)
  assert.equal((await kinora.balance(ann)).used, 24)
})

test('SIGTERM in the middle of an upload: in order within 10 s, and nothing is left of it', async (t) => {
  const ann = await kinora.person()
  const port = String(await freePort())
  const api = await startProcess(kinora, 'api', { PORT: port })
  t.after(() => api.child.kill('SIGKILL'))
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png', 'content-length': 5_000_000 }
  const upload = http.request(`http://127.0.0.1:${port}/api/v1/video/image`, { method: 'POST', headers })
  upload.on('error', () => undefined)
  upload.write(Buffer.alloc(1_000_000))
  await waitFor('the part', () => imageParts().length === 1)
  assert.equal(await api.stop(), 0)
  assert.deepEqual(imageParts(), [])
})

test('what a killed process left of uploads and films goes an hour later, by an API process too', async (t) => {
  const parts = path.join(kinora.app.config.dataDir, 'parts')
  for (const name of ['image-old', 'image-young']) await mkdir(path.join(parts, name), { recursive: true })
  const old = new Date(Date.now() - 3601_000)
  await utimes(path.join(parts, 'image-old'), old, old)
  const api = await startProcess(kinora, 'api')
  t.after(() => api.child.kill('SIGKILL'))
  await waitFor('the old part to go', () => !imageParts().includes('image-old'))
  assert.deepEqual(imageParts(), ['image-young'])
  assert.equal(await api.stop(), 0)
  await rm(path.join(parts, 'image-young'), { recursive: true })
})

test('SIGTERM with nothing in hand: at once, API, worker and both', async () => {
  for (const command of ['api', 'worker', 'all'] as const) {
    const server = await startProcess(kinora, command)
    assert.equal(await server.stop(), 0, command)
  }
})
