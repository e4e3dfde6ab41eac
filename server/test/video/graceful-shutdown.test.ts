// slow
/**
 * Graceful shutdown: after SIGTERM the process drains and exits with status 0 within ten seconds, and the next process
 * finishes every video. A second SIGTERM ends it at once.
 */
import assert from 'node:assert/strict'
import { mkdir, rm, utimes } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { folderOf } from '../support/images.ts'
import { startProcess } from '../support/processes.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { filesOf, readRow, waitFor } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: provider.env })
after(() => provider.close())
beforeEach(() => provider.reset())
const { onFilm, onSubmit } = provider
const statusOf = async (uuid: string) => (await readRow(kinora, uuid)).status
/** Temporary files of uploads; those of abandoned downloads may lie in the same folder. */
const uploadFiles = () => folderOf(kinora, 'tmp').filter((name) => name.startsWith('asset-'))
const waitForStatus = (uuid: string, status: string) => waitFor(status, async () => (await statusOf(uuid)) === status)

test('SIGTERM: during a download and a submit → exit 0 within 10 s, the next process completes both videos', async () => {
  // The first download and the second submit never end.
  provider.onFilm = () => (provider.fetches === 1 ? new Promise(() => {}) : onFilm())
  provider.onSubmit = (submit) => (provider.submits.length === 1 ? onSubmit(submit) : 'silence')
  const ann = await kinora.person({ credits: 48 })
  const worker = await startProcess(kinora, 'worker')
  const { data: collecting } = await kinora.generate(ann, { model: 'alpha-2' })
  await waitForStatus(collecting.uuid, 'GENERATING')
  await provider.callBack(provider.submits[0], { videoUrl: provider.filmUrl })
  await waitFor('the download to start', () => provider.fetches === 1)
  const { data: submitting } = await kinora.generate(ann, { model: 'alpha-2' })
  await waitFor('the submit', () => provider.submits.length === 2)

  // Exit status 0 proves both: a process that has not drained within ten seconds exits with 1.
  assert.equal(await worker.stop(), 0)
  const { stored, temporary } = filesOf(kinora, ann.userId, collecting.uuid)
  assert.deepEqual([stored, temporary.filter((name) => name.startsWith(collecting.uuid))], [[], []])
  const row = await readRow(kinora, collecting.uuid)
  assert.equal(row.leaseId, null)
  assert.ok(row.dueAt && row.dueAt <= new Date())

  const next = await startProcess(kinora, 'worker')
  await waitForStatus(collecting.uuid, 'COMPLETED')
  assert.equal(await statusOf(submitting.uuid), 'PENDING')
  await provider.callBack(provider.submits[1], { taskId: 'after-the-stop', videoUrl: provider.filmUrl })
  await waitForStatus(submitting.uuid, 'COMPLETED')
  assert.equal(await next.stop(), 0)
  assert.equal(provider.submits.length, 2)
  assert.equal((await kinora.balance(ann)).used, 48)
})

test('SIGTERM: a second one while stopping → exit 1 at once, the video is claimed when its lease expires', async () => {
  provider.onFilm = () => (provider.fetches === 1 ? new Promise(() => {}) : onFilm())
  const ann = await kinora.person({ credits: 24 })
  const worker = await startProcess(kinora, 'worker')
  const { data } = await kinora.generate(ann, { model: 'alpha-2' })
  await waitForStatus(data.uuid, 'GENERATING')
  await provider.callBack(provider.submits[0], { videoUrl: provider.filmUrl })
  await waitFor('the download to start', () => provider.fetches === 1)
  worker.child.kill('SIGTERM')
  await worker.logged('stopping')
  // A graceful shutdown would have exited with 0.
  assert.equal(await worker.stop(), 1)

  const next = await startProcess(kinora, 'worker')
  assert.equal(await statusOf(data.uuid), 'UPLOADING')
  await kinora.app.sql`update kinora.video set due_at = now(), lease_until = now() where id = ${data.uuid}`
  await waitForStatus(data.uuid, 'COMPLETED')
  assert.equal(await next.stop(), 0)
  assert.equal((await kinora.balance(ann)).used, 24)
})

test('SIGTERM: during an upload → exit 0 within 10 s, its temporary file is removed', async (t) => {
  const ann = await kinora.person()
  const port = String(await freePort())
  const api = await startProcess(kinora, 'api', { PORT: port })
  t.after(() => api.child.kill('SIGKILL'))
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png', 'content-length': 5_000_000 }
  const upload = http.request(`http://127.0.0.1:${port}/api/v1/video/image`, { method: 'POST', headers })
  upload.on('error', () => undefined)
  upload.write(Buffer.alloc(1_000_000))
  await waitFor('the temporary file', () => uploadFiles().length === 1)
  assert.equal(await api.stop(), 0)
  assert.deepEqual(uploadFiles(), [])
})

test('temporary files: left by a killed process → removed after an hour, also by an API process', async (t) => {
  const temporaryFiles = path.join(kinora.app.config.dataDir, 'tmp')
  for (const name of ['asset-old', 'asset-young']) await mkdir(path.join(temporaryFiles, name), { recursive: true })
  const old = new Date(Date.now() - 3601_000)
  await utimes(path.join(temporaryFiles, 'asset-old'), old, old)
  const api = await startProcess(kinora, 'api')
  t.after(() => api.child.kill('SIGKILL'))
  await waitFor('the old temporary file to be removed', () => !uploadFiles().includes('asset-old'))
  assert.deepEqual(uploadFiles(), ['asset-young'])
  assert.equal(await api.stop(), 0)
  await rm(path.join(temporaryFiles, 'asset-young'), { recursive: true })
})

test('SIGTERM: api, worker or all is idle → exit 0', async () => {
  for (const command of ['api', 'worker', 'all'] as const) {
    const server = await startProcess(kinora, command)
    assert.equal(await server.stop(), 0, command)
  }
})
