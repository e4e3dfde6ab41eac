/** What administrators see while the database is away, or its disk is full: what is wrong must not hide itself. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { withoutDatabase } from '../support/database-outage.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()

type Overview = { readAt: string | null; now: { inProgress: number; freeBytes: number } }
const overview = (as: Person, query = '') => kinora.call<Overview>('GET', `/api/v1/admin/overview${query}`, { as })
const metrics = async (as: Person) => {
  const response = await fetch(`${kinora.url}/metrics`, { headers: { authorization: `Bearer ${as.token}` } })
  return { status: response.status, text: await response.text() }
}
const ready = async () => {
  const response = await fetch(`${kinora.url}/readyz`)
  const { data, error } = (await response.json()) as { data: object; error?: { details: object } }
  return { status: response.status, ...data, ...error?.details } as { status: number; database?: string }
}

test('200: overview and /metrics without a database → what this administrator read last, with its age; all else 503', async () => {
  kinora.holdClock()
  const root = await kinora.person({ role: 'admin' })
  const other = await kinora.person({ role: 'admin' })
  const ann = await kinora.person()
  await kinora.generate(ann)
  const startMs = kinora.app.now().getTime()
  const before = (await overview(root)).data
  assert.deepEqual([before.readAt, before.now.inProgress], [null, 1])
  assert.match((await metrics(root)).text, /^kinora_metrics_age_seconds\{part="backlog"\} 0$/m)
  await kinora.call('GET', '/api/v1/admin/users', { as: other })
  await withoutDatabase(kinora, async () => {
    // No credential is cached for so long.
    kinora.turnClock(60_000)
    await waitFor('the cached credential to end', async () => (await overview(ann)).status === 503)
    const during = await overview(root)
    assert.equal(during.status, 200, during.text)
    assert.equal(during.data.now.inProgress, 1)
    assert.ok(Math.abs(Date.parse(during.data.readAt ?? '') - startMs) < 60_000)
    assert.ok(during.data.now.freeBytes > 0)
    const { status, text } = await metrics(root)
    assert.equal(status, 200)
    assert.match(text, /^kinora_videos_in_progress\{status="PENDING"\} 1$/m)
    assert.match(text, /^kinora_metrics_unavailable\{part="backlog"\} 1$/m)
    assert.match(text, /^kinora_metrics_unavailable\{part="disk"\} 0$/m)
    assert.ok(Number(/^kinora_metrics_age_seconds\{part="backlog"\} (\S+)$/m.exec(text)?.[1]) >= 60)
    for (const answer of [
      await overview(root, '?from=2020-01-01&to=2020-01-02'),
      await overview(other),
      await overview(ann),
      await kinora.call('GET', '/api/v1/admin/users', { as: root }),
    ])
      assert.deepEqual([answer.status, answer.error?.code], [503, 'UNAVAILABLE'])
  })
  assert.equal((await overview(root)).data.readAt, null)
})

test('200, 503: disk of the database is full → /readyz names it, reads and the overview go on; room again → as before', async (t) => {
  if (kinora.app.config.division) return t.skip('one table is not on one server')
  const superuser = postgres(kinora.databaseUrl, { max: 1, onnotice: () => {} })
  t.after(() => superuser.end())
  const [owner] = await superuser<[{ dir: string }?]>`
    select setting as dir from pg_settings where name = 'data_directory'
  `
  const dir = mkdtempSync(path.join(tmpdir(), 'kinora-full-'))
  t.after(() => {
    // PostgreSQL may have a file there open still.
    spawnSync('umount', ['--lazy', dir])
    rmdirSync(dir)
  })
  const { uid, gid } = statSync(owner?.dir ?? dir)
  const options = `size=4m,uid=${uid},gid=${gid},mode=700`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir]).status !== 0)
    return t.skip('no file system can be mounted here')
  const root = await kinora.person({ role: 'admin' })
  const ann = await kinora.person()
  const space = `full_${path.basename(dir).toLowerCase().replaceAll(/\W/g, '_')}`
  await superuser.unsafe(`create tablespace ${space} location '${dir}'`)
  await superuser.unsafe(`alter table kinora.video set tablespace ${space}`)
  await superuser.unsafe(`create table public.ballast (bytes text) tablespace ${space}`)
  await superuser.unsafe('alter table public.ballast alter column bytes set storage plain')
  const fill = superuser`
    insert into public.ballast select repeat('x', 7000) from generate_series(1, 1000)
  `
  await assert.rejects(fill, { code: '53100' })
  // The failed statement keeps its pages: what is left is less than one.
  const generated = async () =>
    (await kinora.generate(await kinora.person({ credits: 1000 }), { prompt: 'A boat '.repeat(200) })).status
  await waitFor('a write without room', async () => (await generated()) === 503)
  assert.deepEqual(await ready(), { status: 200, ready: true, storage: 'ok', database: 'full' })
  const { status, data } = await overview(root)
  assert.deepEqual([status, data.now.inProgress > 0], [200, true])
  assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { as: ann })).status, 200)
  await superuser`drop table public.ballast`
  assert.equal(await generated(), 200)
  await superuser.unsafe('alter table kinora.video set tablespace pg_default')
  await superuser.unsafe(`drop tablespace ${space}`)
})
