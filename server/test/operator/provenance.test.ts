// slow
/** `kinora provenance`: what it says about a file, and how earlier films are signed while the service runs. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSigner } from '../../src/provenance/keys.ts'
import { signDue } from '../../src/video/film-provenance.ts'
import { completedVideo } from '../support/completed-video.ts'
import { judge, signByVendor } from '../support/content-credentials.ts'
import { openCrashes } from '../support/crash.ts'
import * as films from '../support/films.ts'
import type { Person } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'
import { openUploading } from '../support/uploading-video.ts'
import { runNextStep } from '../support/video-row.ts'

const { kinora, provider, createUploadingVideo } = await openUploading()
const { start } = openCrashes(kinora)
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-provenance-'))
after(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, bytes: Uint8Array): string => {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}
const provenance = (args: string[], env: Record<string, string> = {}, stopAt: string | null = null) =>
  runCommand(kinora, ['provenance', ...args], env, stopAt)
const rootOf = () => readFileSync(path.join(kinora.app.config.dataDir, 'provenance/root.pem'), 'utf8')
const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

type Detail = { videoUrl: string; thumbnailUrl: string; provenance: { signed: boolean; manifestUrl: string | null } }
const detailOf = async (as: Person, uuid: string) =>
  (await kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as })).data

/** A film of the provider, stored and signed. */
async function madeFilm(film: Buffer) {
  provider.onFilm = () => film
  const { ann, uuid } = await createUploadingVideo()
  await runNextStep(kinora, uuid)
  const detail = await detailOf(ann, uuid)
  assert.equal(detail.provenance.signed, true)
  return { ann, uuid, detail, bytes: await read(detail.videoUrl) }
}

test('kinora provenance check: film, poster, one with a byte changed, one of another program, one without → what each is, and whether it was made here', async () => {
  const { detail, bytes } = await madeFilm(await films.greyFilm(640, 360, 15))
  const film = await provenance(['check', fileOf('film.mp4', bytes)])
  assert.equal(film.status, 0, film.output)
  assert.match(film.output, /^content credentials – valid: the file is as it was when it was signed$/m)
  assert.match(
    film.output,
    /^signed by – Kinora \(self-made\), certificate of Kinora self-made root, valid until \d{4}-/m,
  )
  assert.match(film.output, /^says – made by AI, by Alpha 2, at 20\S+Z$/m)
  assert.match(film.output, new RegExp(`^SHA-256 – ${hash('sha256', bytes)}$`, 'm'))
  assert.match(film.output, /^made here – yes: the film of Alpha 2, ready at 20\S+Z$/m)

  const poster = await provenance(['check', fileOf('poster.jpg', await read(detail.thumbnailUrl)), '--url', kinora.url])
  assert.equal(poster.status, 0, poster.output)
  assert.match(poster.output, /^content credentials – valid.*^made here – yes: the poster of Alpha 2/ms)

  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
  const changed = await provenance(['check', fileOf('changed.mp4', bytes)])
  assert.equal(changed.status, 1)
  assert.match(changed.output, /^content credentials – not valid: the file is not as it was when it was signed$/m)
  assert.match(changed.output, /^made here – no: no file with this SHA-256 is known/m)

  const own = { dataDir: path.join(folder, 'vendor'), provenance: { certificate: null, key: null } }
  const theirs = await signByVendor(await openSigner(own, new Date()), await films.greyFilm(320, 180, 1))
  assert.match((await provenance(['check', fileOf('vendor.mp4', theirs)])).output, /^content credentials – valid/)

  const none = await provenance(['check', fileOf('none.mp4', await films.greyFilm(320, 180, 1))])
  assert.deepEqual(
    [none.status, none.output.split('\n')[0]],
    [1, 'content credentials – none: the file has none, or they were removed'],
  )
})

test('kinora provenance check: WebM with its manifest beside it, then changed → valid by it, then not', async () => {
  const { detail, bytes } = await madeFilm(await films.paintedAv1Film())
  fileOf('beside.c2pa', await read(detail.provenance.manifestUrl ?? ''))
  const valid = await provenance(['check', fileOf('beside.webm', bytes)])
  assert.equal(valid.status, 0, valid.output)
  assert.match(valid.output, /^content credentials – valid.*^made here – yes: the film/ms)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
  assert.equal((await provenance(['check', fileOf('beside.webm', bytes)])).status, 1)
})

test('kinora provenance check: no such file, wrong arguments, no settings, service that does not answer → says so', async () => {
  const missing = await provenance(['check', path.join(folder, 'missing.mp4')])
  assert.deepEqual([missing.status, missing.output.split(':')[0]], [2, 'The file cannot be read'])
  for (const args of [[], ['check'], ['sign'], ['sign', '--all', '--url', 'x'], ['check', 'a', 'b']]) {
    const { status, output } = await provenance(args)
    assert.deepEqual([status, output.slice(0, 28)], [2, 'kinora provenance check FILE'])
  }
  const file = fileOf('some.mp4', await films.greyFilm(320, 180, 1))
  assert.match(
    (await provenance(['check', file], { DATABASE_URL: '' })).output,
    /^made here – not asked: set DATABASE_URL/m,
  )
  const { output } = await provenance(['check', file, '--url', 'http://127.0.0.1:9'])
  assert.match(output, /^made here – not known: http:\/\/127\.0\.0\.1:9 does not answer/m)
})

test('kinora provenance sign --all: films of PROVENANCE=off; command and worker killed in the middle → each signed once, under its link', async () => {
  const { config, sql } = kinora.app
  const ann = await kinora.person({ credits: 5000 })
  config.provenance.mode = 'off'
  const uuids: string[] = []
  for (let count = 0; count < 4; count += 1) uuids.push(await completedVideo(kinora, ann))
  config.provenance.mode = 'on'
  const pathsOf = async () =>
    await Promise.all(uuids.map(async (uuid) => new URL((await detailOf(ann, uuid)).videoUrl).pathname))
  const filmsOf = async () => await Promise.all(uuids.map(async (uuid) => read((await detailOf(ann, uuid)).videoUrl)))
  const links = await pathsOf()
  for (const film of await filmsOf()) assert.equal(await judge(film, 'video/mp4', rootOf()), null)

  assert.equal((await provenance(['sign', '--all'], { KINORA_CRASH_AT: 'provenance.marked' })).status, null)
  const stopped = await provenance(['sign', '--all'], {}, 'films wait')
  assert.deepEqual(
    [stopped.status, stopped.output.trim().split('\n')],
    [
      1,
      [
        '4 films wait to be signed, by the workers of the service.',
        'Interrupted: the workers go on. Run the command again to see how far they are.',
      ],
    ],
  )
  const crashing = await start('worker', { KINORA_CRASH_AT: 'provenance.film-stored' })
  assert.equal(await crashing.ended, 'SIGKILL')
  const half = await filmsOf()
  const signedHalf = await Promise.all(half.map((film) => judge(film, 'video/mp4', rootOf())))
  assert.equal(signedHalf.filter((found) => found !== null).length, 1)
  await sql`update kinora.video_provenance set due_at = ${kinora.app.now()} where due_at is not null`
  const worker = await start('worker')
  const rest = await provenance(['sign', '--all'])
  assert.equal(rest.status, 0, rest.output)
  assert.match(rest.output, /^All films are signed\.$|^There is no film to sign\.$/m)
  await worker.stop()

  assert.deepEqual(await pathsOf(), links)
  const signed = await filmsOf()
  for (const [i, film] of signed.entries()) {
    const found = await judge(film, 'video/mp4', rootOf())
    assert.deepEqual([found?.state, found?.failures, found?.manifests.length], ['Trusted', [], 1])
    if (signedHalf[i]) assert.equal(film.equals(half[i] ?? Buffer.alloc(0)), true)
  }
  const rows = await sql<{ filmSha256: Buffer }[]>`
    select film_sha256 from kinora.video_provenance where video_id = any(${uuids}::uuid[]) order by video_id
  `
  assert.deepEqual(
    rows.map(({ filmSha256 }) => filmSha256.toString('hex')),
    signed.map((film) => hash('sha256', film)),
  )
  assert.equal((await provenance(['sign', '--all'])).output, 'There is no film to sign.\n')
})

test('kinora provenance sign --all: PROVENANCE=off → says so; deleted films and those of erased users are left out', async () => {
  const off = await provenance(['sign', '--all'], { PROVENANCE: 'off' })
  assert.deepEqual(
    [off.status, off.output],
    [1, 'PROVENANCE=off: no film is signed. Set it to on, and start the service again.\n'],
  )
  const { config, sql } = kinora.app
  const ann = await kinora.person({ credits: 500 })
  config.provenance.mode = 'off'
  const uuid = await completedVideo(kinora, ann)
  config.provenance.mode = 'on'
  await sql`update kinora.video set files_removed_at = ${kinora.app.now()} where user_id = ${ann.userId} and id = ${uuid}`
  assert.equal((await provenance(['sign', '--all'])).output, 'There is no film to sign.\n')
})

test('films that are due: certificate that cannot sign → none is claimed, so that each keeps its attempts', async (t) => {
  const { config, sql } = kinora.app
  const ann = await kinora.person({ credits: 500 })
  const uuid = await completedVideo(kinora, ann)
  const before = { ...config.provenance }
  t.after(() => Object.assign(config.provenance, before))
  Object.assign(config.provenance, { certificate: 'none', key: 'none' })
  await sql`update kinora.video_provenance set due_at = ${kinora.app.now()} where video_id = ${uuid}`
  assert.equal(await signDue(kinora.app), 0)
  const [row] = await sql<{ attempt: number }[]>`select attempt from kinora.video_provenance where video_id = ${uuid}`
  assert.equal(row?.attempt, 0)
})
