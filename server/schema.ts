/**
 * `npm run schema`: writes the SQL functions that are made from the fields of a video and the JSON Schema of a model's file, raises the
 * version in server/sql/schema.json when the text of a migration or of an SQL function has changed since, and stores the hash of the text.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { modelSchemaText } from './src/catalogue/model-file.ts'
import { packageUrl } from './src/config/package-dir.ts'
import { videoViewSql } from './src/db/columns.ts'
import { readSource, type SchemaVersion } from './src/db/schema.ts'

const file = new URL('sql/schema.json', packageUrl)
await writeFile(new URL('sql/video_view.sql', packageUrl), videoViewSql())
await writeFile(new URL('../catalogue/model.schema.json', packageUrl), modelSchemaText())
const declared = JSON.parse(await readFile(file, 'utf8')) as SchemaVersion
const { hash } = await readSource(packageUrl)
if (hash === declared.hash) {
  console.log(`The schema has version ${declared.version}.`)
} else {
  const raised = { ...declared, version: declared.version + 1, hash }
  await writeFile(file, `${JSON.stringify(raised, null, 2)}\n`)
  console.log(`The schema has version ${raised.version} now, it had ${declared.version}.`)
}
