// slow
/** The manifest beside a film: backup, check of files, export, ZIP and erasure have it with its film. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { sweepFilms, sweepOrphans } from '../../src/video/film-files.ts'
import { openAccounts } from '../support/account-fixture.ts'
import { judge } from '../support/content-credentials.ts'
import { openCrashes } from '../support/crash.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import * as films from '../support/films.ts'
import type { Person } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { unzip } from '../support/unzip.ts'
import { uploadingVideos } from '../support/uploading-video.ts'
import { filesOf, runNextStep } from '../support/video-row.ts'

const provider = await startScriptedProvider()
after(() => provider.close())
const { kinora, register, deleteAccount, erase, isErased } = await openAccounts(provider.env)
const { createUploadingVideo } = uploadingVideos(kinora, provider)
const { start, makeDue } = openCrashes(kinora)
const { app } = kinora
const dir = mkdtempSync(path.join(tmpdir(), 'kinora-sidecar-'))
after(() => rmSync(dir, { recursive: true }))
const webm = await films.paintedAv1Film()
beforeEach(() => {
  provider.onFilm = () => webm
})

type Detail = { videoUrl: string; provenance: { signed: boolean; manifestUrl: string } }

/** A WebM film with its manifest beside it, made as every film is. */
async function filmOf(owner: Person) {
  await kinora.grant(owner, 24)
  const { uuid } = await createUploadingVideo(owner)
  await runNextStep(kinora, uuid)
  const { data } = await kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as: owner })
  const manifest = Buffer.from(await (await fetch(data.provenance.manifestUrl)).arrayBuffer())
  const [row] = await app.sql<{ manifestKey: string }[]>`select manifest_key from kinora.video where id = ${uuid}`
  const key = row?.manifestKey ?? assert.fail('the film has a manifest beside it')
  assert.deepEqual(filesOf(kinora, owner.userId, uuid).stored, [`${uuid}.c2pa`, `${uuid}.jpg`, `${uuid}.webm`])
  return { uuid, manifest, key, videoUrl: data.videoUrl }
}
const zipOf = async (as: Person, url: string) =>
  unzip(
    Buffer.from(
      await (await fetch(`${kinora.url}${url}`, { headers: { authorization: `Bearer ${as.token}` } })).arrayBuffer(),
    ),
  )
/** Everything of a ZIP that is the manifest. */
const manifestsIn = (files: Map<string, Buffer>, manifest: Buffer) =>
  [...files].filter(([, bytes]) => bytes.equals(manifest)).map(([name]) => name)

test('Link, ZIP, export: film with its manifest beside it → both, by the same name; the film is as it came', async () => {
  const ann = await register()
  const { uuid, manifest, videoUrl } = await filmOf(ann)
  const response = await fetch(videoUrl)
  assert.match(response.headers.get('link') ?? '', /\.c2pa[^>]*>; rel="c2pa-manifest"$/)
  assert.equal(Buffer.from(await response.arrayBuffer()).equals(webm), true)
  const root = readFileSync(path.join(app.config.dataDir, 'provenance/root.pem'), 'utf8')
  assert.deepEqual((await judge(manifest, 'application/c2pa', root))?.actions, ['c2pa.created'])
  const zip = await zipOf(ann, `/api/v1/video/archive?uuid=${uuid}`)
  const [named = ''] = manifestsIn(zip, manifest)
  assert.equal(zip.get(named.replace(/\.c2pa$/, '.webm'))?.equals(webm), true)
  const exported = await zipOf(ann, '/api/v1/account/export')
  const [inExport = ''] = manifestsIn(exported, manifest)
  assert.equal(exported.get(inExport.replace(/\.c2pa$/, '.webm'))?.equals(webm), true)
})

test('kinora verify --files: manifest beside a film is gone → named; back → right', async () => {
  const { key } = await filmOf(await register())
  const verify = () => runCommand(kinora, ['verify', '--files'])
  assert.equal((await verify()).status, 0)
  const file = path.join(app.config.dataDir, 'files', key)
  const content = readFileSync(file)
  await app.storage.remove(key)
  const { status, output } = await verify()
  assert.equal(status, 1)
  assert.ok(output.includes(key), output)
  const copy = path.join(dir, 'copy.c2pa')
  writeFileSync(copy, content)
  await app.storage.put(key, copy, 'application/c2pa')
  assert.equal((await verify()).status, 0)
})

test('kinora backup, restore: with the signing key, without → listed with its film; the key is back, or what happens without it', async () => {
  const { key, manifest } = await filmOf(await register())
  const text = (file: string) => gunzipSync(readFileSync(file)).toString()
  const own = (folder: string, file: string) => path.join(folder, 'provenance', file)
  const [plain, whole] = [path.join(dir, 'plain.backup'), path.join(dir, 'whole.backup')]
  assert.equal((await runCommand(kinora, ['backup', plain])).status, 0)
  const made = await runCommand(kinora, ['backup', '--with-signing-key', whole])
  assert.equal(made.status, 0, made.output)
  assert.ok(
    text(plain).includes(`{"key":"${key}","sizeBytes":${manifest.length},"sha256":"${hash('sha256', manifest)}"}`),
  )
  const secret = readFileSync(own(app.config.dataDir, 'root.key'), 'utf8').split('\n')[1] ?? assert.fail()
  assert.deepEqual([text(plain).includes(secret), text(whole).includes(secret)], [false, true])

  const restore = async (backup: string, dataDir: string) => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: dataDir }
    return (await runCommand(kinora, ['restore', '--no-hashes', backup], env)).output
  }
  const [first, second] = [path.join(dir, 'first'), path.join(dir, 'second')]
  const without = await restore(plain, first)
  assert.match(
    without,
    /^The key that signs films is not in this backup\. Copy the folder provenance .+ another root\./m,
  )
  assert.equal(existsSync(path.join(first, 'provenance')), false)
  assert.ok((await restore(whole, second)).includes(`The key that signs films is in ${second} again.`))
  for (const file of ['root.pem', 'root.key', 'certificate.pem']) {
    assert.equal(readFileSync(own(second, file), 'utf8'), readFileSync(own(app.config.dataDir, file), 'utf8'))
    assert.equal(statSync(own(second, file)).mode & 0o777, 0o600)
  }
  assert.match(await restore(whole, app.config.dataDir), /key that is in .+; that of the backup was not taken\.$/m)
})

test('collect: worker killed between manifest and row → the next one completes it, nothing is stored twice', async () => {
  const ann = await register()
  await kinora.grant(ann, 24)
  const { uuid } = await createUploadingVideo(ann)
  const crashing = await start('worker', { KINORA_CRASH_AT: 'collect.film-stored' })
  assert.equal(await crashing.ended, 'SIGKILL')
  assert.deepEqual(filesOf(kinora, ann.userId, uuid).stored, [`${uuid}.c2pa`, `${uuid}.webm`])
  await makeDue({ ownerId: ann.userId, uuid })
  await runNextStep(kinora, uuid)
  kinora.turnClock(61 * 60_000)
  await sweepOrphans(app)
  kinora.turnClock(-61 * 60_000)
  assert.deepEqual(filesOf(kinora, ann.userId, uuid).stored, [`${uuid}.c2pa`, `${uuid}.jpg`, `${uuid}.webm`])
  const { data } = await kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.equal(data.provenance.signed, true)
  assert.equal((await fetch(data.provenance.manifestUrl)).status, 200)
})

test('retention and erasure: film with its manifest beside it → no file is left', async (t) => {
  const { retention } = app.config
  const kept = { ...retention }
  t.after(() => Object.assign(retention, kept))
  const [ann, bob] = [await register(), await register()]
  const [old, erased] = [await filmOf(ann), await filmOf(bob)]
  assert.equal((await deleteAccount(bob)).status, 200)
  await erase()
  await eraseDeletedAccounts(app)
  assert.equal(await isErased(bob), true)
  assert.deepEqual(filesOf(kinora, bob.userId, erased.uuid).stored, [])
  retention.filmsS = 0
  await sweepFilms(app)
  assert.deepEqual(filesOf(kinora, ann.userId, old.uuid).stored, [])
})
