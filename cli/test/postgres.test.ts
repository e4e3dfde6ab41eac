/** The embedded PostgreSQL through `kinora postgres`: real clusters, real kills. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import {
  afterwards,
  folder,
  kinora,
  modeOf,
  namesIn,
  noneLeft,
  processesWith,
  type Running,
  readJsonFile,
  until,
} from './cli-process.ts'

type Announcement = { url: string; clusterDir: string; logFile: string }

function open(t: TestContext, dataDir: string): Running {
  return kinora(t, ['postgres', '--fast', '--data-dir', dataDir], {})
}

async function announced(running: Running): Promise<Announcement> {
  const output = await running.says(/^\{.*\}$/m)
  return JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '')
}

async function query<T>(url: string, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await ask(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function stop(running: Running): Promise<void> {
  running.process.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
}

test('a new database is UTF-8 in every environment, durable, on loopback only, and its password is in no process list', async (t) => {
  const dataDir = folder(t)
  const running = kinora(t, ['postgres', '--data-dir', dataDir], { LANG: 'xx_XX.ISO-8859-1', TZ: 'nowhere' })
  const { url, clusterDir } = await announced(running)
  const [row] = await query(
    url,
    (sql) => sql`
      select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
        current_setting('listen_addresses') as addresses, current_setting('jit') as jit,
        (select datlocale from pg_database where datname = current_database()) as locale, lower('ÄÖ') as lower`,
  )
  assert.deepEqual(
    { ...row },
    { encoding: 'UTF8', fsync: 'on', addresses: '127.0.0.1', jit: 'off', locale: 'C.UTF-8', lower: 'äö' },
  )
  const password = new URL(url).password
  assert.equal(password.length, 48)
  assert.deepEqual(processesWith(password), [])
  assert.equal(modeOf(path.join(dataDir, 'postgres.json')), '600')
  assert.ok(processesWith(clusterDir).length > 0)
  await stop(running)
  await noneLeft(clusterDir)
})

test('while it runs, a second one says who has it; a folder whose holder was killed is free again at once', async (t) => {
  const dataDir = folder(t)
  const first = open(t, dataDir)
  const { url, clusterDir } = await announced(first)
  await query(url, (sql) => sql`create table kept as select 1 as id`)
  const second = await open(t, dataDir).ended
  assert.equal(second.status, 1)
  assert.match(second.output, /in use by "kinora postgres" \(process \d+\)/)
  assert.doesNotMatch(second.output, /\n\s+at /)

  // With its watcher killed too, nobody stops the server: it is a true orphan.
  for (const { pid, command } of processesWith(clusterDir))
    if (command.startsWith('/bin/sh')) process.kill(pid, 'SIGKILL')
  first.process.kill('SIGKILL')
  await first.ended
  const [orphan] = processesWith(clusterDir)
  assert.ok(orphan)
  const third = open(t, dataDir)
  const again = await announced(third)
  assert.equal(again.url, url)
  assert.deepEqual(await query(url, (sql) => sql`select id from kept`.then((rows) => rows.map((row) => row.id))), [1])
  assert.ok(!processesWith(clusterDir).some(({ pid }) => pid === orphan.pid))
})

test('the server ends by itself when the process that started it is killed', async (t) => {
  const dataDir = folder(t)
  const running = open(t, dataDir)
  const { clusterDir } = await announced(running)
  running.process.kill('SIGKILL')
  await noneLeft(clusterDir)
})

test('an initialisation that was killed halfway is begun anew', async (t) => {
  // Halfway lasts about a second; on a machine that stands still meanwhile it is over unseen, and tried anew elsewhere.
  let dataDir = ''
  await until(async () => {
    dataDir = folder(t)
    const first = open(t, dataDir)
    const isBegun = await until(() => {
      if (namesIn(dataDir).some((name) => name.startsWith('postgres.new-'))) return true
      return namesIn(dataDir).includes('postgres') ? false : undefined
    }, 'the new cluster was begun')
    first.process.kill('SIGKILL')
    await first.ended
    await noneLeft(dataDir)
    return isBegun || undefined
  }, 'it was killed halfway')
  const second = open(t, dataDir)
  const { url } = await announced(second)
  assert.equal((await query(url, (sql) => sql`select 1 as one`))[0]?.one, 1)
  assert.deepEqual(
    namesIn(dataDir).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
})

test('another program on its port makes it take another one; a lost password is set anew', async (t) => {
  const dataDir = folder(t)
  const first = open(t, dataDir)
  const before = new URL((await announced(first)).url)
  await stop(first)
  const file = path.join(dataDir, 'postgres.json')
  const { password: _lost, ...rest } = readJsonFile(file)
  writeFileSync(file, JSON.stringify(rest))
  const squatter = createServer()
  afterwards(t, () => squatter.close())
  await new Promise<void>((resolve) => squatter.listen(Number(before.port), '127.0.0.1', resolve))

  const after = new URL((await announced(open(t, dataDir))).url)
  assert.notEqual(after.port, before.port)
  assert.notEqual(after.password, before.password)
  assert.equal((await query(after.href, (sql) => sql`select 1 as one`))[0]?.one, 1)
})

test('a cluster of another version, a damaged one and a lost one are each explained, and left as they are', async (t) => {
  const dataDir = folder(t)
  const first = open(t, dataDir)
  const { clusterDir } = await announced(first)
  await stop(first)

  rmSync(path.join(clusterDir, 'global/pg_control'))
  const damaged = await open(t, dataDir).ended
  assert.equal(damaged.status, 1)
  assert.match(damaged.output, /does not start\. Its last lines .*postgres\.log/)
  assert.match(damaged.output, /pg_control/)

  writeFileSync(path.join(clusterDir, 'PG_VERSION'), '16\n')
  const older = await open(t, dataDir).ended
  assert.equal(older.status, 1)
  assert.match(older.output, /was written by PostgreSQL 16; this is PostgreSQL 18/)

  rmSync(clusterDir, { recursive: true })
  const lost = await open(t, dataDir).ended
  assert.equal(lost.status, 1)
  assert.match(lost.output, /is not there any more/)
  for (const { output } of [damaged, older, lost]) assert.doesNotMatch(output, /\n\s+at /)
})

test('a file where the data folder should be is explained', async (t) => {
  const file = path.join(folder(t), 'data')
  writeFileSync(file, '')
  const { status, output } = await open(t, file).ended
  assert.equal(status, 1)
  assert.match(output, /is in the way/)
})

test('--fast leaves nothing behind', async (t) => {
  const running = kinora(t, ['postgres', '--fast'], {})
  const { clusterDir } = await announced(running)
  await stop(running)
  assert.throws(() => namesIn(path.dirname(clusterDir)), { code: 'ENOENT' })
})

// Only root starts PostgreSQL as another user, and only root has folders that this user may not enter.
if (process.getuid?.() === 0) {
  test('root: below a folder that only root may enter, the database lies elsewhere and is found again', async (t) => {
    const dataDir = path.join(folder(t, 0o700), 'with a space')
    mkdirSync(dataDir)
    const first = open(t, dataDir)
    const { url, clusterDir } = await announced(first)
    afterwards(t, () => rmSync(path.dirname(clusterDir), { recursive: true, force: true }))
    assert.ok(!clusterDir.startsWith(dataDir))
    await query(url, (sql) => sql`create table kept as select 1 as id`)
    await stop(first)
    const again = await announced(open(t, dataDir))
    assert.equal(again.clusterDir, clusterDir)
    assert.equal((await query(again.url, (sql) => sql`select id from kept`))[0]?.id, 1)
  })
}
