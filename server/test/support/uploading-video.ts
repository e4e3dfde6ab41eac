/** Videos whose film is ready to be downloaded, and what holds of them when they are final. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach } from 'node:test'
import { workOnce } from '../../src/worker/worker.ts'
import { type Kinora, openKinora, type Person } from './harness.ts'
import { type Scripted, startScriptedProvider, taskIdOf } from './scripted-provider.ts'
import { filesOf, readRow } from './video-row.ts'

export type UploadingVideo = { ann: Person; uuid: string }

/** A service with a scripted provider. A test may replace functions of its storage; `storage` has the real ones. */
export async function openUploading() {
  const provider = await startScriptedProvider()
  const kinora = await openKinora({ env: provider.env })
  const storage = { ...kinora.app.storage }
  after(() => provider.close())
  beforeEach(() => provider.reset())
  afterEach(() => {
    Object.assign(kinora.app.storage, storage)
  })
  return { provider, kinora, storage, ...uploadingVideos(kinora, provider) }
}

export function uploadingVideos(kinora: Kinora, provider: Scripted) {
  /** Creates a video that its provider has reported as completed: its film is ready to be downloaded. */
  async function createUploadingVideo(owner?: Person): Promise<UploadingVideo> {
    const ann = owner ?? (await kinora.person({ credits: 24 }))
    const created = await kinora.generate(ann, { model: 'alpha-2' })
    await workOnce(kinora.app, ['PENDING'])
    const submit = provider.submits.at(-1)
    const taskId = submit && taskIdOf(submit)
    assert.equal(await provider.callBack(submit, { ...(taskId && { taskId }), videoUrl: provider.filmUrl }), 200)
    return { ann, uuid: created.data.uuid }
  }
  const creditsOf = async (ann: Person) => {
    const { available, frozen, used } = await kinora.balance(ann)
    return { available, frozen, used }
  }

  async function assertPaid({ ann, uuid }: UploadingVideo): Promise<void> {
    const row = await readRow(kinora, uuid)
    assert.equal(row.status, 'COMPLETED', row.error ?? '')
    assert.deepEqual(await creditsOf(ann), { available: 0, frozen: 0, used: 24 })
    const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
    const film = await fetch(data.videoUrl)
    assert.equal(film.status, 200)
    assert.equal(film.headers.get('content-type'), 'video/mp4')
    await film.body?.cancel()
    assert.deepEqual(filesOf(kinora, ann.userId, uuid), { stored: [`${uuid}.jpg`, `${uuid}.mp4`], temporary: [] })
  }

  async function assertFailed({ ann, uuid }: UploadingVideo, error: RegExp): Promise<void> {
    const row = await readRow(kinora, uuid)
    assert.equal(row.status, 'FAILED')
    assert.match(row.error ?? '', error)
    assert.deepEqual(await creditsOf(ann), { available: 24, frozen: 0, used: 0 })
    assert.deepEqual(filesOf(kinora, ann.userId, uuid), { stored: [], temporary: [] })
  }

  return { createUploadingVideo, creditsOf, assertPaid, assertFailed }
}
