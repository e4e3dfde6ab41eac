// slow
/** A film that is made here says so: its content credentials are read and judged by another implementation, c2pa-rs. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSigner } from '../../src/provenance/keys.ts'
import { sweepOrphans } from '../../src/video/film-files.ts'
import { signDue } from '../../src/video/film-provenance.ts'
import { videoFilesRemoved } from '../../src/video/film-transitions.ts'
import { judge } from '../support/content-credentials.ts'
import { openCrashes } from '../support/crash.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { filesOf as storedFiles } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const rootOf = () => readFileSync(path.join(kinora.app.config.dataDir, 'provenance/root.pem'), 'utf8')

async function makeFilm(ann: Person, change: Record<string, unknown> = {}) {
  const { data } = await kinora.generate(ann, change)
  const { status, error } = await kinora.finish(ann, data.uuid)
  assert.equal(status, 'COMPLETED', error ?? '')
  return data.uuid
}

const { start } = openCrashes(kinora)
const verifyHash = async (sha256: string) =>
  (await kinora.call('POST', '/api/v1/provenance/verify', { body: { sha256 } })).data
const provenanceOf = async (as: Person, uuid: string) =>
  (await kinora.call<{ provenance: unknown }>('GET', `/api/v1/video/${uuid}`, { as })).data.provenance
const storedOf = (userId: string, uuid: string) => storedFiles(kinora, userId, uuid).stored
const UNKNOWN = { known: false, kind: null, model: null, madeAt: null, signed: null, signer: null, ingredients: null }
const UNSIGNED = { signed: false, signer: null, label: null, manifestUrl: null }
const SIGNED = { ...UNSIGNED, signed: true, signer: 'Kinora (self-made)' }

/** A certificate that cannot be read, until the test ends or `mend` is called. */
function breakCertificate(t: TestContext, mode: 'on' | 'required') {
  const { provenance } = kinora.app.config
  const before = { ...provenance }
  const mend = () => Object.assign(provenance, before)
  Object.assign(provenance, { mode, certificate: 'none', key: 'none' })
  t.after(mend)
  return mend
}

const makeDue = (uuid: string) =>
  kinora.app.sql`update kinora.video_provenance set due_at = ${kinora.app.now()} where video_id = ${uuid}`

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

test('content credentials: read by the API, film and poster known by their hashes, also deleted → model and time, nothing of the owner', async () => {
  const ann = await kinora.person({ credits: 100 })
  const uuid = await makeFilm(ann)
  assert.deepEqual(await provenanceOf(ann, uuid), SIGNED)
  const { film, poster } = await filesOf(ann, uuid)
  const { data } = await kinora.call<{ completedAt: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const known = {
    known: true,
    kind: 'film',
    model: 'Delta 1.5',
    madeAt: data.completedAt,
    signed: true,
    signer: 'Kinora (self-made)',
    ingredients: [],
  }
  assert.deepEqual(await verifyHash(hash('sha256', film).toUpperCase()), known)
  assert.deepEqual(await verifyHash(hash('sha256', poster)), { ...known, kind: 'poster' })
  assert.deepEqual(await verifyHash(hash('sha256', 'no film')), UNKNOWN)
  const { status } = await kinora.call('POST', '/api/v1/provenance/verify', { body: { sha256: 'f00' } })
  assert.equal(status, 400)
  await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })
  assert.deepEqual(await verifyHash(hash('sha256', film)), known)
})

test('content credentials: a certificate that cannot be read, then one that can → stored unsigned, then signed under the same link', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const mend = breakCertificate(t, 'on')
  const uuid = await makeFilm(ann)
  assert.deepEqual(await provenanceOf(ann, uuid), UNSIGNED)
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const read = async () => Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
  assert.equal(await judge(await read(), 'video/mp4', rootOf()), null)
  mend()
  await makeDue(uuid)
  assert.equal(await signDue(kinora.app), 1)
  const film = await read()
  assert.equal((await judge(film, 'video/mp4', rootOf()))?.state, 'Trusted')
  assert.deepEqual(await provenanceOf(ann, uuid), SIGNED)
  assert.equal((await verifyHash(hash('sha256', film))).known, true)
  assert.equal(await signDue(kinora.app), 0)
})

for (const point of ['signed', 'film-stored', 'poster-stored', 'recorded']) {
  test(`content credentials: worker killed at provenance.${point} → the film is there, signed once, and what is stored is what is recorded`, async (t) => {
    const ann = await kinora.person({ credits: 100 })
    const mend = breakCertificate(t, 'on')
    const uuid = await makeFilm(ann)
    mend()
    await makeDue(uuid)
    const crashing = await start('worker', { KINORA_CRASH_AT: `provenance.${point}` })
    assert.equal(await crashing.ended, 'SIGKILL')
    const { film: stored } = await filesOf(ann, uuid)
    assert.equal((await judge(stored, 'video/mp4', rootOf())) === null, point === 'signed')
    assert.deepEqual(await provenanceOf(ann, uuid), point === 'recorded' ? SIGNED : UNSIGNED)
    if (point !== 'recorded') await makeDue(uuid)
    assert.equal(await signDue(kinora.app), point === 'recorded' ? 0 : 1)
    const { film, poster } = await filesOf(ann, uuid)
    if (point !== 'signed') assert.equal(film.equals(stored), true)
    const found = await judge(film, 'video/mp4', rootOf())
    assert.deepEqual([found?.state, found?.manifests.length], ['Trusted', 1])
    assert.equal((await judge(poster, 'image/jpeg', rootOf()))?.state, 'Trusted')
    assert.deepEqual(await provenanceOf(ann, uuid), SIGNED)
    assert.deepEqual(
      [await verifyHash(hash('sha256', film)), await verifyHash(hash('sha256', poster))].map(({ known }) => known),
      [true, true],
    )
    assert.deepEqual(storedOf(ann.userId, uuid), [`${uuid}.jpg`, `${uuid}.mp4`])
  })
}

test('content credentials: films removed by retention while a worker that is killed stores them again → the sweep removes them', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const mend = breakCertificate(t, 'on')
  const uuid = await makeFilm(ann)
  mend()
  await makeDue(uuid)
  const crashing = await start('worker', { KINORA_CRASH_AT: 'provenance.poster-stored' })
  assert.equal(await crashing.ended, 'SIGKILL')
  // As when the removal came between: the worker has put back what retention removed.
  const removed = await videoFilesRemoved(kinora.app.sql, {
    userId: ann.userId,
    videoId: uuid,
    reason: 'KEEP_FILMS',
    now: kinora.app.now(),
  })
  assert.equal(removed, 'recorded')
  assert.deepEqual(storedOf(ann.userId, uuid), [`${uuid}.jpg`, `${uuid}.mp4`])
  kinora.turnClock(61 * 60_000)
  await sweepOrphans(kinora.app)
  kinora.turnClock(-61 * 60_000)
  assert.deepEqual(storedOf(ann.userId, uuid), [])
})

test('content credentials: required, and a certificate that cannot be read → the film waits, and is completed signed', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const mend = breakCertificate(t, 'required')
  const { data } = await kinora.generate(ann)
  const attempts = async () =>
    (
      await kinora.app.sql<{ attempt: number; status: string }[]>`
        select attempt, status from kinora.video where id = ${data.uuid} and status = 'UPLOADING' and attempt > 0
      `
    ).length === 1
  await kinora.workUntil(attempts)
  mend()
  const { status, error } = await kinora.finish(ann, data.uuid)
  assert.equal(status, 'COMPLETED', error ?? '')
  assert.deepEqual(await provenanceOf(ann, data.uuid), SIGNED)
})

/** An operator's certificate with its key, made so many days ago and good for a year. */
async function certificateOf(t: TestContext, days: number) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-operator-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const madeAt = new Date(kinora.app.now().getTime() - days * 86_400_000)
  const { root } = await openSigner({ dataDir, provenance: { certificate: null, key: null } }, madeAt)
  const pem = readFileSync(path.join(dataDir, 'provenance/certificate.pem'), 'utf8')
  return { pem, root: root ?? '' }
}

test('certificate of the operator: replaced, expired and replaced again while films are made → each film by the one of its time, none without for good', async (t) => {
  const { provenance } = kinora.app.config
  const own = { ...provenance }
  t.after(() => Object.assign(provenance, own))
  const [first, expired, next] = [await certificateOf(t, 1), await certificateOf(t, 370), await certificateOf(t, 2)]
  const use = ({ pem }: { pem: string }) => Object.assign(provenance, { certificate: pem, key: pem })
  const ann = await kinora.person({ credits: 100 })
  const stateOf = async (uuid: string, root: string) =>
    (await judge((await filesOf(ann, uuid)).film, 'video/mp4', root))?.state
  use(first)
  const earlier = await makeFilm(ann)
  use(next)
  const later = await makeFilm(ann)
  use(expired)
  const unsigned = await makeFilm(ann)
  assert.deepEqual(await provenanceOf(ann, unsigned), UNSIGNED)
  await makeDue(unsigned)
  assert.equal(await signDue(kinora.app), 0)
  use(next)
  assert.equal(await signDue(kinora.app), 1)
  assert.deepEqual(
    [await stateOf(earlier, first.root), await stateOf(later, next.root), await stateOf(unsigned, next.root)],
    ['Trusted', 'Trusted', 'Trusted'],
  )
  assert.notEqual(await stateOf(earlier, next.root), 'Trusted')
})
