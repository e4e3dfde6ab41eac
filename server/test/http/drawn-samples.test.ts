/** The sample films of the release: for models that the simulator stands in for, until a model has made one. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addSample } from '../../src/video/model-samples.ts'
import { addModel, models } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'

const studioDir = await mkdtemp(path.join(tmpdir(), 'kinora-studio-'))
after(() => rm(studioDir, { recursive: true }))
await cp(fileURLToPath(new URL('../../../studio/public', import.meta.url)), studioDir, { recursive: true })
await writeFile(path.join(studioDir, 'index.html'), '<title>Kinora</title>')
const kinora = await openKinora({
  env: {
    STUDIO_DIR: studioDir,
    PROVIDER_SIMULATOR_URL: 'http://127.0.0.1:9',
    // With a key and an address, as npm start has them.
    PROVIDER_A_URL: 'http://127.0.0.1:9/provider-a',
    PROVIDER_B_URL: 'https://vendor.example',
  },
})

type Model = {
  id: string
  sample: string[]
  sampleThumbnailUrl: string | null
  isSampleDrawn: boolean
  usualSeconds: number
}
async function listed(): Promise<Record<string, Model>> {
  const { data } = await kinora.call<{ models: Model[] }>('GET', '/api/v1/config/models')
  return Object.fromEntries(data.models.map((model) => [model.id, model]))
}

test('200: model of the simulator → a drawn film, another for the next model, and its own usual time; of a vendor → none', async (t) => {
  addModel('linked', { sample: ['https://films.example.com/a.mp4'], routes: [{ account: 'provider-a' }] })
  t.after(() => models().delete('linked'))
  const { 'alpha-2': alpha, 'beta-3-1': beta, 'delta-1-5': delta, linked } = await listed()
  assert.ok(alpha && beta && delta && linked)
  assert.deepEqual([alpha.isSampleDrawn, beta.isSampleDrawn], [true, true])
  assert.notEqual(alpha.sample[0], beta.sample[0])
  assert.equal(alpha.usualSeconds, 5)
  assert.deepEqual([delta.sample, delta.sampleThumbnailUrl, delta.isSampleDrawn], [[], null, false])
  assert.notEqual(delta.usualSeconds, 5)
  assert.deepEqual([linked.sample, linked.isSampleDrawn], [['https://films.example.com/a.mp4'], false])
})

test('206: drawn film → ranges, kept for a year; its picture is a JPEG', async () => {
  const { 'alpha-2': alpha } = await listed()
  const film = await fetch(alpha?.sample[0] ?? '', { headers: { range: 'bytes=4-7' } })
  assert.deepEqual([film.status, await film.text()], [206, 'ftyp'])
  assert.equal(film.headers.get('content-type'), 'video/mp4')
  assert.match(film.headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await fetch(alpha?.sampleThumbnailUrl ?? '')).headers.get('content-type'), 'image/jpeg')
})

test('200: sample made here → it takes the place of the drawn one', async () => {
  const root = await kinora.person({ credits: 100 })
  const videoId = await completedVideo(kinora, root, { model: 'alpha-2' })
  await addSample(kinora.app, { model: 'alpha-2', userId: root.userId, videoId })
  kinora.turnClock(6000)
  const { 'alpha-2': alpha } = await listed()
  assert.deepEqual([alpha?.sample, alpha?.isSampleDrawn], [[`${kinora.url}/sample/${videoId}/film.mp4`], false])
})
