/**
 * `npm run schema`: writes what is made from the fields of a video (SQL functions), from the rules of a model's file
 * (its JSON Schema) and from the SQL functions (their types in TypeScript), raises the version in
 * server/sql/schema.json when the text of a migration or of an SQL function has changed since, and stores the hash of
 * the text.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startDatabase } from '../bin/database.mjs'
import { bindingsText } from './bindings.ts'
import { modelSchemaText } from './src/catalogue/model-file.ts'
import { packageUrl } from './src/config/package-dir.ts'
import { videoViewSql } from './src/db/columns.ts'
import { migrate } from './src/db/database.ts'
import { openDb } from './src/db/db.ts'
import { readSource } from './src/db/schema.ts'
import { videoFilterSql } from './src/db/video-filters.ts'

const file = new URL('sql/schema.json', packageUrl)
await writeFile(new URL('sql/video_view.sql', packageUrl), videoViewSql())
await writeFile(new URL('sql/video_filter.sql', packageUrl), videoFilterSql())
await writeFile(new URL('../catalogue/model.schema.json', packageUrl), modelSchemaText())
const declared = JSON.parse(await readFile(file, 'utf8'))
const { hash } = await readSource(packageUrl)
if (hash === declared.hash) {
  console.log(`The schema has version ${declared.version}.`)
} else {
  const raised = { ...declared, version: declared.version + 1, hash }
  await writeFile(file, `${JSON.stringify(raised, null, 2)}\n`)
  console.log(`The schema has version ${raised.version} now, it had ${declared.version}.`)
}
await writeBindings()

async function writeBindings() {
  const database = await startDatabase(fileURLToPath(new URL('..', packageUrl)))
  if (!database) throw new Error('PostgreSQL did not start; its output stands above.')
  try {
    await migrate(database.url)
    const sql = openDb(database.url, { connections: 1, name: 'kinora schema' })
    await writeFile(new URL('src/db/bindings.ts', packageUrl), await bindingsText(sql))
    await sql.end()
  } finally {
    await database.stop()
  }
}
