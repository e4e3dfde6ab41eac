// slow
/** `kinora backup` and `kinora restore`, as processes: a backup under load is exact, a restore verified. */
import assert from 'node:assert/strict'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import postgres from 'postgres'
import { dumpDatabase } from '../../src/db/database.ts'
import { backupCommand } from '../../src/operator/backup-command.ts'
import { openTarget } from '../../src/operator/backup-target.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '0' } })
const dir = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(dir, { recursive: true }))

const PATIENCE_MS = 20_000
const OLD_BACKUP = 'kinora-2025-01-01T00-00-00Z.backup'
const fileOf = (name: string) => path.join(dir, name)
const linesOf = (file: string): string[] => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')

/** Generates and grants until stopped; returns how many requests were made. */
function openLoad(people: Person[]): { stop: () => Promise<number> } {
  let isStopped = false
  let requests = 0
  const request = async (person: Person) => {
    while (!isStopped) {
      await kinora.grant(person, 16)
      const { status } = await kinora.generate(person, { prompt: `Load\twith \\ and "quotes" ${requests}` })
      assert.equal(status, 200)
      requests += 2
    }
  }
  const loops = people.map(request)
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
      return requests
    },
  }
}

const books = fileOf('books.backup')

test('kinora backup, restore: backup under load → restored row for row, verified, with every film', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  const people = await Promise.all(Array.from({ length: 4 }, () => kinora.person()))

  const load = openLoad(people)
  const made = await runCommand(kinora, ['backup', books])
  const requests = await load.stop()
  assert.equal(made.status, 0, made.output)
  assert.match(made.output, /tables, \d+ rows, 2 files listed/)
  assert.equal(statSync(books).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dir), ['books.backup'])
  assert.ok(requests > 20, `${requests} requests went on meanwhile`)

  const url = await emptyDatabase()
  const restored = await runCommand(kinora, ['restore', books], { DATABASE_URL: url })
  assert.equal(restored.status, 0, restored.output)
  assert.match(restored.output, /The books are right\.\nThe files are those of the backup\./)

  const again = fileOf('again.backup')
  assert.equal((await runCommand(kinora, ['backup', again], { DATABASE_URL: url })).status, 0)
  const [header, ...rows] = linesOf(books)
  const [headerAgain, ...rowsAgain] = linesOf(again)
  assert.deepEqual(rowsAgain.sort(), rows.sort(), 'the restored database has the same rows')
  const undated = (line = '') => line.replace(/"createdAt":"[^"]+"/, '')
  assert.equal(undated(headerAgain), undated(header))

  const sql = postgres(url, { max: 1 })
  const [next] = await sql`
    insert into kinora.credit_account (user_id, created_at) values (gen_random_uuid(), now())
    returning number > (select max(number) from kinora.credit_account) as is_new
  `
  await sql.end()
  assert.equal(next?.is_new, true, 'numbers of accounts continue')
})

test('kinora backup: target slower than the database, tables of several buffers → complete, the tables after them too', async () => {
  const { sql } = kinora.app
  const slowly = async (text: string | Buffer) => {
    if (typeof text !== 'string') await sleep(20)
  }
  for (let n = 0; n < 12; n += 1) {
    await sql`
      insert into public."verification" ("id", "identifier", "value", "expiresAt")
      select ${`slow-${n}-`} || i, repeat('x', 90), 'slow', now() from generate_series(1, 100) i
    `
    if (n < 5) continue
    const dump = dumpDatabase(kinora.databaseUrl, slowly, slowly)
    const written = await Promise.race([dump, sleep(PATIENCE_MS, null, { ref: false })])
    assert.ok(written !== null && written.rows > n * 100, `${n}: ${written?.rows} rows`)
  }
  await sql`delete from public."verification" where "value" = 'slow'`
})

test('kinora backup: fails → its partial file is closed and removed, so that repeated failures leave nothing open', {
  skip: process.platform !== 'linux' && 'open files are read from /proc',
}, async () => {
  const folder = mkdtempSync(fileOf('failing-'))
  const { databaseUrlDirect, ...config } = kinora.app.config
  const unreachable = { ...config, databaseUrlDirect: databaseUrlDirect.replace(/:\d+\//, ':1/') }
  await assert.rejects(backupCommand(unreachable, [folder]), /ECONNREFUSED/)
  assert.deepEqual(readdirSync(folder), [])
  const open = readdirSync('/proc/self/fd')
    // The folder itself was open too.
    .filter((fd) => lstatSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false }))
    .map((fd) => readlinkSync(`/proc/self/fd/${fd}`))
  assert.deepEqual(
    open.filter((file) => /\.(partial|keys)/.test(file)),
    [],
  )
})

test('kinora restore: film that changed or is missing → reported, exit 1', async () => {
  const [film] = linesOf(books).filter((line) => line.startsWith('-- file ') && line.includes('.mp4'))
  const { key, sizeBytes } = JSON.parse(film?.slice('-- file '.length) ?? '{}')
  const file = (await kinora.app.storage.locate(key, { method: 'GET', contentType: '', ttlS: 1 })) as { path: string }
  const content = readFileSync(file.path)
  writeFileSync(file.path, Buffer.alloc(sizeBytes, 7))
  const changed = await runCommand(kinora, ['restore', books], { DATABASE_URL: await emptyDatabase() })
  assert.equal(changed.status, 1)
  assert.match(changed.output, /\.mp4 is another file than at the backup/)
  assert.match(changed.output, /1 file differs from the backup/)
  rmSync(file.path)
  const missing = await runCommand(kinora, ['restore', books], { DATABASE_URL: await emptyDatabase() })
  assert.equal(missing.status, 1)
  assert.match(missing.output, /a completed video has its film: expected video\/.+\.mp4, found no file/)
  assert.match(missing.output, /^1 file of the backup is missing/m)
  assert.doesNotMatch(missing.output, /The files are those of the backup/)
  writeFileSync(file.path, content)
})

test('kinora restore: newer, incomplete, damaged or no backup, or a database in use → refused, no row', async () => {
  const lines = linesOf(books)
  const url = await emptyDatabase()
  const refusal = async (file: string, env = {}) => {
    const { status, output } = await runCommand(kinora, ['restore', file], { DATABASE_URL: url, ...env })
    assert.equal(status, 2, output)
    return output
  }
  const write = (name: string, content: string[]) => {
    writeFileSync(fileOf(name), gzipSync(`${content.join('\n')}\n`))
    return fileOf(name)
  }
  const newer = (lines[0] ?? '').replace(/"version":\d+/, '"version":9999')
  assert.match(await refusal(write('newer', [newer, ...lines.slice(1)])), /A newer release made this backup/)
  assert.match(await refusal(write('short', lines.slice(0, -1))), /The backup is incomplete\. No row was restored/)
  assert.match(await refusal(write('cut', lines.slice(0, 40))), /ends within a table|is incomplete/)
  assert.match(await refusal(write('sql', [lines[0] ?? '', 'drop schema kinora cascade;'])), /damaged at: drop schema/)
  assert.match(await refusal(write('header', ['-- kinora-backup {'])), /not a backup of Kinora, or it is damaged/)
  assert.match(await refusal(write('fields', ['-- kinora-backup {}'])), /first line of this backup is damaged/)
  writeFileSync(fileOf('bytes'), readFileSync(books).subarray(0, 2000))
  assert.match(await refusal(fileOf('bytes')), /not a backup of Kinora, or it is damaged/)
  assert.match(await refusal(fileOf('none.backup')), /The file cannot be read/)
  assert.match(await refusal(fileOf('bytes/none.backup')), /The file cannot be read/)
  assert.match(await refusal(fileOf('none')), /none is no file: name one backup/)
  const sql = postgres(url, { max: 1 })
  assert.deepEqual((await sql`select count(*)::int as users from public."user"`)[0]?.users, 0)
  await sql.end()
  const inUse = kinora.app.config.division ? /is distributed: restore into an empty one/ : /has users already/
  assert.match(await refusal(books, { DATABASE_URL: kinora.databaseUrl }), inUse)
})

test('kinora backup: --every → a backup at once, and SIGTERM ends it; a younger backup → none is made', async () => {
  const folder = mkdtempSync(path.join(dir, 'repeated-'))
  const every = ['backup', '--every', '24h', '--no-hashes', folder]
  const { status, output } = await runCommand(kinora, every, {}, 'The next backup')
  assert.equal(status, 0, output)
  assert.equal(readdirSync(folder).length, 1)
  const again = await runCommand(kinora, every, {}, 'The next backup')
  assert.equal(again.status, 0, again.output)
  assert.equal(readdirSync(folder).length, 1)
})

test('kinora backup: --every with no time in it → refused with what it must be, and no backup is made', async () => {
  const folder = mkdtempSync(path.join(dir, 'refused-'))
  for (const every of ['often', '', ' ', '0']) {
    const { status, output } = await runCommand(kinora, ['backup', '--every', every, folder], {}, 'The next backup')
    assert.equal(status, 2, output)
    assert.match(output, new RegExp(`--every must be a time such as 90s, 15m, 24h or 7d, not "${every}"`))
  }
  assert.deepEqual(readdirSync(folder), [])
})

test('kinora backup: --keep in a folder → the newest remain; a file is not overwritten by half', async () => {
  const folder = mkdtempSync(path.join(dir, 'nightly-'))
  for (const name of ['kinora-2025-01-01T00-00-00Z.backup', 'kinora-2025-01-02T00-00-00Z.backup', 'mine.backup']) {
    writeFileSync(path.join(folder, name), '')
  }
  const { status, output } = await runCommand(kinora, ['backup', '--keep', '2', '--no-hashes', folder])
  assert.equal(status, 0, output)
  const [older, newest, mine, ...rest] = readdirSync(folder).sort()
  assert.equal(older, 'kinora-2025-01-02T00-00-00Z.backup')
  assert.match(newest ?? '', /^kinora-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/)
  assert.deepEqual([mine, ...rest], ['mine.backup'])
  assert.match(linesOf(path.join(folder, newest ?? '')).at(-2) ?? '', /"sizeBytes":\d+,"sha256":null/)
  assert.equal((await runCommand(kinora, ['backup'])).status, 2)
  assert.equal((await runCommand(kinora, ['backup', '--keep', '2', fileOf('file.dump')])).status, 2)
})

test('kinora backup: folder that is not there → made, and two backups are in it', async () => {
  const folder = fileOf('new/nightly')
  const list = ['backup', '--list', folder]
  assert.deepEqual({ ...(await runCommand(kinora, list)) }, { status: 0, output: `There is no backup in ${folder}.\n` })
  for (const first of [true, false]) {
    const { status, output } = await runCommand(kinora, ['backup', '--no-hashes', folder])
    assert.equal(status, 0, output)
    // A name has the second.
    if (first) renameSync(path.join(folder, readdirSync(folder)[0] ?? ''), path.join(folder, OLD_BACKUP))
  }
  assert.equal((await runCommand(kinora, list)).output.trim().split('\n').length, 2)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
})

test('backup target: folder that is made, and removed, while the target is open → lists what is there', async () => {
  const folder = fileOf('later')
  const target = await openTarget(kinora.app.config, folder)
  const names = async () => (await target.list()).map(({ name }) => name)
  assert.deepEqual(await names(), [])
  mkdirSync(folder)
  writeFileSync(path.join(folder, OLD_BACKUP), '')
  assert.deepEqual(await names(), [OLD_BACKUP])
  rmSync(folder, { recursive: true })
  assert.deepEqual(await names(), [])
  target.close()
})

test('kinora verify: --record --every → checks at once, and SIGTERM ends it; a younger record → no check', async () => {
  const every = ['verify', '--record', '--every', '24h']
  const runs = () => kinora.app.sql`select state from kinora.ledger_check_run`
  for (let start = 0; start < 2; start += 1) {
    const { status, output } = await runCommand(kinora, every, {}, 'The next check')
    assert.equal(status, 0, output)
    assert.deepEqual(
      (await runs()).map(({ state }) => state),
      ['finished'],
    )
  }
  const refused = await runCommand(kinora, ['verify', '--every', '24h'])
  assert.deepEqual([refused.status, /--every needs --record/.test(refused.output)], [2, true])
})
