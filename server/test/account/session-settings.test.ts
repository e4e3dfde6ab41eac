/** The settings of the service's sessions override those of the operator's database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDb, SESSION_SETTINGS } from '../../src/db/db.ts'
import { createDatabase } from '../support/database.ts'

test('sessions: other limits and JIT in the database → those of the service', async () => {
  const database = await createDatabase()
  after(database.drop)
  const admin = openDb(database.url, { connections: 1, name: 'kinora test' })
  const name = new URL(database.url).pathname.slice(1)
  for (const setting of ['lock_timeout = 1', 'statement_timeout = 1', 'search_path = nothing', 'jit = on']) {
    await admin.unsafe(`alter database "${name}" set ${setting}`)
  }
  await admin.end()
  const sql = openDb(database.url, { connections: 1, name: 'kinora test' })
  after(() => sql.end())
  const names = Object.keys(SESSION_SETTINGS)
  const settings = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${names})
  `
  assert.deepEqual(
    Object.fromEntries(settings.map((each) => [each.name, each.setting])),
    Object.fromEntries(Object.entries(SESSION_SETTINGS).map(([key, value]) => [key, `${value}`])),
  )
})
