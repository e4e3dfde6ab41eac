/** Commands on a database without Kinora's tables, or without rights: one sentence with the remedy. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { runOn } from '../support/processes.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(dir, { recursive: true }))
const commands = [['verify'], ['backup', dir], ['promote', 'ann@example.com'], ['reset-password', 'ann@example.com']]

test('verify, backup, promote, reset-password: database without tables → kinora migrate is named', async () => {
  const url = await emptyDatabase()
  for (const args of commands) {
    const { status, output } = await runOn(url, args)
    assert.notEqual(status, 0, output)
    assert.match(output, /^[^\n]+: run `kinora migrate`[^\n]*\n$/, args.join(' '))
  }
})

test(
  'migrate --distributed: PostgreSQL without Citus → the extension is named',
  notDistributed('it has Citus'),
  async () => {
    const { status, output } = await runOn(await emptyDatabase(), ['migrate', '--distributed'])
    assert.equal(status, 1)
    assert.match(output, /^This PostgreSQL has no extension citus: see docs\/distributed\.md\.$/m)
    assert.doesNotMatch(output, /\n {4}at /)
  },
)

test('doctor: role without rights in the schema → a fault that names what to grant', async () => {
  const database = await createDatabase()
  const role = `stranger_${randomBytes(4).toString('hex')}`
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  after(async () => {
    await sql.unsafe(`drop role ${role}`)
    await sql.end()
    await database.drop()
  })
  await sql.unsafe(`create role ${role} login password 'x'`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'x'
  const { status, output } = await runOn(url.href, ['doctor'])
  assert.equal(status, 1, output)
  assert.match(output, /^rights – permission denied for .* – grant the role .*docs\/deployment\.md#the-database$/m)
})

test('doctor: role that PostgreSQL refuses → its reason, and not that it does not answer', async () => {
  const url = new URL(await emptyDatabase())
  url.pathname = '/no_such_database'
  const { status, output } = await runOn(url.href, ['doctor'])
  assert.equal(status, 1, output)
  assert.match(output, /^database – refuses: database "no_such_database" does not exist – check DATABASE_URL$/m)
})
