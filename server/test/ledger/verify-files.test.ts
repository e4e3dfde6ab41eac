// slow
/** `kinora verify`: its options, exit status and stored films. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startRun } from '../../src/admin/ledger-check.ts'
import { openStorage } from '../../src/storage/open.ts'
import { openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { ANN, DONE, writeFixture } from '../support/ledger/ledger-fixture.ts'
import { runOn } from '../support/processes.ts'

const database = await createDatabase()
const { sql, close } = await openTestDatabase(database.url, { connections: 2, name: 'kinora verify test' })
const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-verify-'))
const storage = await openStorage({ dataDir, s3: null, storage: 'folder' })
after(async () => {
  await storage.close()
  await close()
  await database.drop()
  await rm(dataDir, { recursive: true })
})
await writeFixture(sql)

async function put(key: string, text: string): Promise<void> {
  const file = path.join(dataDir, 'a-file')
  await writeFile(file, text)
  await storage.put(key, file, 'video/mp4')
}

const verify = (...args: string[]) => runOn(database.url, ['verify', ...args], { DATA_DIR: dataDir })

test('verify --files: film or thumbnail missing, another size → reported; all stored, or removed by retention → right', async () => {
  const missing = await verify('--files')
  assert.equal(missing.status, 1)
  assert.match(
    missing.output,
    new RegExp(`user ${ANN}, video ${DONE}: a completed video has its film: expected k, found no file`),
  )
  assert.match(missing.output, /has its film \(1\): Restore the file from a backup of the storage\./)
  assert.equal((await verify()).status, 0, 'without --files, storage is not read')

  await put('k', 'xx')
  assert.match((await verify('--files')).output, /has its film: expected t, found no file/)
  await put('t', 'x')
  assert.match((await verify('--files')).output, /a film is as large as its row says: expected 1 bytes, found 2 bytes/)
  await put('k', 'x')
  assert.deepEqual(await verify('--files'), { status: 0, output: 'The books are right.\n' })

  await storage.remove('k')
  await sql`update kinora.video set files_removed_at = now() where user_id = ${ANN} and id = ${DONE}`
  assert.deepEqual(await verify('--files'), { status: 0, output: 'The books are right.\n' })
})

test('verify --files: file of an asset missing, another size → reported; stored, or going → right', async () => {
  const id = '0196a000-0000-7000-8000-00000000a55e'
  await sql`
    insert into kinora.asset (user_id, id, kind, digest, key, content_type, size_bytes, state, created_at, due_at)
    values (${ANN}, ${id}, 'sound', '\\x00', 'a', 'audio/mpeg', 1, 'kept', now(), now())
  `
  const missing = await verify('--files')
  assert.equal(missing.status, 1)
  assert.match(missing.output, new RegExp(`user ${ANN}, asset ${id}: an asset has its file: expected a, found no file`))
  await put('a', 'xx')
  assert.match(
    (await verify('--files')).output,
    /an asset is as large as its row says: expected 1 bytes, found 2 bytes/,
  )
  await put('a', 'x')
  assert.deepEqual(await verify('--files'), { status: 0, output: 'The books are right.\n' })
  await storage.remove('a')
  await sql`update kinora.asset set state = 'going' where id = ${id}`
  assert.deepEqual(await verify('--files'), { status: 0, output: 'The books are right.\n' })
})

test('verify: invalid arguments → exit status 2, and what is wrong', async () => {
  assert.deepEqual(await verify('--from', 'ann'), { status: 2, output: '--from "ann" is not the id of a user.\n' })
  assert.equal((await verify('--everything')).status, 2)
  assert.equal((await verify('--record', '--from', ANN)).status, 2)
})

test('verify --from: a damaged user before it → not checked', async () => {
  await sql`update kinora.credit_account set open_holds = open_holds + 1 where user_id = ${ANN}`
  assert.equal((await verify('--from', ANN)).status, 1)
  assert.equal((await verify('--from', `${ANN.slice(0, -1)}2`)).status, 0)
  assert.equal((await verify('--from', `${ANN.slice(0, -1)}0..${ANN},${ANN.slice(0, -1)}2..`)).status, 0)
  assert.equal((await verify('--from', `${ANN}..${ANN.slice(0, -1)}2`)).status, 1)
  await sql`update kinora.credit_account set open_holds = open_holds - 1 where user_id = ${ANN}`
})

test('verify --record: recorded as a finished run; another one running → exit status 2', async () => {
  assert.equal((await verify('--record')).status, 0)
  const [run] = await sql`select state, users, started_by from kinora.ledger_check_run`
  assert.deepEqual({ ...run }, { state: 'finished', users: 1, startedBy: null })
  await startRun(sql, null)
  const refused = await verify('--record')
  assert.equal(refused.status, 2)
  assert.match(refused.output, /running already/)
})
