// slow
/** The embedded PostgreSQL by `kinora postgres`: real clusters and real SIGKILLs. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import { migrate } from '../../server/src/db/database.ts'
import {
  afterTest,
  type CliProcess,
  modeOf,
  processesWith,
  readJsonFile,
  runKinora,
  temporaryDir,
  waitForNoProcess,
  waitUntil,
} from './cli-process.ts'

type Announcement = { url: string; serviceUrl: string; ownerUrl: string; clusterDir: string; logFile: string }

function startPostgres(t: TestContext, dataDir: string): CliProcess {
  return runKinora(t, ['postgres', '--fast', '--data-dir', dataDir], {})
}

async function readAnnouncement(running: CliProcess): Promise<Announcement> {
  const output = await running.waitForOutput(/^\{.*\}$/m)
  return JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '')
}

async function query<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await run(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function stop(running: CliProcess): Promise<void> {
  running.process.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
}

test('kinora postgres: new cluster → UTF-8, durable, on loopback only, password in no process list', async (t) => {
  const dataDir = temporaryDir(t)
  const running = runKinora(t, ['postgres', '--data-dir', dataDir], { LANG: 'xx_XX.ISO-8859-1', TZ: 'nowhere' })
  const { url, clusterDir } = await readAnnouncement(running)
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
  await waitForNoProcess(clusterDir)
})

test('kinora postgres: service role → rows only; owner role → migrations; neither is a superuser', async (t) => {
  const { serviceUrl, ownerUrl } = await readAnnouncement(startPostgres(t, temporaryDir(t)))
  await migrate(ownerUrl)
  await query(ownerUrl, async (sql) => {
    const [role] = await sql`select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user`
    assert.deepEqual({ ...role }, { rolsuper: false, rolcreatedb: false, rolcreaterole: false })
  })
  await query(serviceUrl, async (sql) => {
    const [role] = await sql`select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user`
    assert.deepEqual({ ...role }, { rolsuper: false, rolcreatedb: false, rolcreaterole: false })
    const [owned] = await sql`select count(*)::int as n from pg_class where relowner = current_user::regrole`
    assert.equal(owned?.n, 0)
    assert.deepEqual([...(await sql`select user_id from kinora.video`)], [])
    assert.deepEqual([...(await sql`select "id" from public."user"`)], [])
    for (const statement of [
      'create table kinora.mine (id int)',
      'create table public.mine (id int)',
      'create schema mine',
      'create temporary table mine (id int)',
      'alter table kinora.video add column mine int',
      'drop table kinora.video',
      'truncate kinora.video',
      'create extension pg_stat_statements',
      "copy kinora.video to program 'id'",
      "select pg_read_file('/etc/passwd')",
    ]) {
      await assert.rejects(sql.unsafe(statement), { code: '42501' }, statement)
    }
  })
})

test('kinora postgres: cluster in use → exit 1 with its holder; holder killed → started again at once', async (t) => {
  const dataDir = temporaryDir(t)
  const first = startPostgres(t, dataDir)
  const { url, clusterDir } = await readAnnouncement(first)
  await query(url, (sql) => sql`create table kept as select 1 as id`)
  const second = await startPostgres(t, dataDir).ended
  assert.equal(second.status, 1)
  assert.match(second.output, /in use by "kinora postgres" \(process \d+\)/)
  assert.doesNotMatch(second.output, /\n\s+at /)

  // The server is orphaned without its watchdog.
  for (const { pid, command } of processesWith(clusterDir))
    if (command.startsWith('/bin/sh')) process.kill(pid, 'SIGKILL')
  first.process.kill('SIGKILL')
  await first.ended
  const [orphan] = processesWith(clusterDir)
  assert.ok(orphan)
  const third = startPostgres(t, dataDir)
  const again = await readAnnouncement(third)
  assert.equal(again.url, url)
  assert.deepEqual(await query(url, (sql) => sql`select id from kept`.then((rows) => rows.map((row) => row.id))), [1])
  assert.ok(!processesWith(clusterDir).some(({ pid }) => pid === orphan.pid))
})

test('kinora postgres: SIGKILL → the watchdog stops the server', async (t) => {
  const dataDir = temporaryDir(t)
  const running = startPostgres(t, dataDir)
  const { clusterDir } = await readAnnouncement(running)
  running.process.kill('SIGKILL')
  await waitForNoProcess(clusterDir)
})

test('kinora postgres: killed during initialisation → the next start initialises anew', async (t) => {
  // Initialisation takes about a second; on a stalled machine it may finish unobserved, and is then tried in another
  // folder.
  let dataDir = ''
  await waitUntil(async () => {
    dataDir = temporaryDir(t)
    const first = startPostgres(t, dataDir)
    const isInterrupted = await waitUntil(() => {
      if (readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'))) return true
      return readdirSync(dataDir).includes('postgres') ? false : undefined
    }, 'initialisation has begun')
    first.process.kill('SIGKILL')
    await first.ended
    await waitForNoProcess(dataDir)
    return isInterrupted || undefined
  }, 'an initialisation is interrupted')
  const second = startPostgres(t, dataDir)
  const { url } = await readAnnouncement(second)
  assert.equal((await query(url, (sql) => sql`select 1 as one`))[0]?.one, 1)
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
})

test('kinora postgres: port taken, password lost → another port, a new password', async (t) => {
  const dataDir = temporaryDir(t)
  const first = startPostgres(t, dataDir)
  const before = new URL((await readAnnouncement(first)).url)
  await stop(first)
  const file = path.join(dataDir, 'postgres.json')
  const { password: _lost, ...rest } = readJsonFile(file)
  writeFileSync(file, JSON.stringify(rest))
  const squatter = createServer()
  afterTest(t, () => squatter.close())
  await new Promise<void>((resolve) => squatter.listen(Number(before.port), '127.0.0.1', resolve))

  const after = new URL((await readAnnouncement(startPostgres(t, dataDir))).url)
  assert.notEqual(after.port, before.port)
  assert.notEqual(after.password, before.password)
  assert.equal((await query(after.href, (sql) => sql`select 1 as one`))[0]?.one, 1)
})

test('kinora postgres: cluster damaged, of another version or missing → exit 1 with an explanation', async (t) => {
  const dataDir = temporaryDir(t)
  const first = startPostgres(t, dataDir)
  const { clusterDir } = await readAnnouncement(first)
  await stop(first)

  rmSync(path.join(clusterDir, 'global/pg_control'))
  const damaged = await startPostgres(t, dataDir).ended
  assert.equal(damaged.status, 1)
  assert.match(damaged.output, /does not start\. Its last lines .*postgres\.log/)
  assert.match(damaged.output, /pg_control/)

  writeFileSync(path.join(clusterDir, 'PG_VERSION'), '16\n')
  const older = await startPostgres(t, dataDir).ended
  assert.equal(older.status, 1)
  assert.match(older.output, /was written by PostgreSQL 16; this is PostgreSQL 18/)

  rmSync(clusterDir, { recursive: true })
  const lost = await startPostgres(t, dataDir).ended
  assert.equal(lost.status, 1)
  assert.match(lost.output, /is not there any more/)
  for (const { output } of [damaged, older, lost]) assert.doesNotMatch(output, /\n\s+at /)
})

test('kinora postgres: a file in place of the data folder → exit 1 with an explanation', async (t) => {
  const file = path.join(temporaryDir(t), 'data')
  writeFileSync(file, '')
  const { status, output } = await startPostgres(t, file).ended
  assert.equal(status, 1)
  assert.match(output, /is in the way/)
})

test('kinora postgres --fast: SIGTERM → its temporary folder is deleted', async (t) => {
  const running = runKinora(t, ['postgres', '--fast'], {})
  const { clusterDir } = await readAnnouncement(running)
  await stop(running)
  assert.throws(() => readdirSync(path.dirname(clusterDir)), { code: 'ENOENT' })
})

// Only root starts PostgreSQL as another user, who may not enter root's folders.
if (process.getuid?.() === 0) {
  test('kinora postgres: root, data folder below one of mode 700 → cluster elsewhere, found again', async (t) => {
    const dataDir = path.join(temporaryDir(t, 0o700), 'with a space')
    mkdirSync(dataDir)
    const first = startPostgres(t, dataDir)
    const { url, clusterDir } = await readAnnouncement(first)
    afterTest(t, () => rmSync(path.dirname(clusterDir), { recursive: true, force: true }))
    assert.ok(!clusterDir.startsWith(dataDir))
    await query(url, (sql) => sql`create table kept as select 1 as id`)
    await stop(first)
    const again = await readAnnouncement(startPostgres(t, dataDir))
    assert.equal(again.clusterDir, clusterDir)
    assert.equal((await query(again.url, (sql) => sql`select id from kept`))[0]?.id, 1)
  })
}
