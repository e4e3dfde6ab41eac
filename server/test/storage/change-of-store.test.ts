// slow
/** From the folder to S3 and back, as docs/growing.md has it: the service runs, films are read all the time. */
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { folderOf, openStorage, openStores } from '../../src/storage/open.ts'
import { completedVideo } from '../support/completed-video.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { openS3Server } from '../support/s3-server.ts'

const kinora = await openKinora()
const s3 = await openS3Server()
after(s3.close)
const toS3 = { ...s3.env(), S3_BUCKET: 'films' }
const toFolder = { ...toS3, STORAGE: 'folder' }
const filesInFolder = async () =>
  (await readdir(folderOf(kinora.app.config), { recursive: true })).filter((name) => /\.(mp4|jpg)$/.test(name)).length
const copy = (env: Record<string, string>, ...args: string[]) => runCommand(kinora, ['files', 'copy', ...args], env)

/** The statuses of a film's link at a process with these settings, without following a redirect and with. */
async function read(env: Record<string, string>, { token }: Person, uuids: string[]): Promise<number[][]> {
  const port = await freePort()
  const api = await startProcess(kinora, 'api', { ...env, PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${port}` })
  const headers = { authorization: `Bearer ${token}` }
  try {
    return await Promise.all(
      uuids.map(async (uuid) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v1/video/${uuid}`, { headers })
        const { data } = (await response.json()) as { data: { videoUrl: string } }
        assert.equal(response.status, 200, JSON.stringify(data))
        const first = await fetch(data.videoUrl, { redirect: 'manual' })
        return [first.status, (await fetch(data.videoUrl)).status]
      }),
    )
  } finally {
    await api.stop()
  }
}

test('kinora files copy: folder → S3 → folder, one of them refused once → every film is read at each step', async () => {
  const person = await kinora.person({ credits: 5000 })
  const uuids = [await completedVideo(kinora, person), await completedVideo(kinora, person)]
  assert.equal(
    (await copy({}, '--to', 'folder')).output,
    'Nothing to copy: S3_BUCKET is not set, so there is no bucket to copy from.\n',
  )
  const wrong = await copy({}, '--to', 's3')
  assert.equal(wrong.status, 2)
  assert.match(wrong.output, /New films go to the folder: set S3_BUCKET/)

  assert.deepEqual(
    await read(toS3, person, uuids),
    [
      [200, 200],
      [200, 200],
    ],
    'before the copy: from the folder',
  )
  const doctor = await runCommand(kinora, ['doctor'], toS3)
  assert.match(doctor.output, /^earlier files – 4 in .+files, 4 of them only there – run kinora files copy --to s3/m)
  s3.failOnce('PUT /films/video', 403)
  const failed = await copy(toS3, '--to', 's3')
  assert.equal(failed.status, 1, failed.output)
  assert.match(failed.output, /^3 files copied and verified, 0 were there already\.$/m)
  const again = await copy(toS3, '--to', 's3')
  assert.deepEqual(
    [again.status, again.output.split('\n')[0]],
    [0, '1 file copied and verified, 3 were there already.'],
  )
  assert.match((await runCommand(kinora, ['doctor'], toS3)).output, /4 in .+files, all of them in bucket films too/)
  const [[name, object] = assert.fail('no object')] = [...s3.objects]
  s3.objects.set(name, Buffer.alloc(object.length))
  const other = await copy(toS3, '--to', 's3', '--remove')
  assert.match(other.output, /: the copy differs from the original$/m)
  assert.deepEqual([other.status, await filesInFolder()], [1, 1], 'what has no verified copy stays')
  s3.objects.set(name, object)
  assert.equal((await copy(toS3, '--to', 's3', '--remove')).status, 0)
  assert.deepEqual([s3.objects.size, await filesInFolder()], [4, 0])
  assert.deepEqual(
    await read(toS3, person, uuids),
    [
      [302, 200],
      [302, 200],
    ],
    'after the copy: from the bucket',
  )

  assert.deepEqual(
    await read(toFolder, person, uuids),
    [
      [302, 200],
      [302, 200],
    ],
    'on the way back',
  )
  assert.match((await copy(toFolder, '--to', 'folder', '--remove')).output, /^4 files copied and verified/)
  assert.deepEqual([s3.objects.size, await filesInFolder()], [0, 4])
  assert.deepEqual(
    await read({}, person, uuids),
    [
      [200, 200],
      [200, 200],
    ],
    'without S3',
  )
})

test('storage: two stores → a file is removed from both; one that is nowhere is looked for in the folder', async (t) => {
  const { S3_ENDPOINT: endpoint = '' } = s3.env()
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const bucket = { bucket: 'films', endpoint, region: 'us-east-1', forcePathStyle: true, ...keys }
  const settings = { dataDir: kinora.app.config.dataDir, s3: bucket, storage: 'folder' } as const
  const { inForce, other } = await openStores(settings)
  const storage = await openStorage(settings)
  t.after(storage.close)
  const file = path.join(settings.dataDir, 'a-file')
  await writeFile(file, 'film')
  const key = 'video/u1/v1.l1.mp4'
  for (const store of [inForce, other]) await store?.put(key, file, 'video/mp4')
  await storage.remove(key)
  assert.deepEqual([await inForce.size(key), await other?.size(key)], [null, null])
  const options = { method: 'GET', contentType: 'video/mp4', ttlS: 60 } as const
  assert.equal((await storage.locate(key, options)).kind, 'file')
  await other?.put(key, file, 'video/mp4')
  assert.equal((await storage.locate(key, options)).kind, 'redirect')
  assert.equal(await storage.size(key), 4)
})
