// slow
/** A film that is made here says so: its content credentials are read and judged by another implementation, c2pa-rs. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { judge } from '../support/content-credentials.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })
const rootOf = () => readFileSync(path.join(kinora.app.config.dataDir, 'provenance/root.pem'), 'utf8')

async function makeFilm(ann: Person, change: Record<string, unknown> = {}) {
  const { data } = await kinora.generate(ann, change)
  const { status, error } = await kinora.finish(ann, data.uuid)
  assert.equal(status, 'COMPLETED', error ?? '')
  return data.uuid
}

async function filesOf(ann: Person, uuid: string) {
  const { data } = await kinora.call<{ videoUrl: string; thumbnailUrl: string }>('GET', `/api/v1/video/${uuid}`, {
    as: ann,
  })
  const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  return { film: await read(data.videoUrl), poster: await read(data.thumbnailUrl) }
}

test('content credentials: film and poster of a text → trusted with the root, made by AI, by the model, about no person', async () => {
  const ann = await kinora.person({ credits: 100 })
  const uuid = await makeFilm(ann, { prompt: 'Seventeen red balloons' })
  const { film, poster } = await filesOf(ann, uuid)
  for (const [bytes, type] of [
    [film, 'video/mp4'],
    [poster, 'image/jpeg'],
  ] as const) {
    const found = (await judge(bytes, type, rootOf())) ?? assert.fail(`${type} has content credentials`)
    assert.deepEqual([found.state, found.failures], ['Trusted', []])
    assert.deepEqual(found.actions, ['c2pa.created'])
    assert.deepEqual(found.sourceTypes, ['trainedAlgorithmicMedia'])
    assert.deepEqual(found.softwareAgents, ['Delta 1.5'])
    assert.equal(found.text.includes(uuid), true)
    for (const secret of ['balloons', ann.userId, ann.email]) assert.equal(found.text.includes(secret), false)
  }
  const [row] = await kinora.app.sql<[{ filmSha256: Buffer; sizeBytes: number }]>`
    select p.film_sha256, v.size_bytes from kinora.video_provenance p join kinora.video v on v.user_id = p.user_id and v.id = p.video_id
    where p.video_id = ${uuid}
  `
  assert.deepEqual([row.filmSha256.toString('hex'), row.sizeBytes], [hash('sha256', film), film.length])
})

test('content credentials: a byte of the film changed → invalid', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { film } = await filesOf(ann, await makeFilm(ann))
  film.writeUInt8(film.readUInt8(film.length - 9) ^ 1, film.length - 9)
  const found = await judge(film, 'video/mp4', rootOf())
  assert.deepEqual([found?.state, found?.failures], ['Invalid', ['assertion.bmffHash.mismatch']])
})
