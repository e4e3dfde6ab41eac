/** A copy of the folders `migrations` and `sql` in which a test changes files: the schema of another release. */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'

const server = path.resolve(import.meta.dirname, '../..')

/** The version that the code under test has. */
export const own: { version: number; minimum: number } = JSON.parse(
  readFileSync(path.join(server, 'sql/schema.json'), 'utf8'),
)

export type SchemaChange = {
  version: number
  minimum?: number
  /** Contents of new or replaced files by their path, such as `migrations/9001_next.sql`. */
  files?: Record<string, string>
  /** SQL text that is appended to the functions. */
  functions?: string
  /** Replacements in all functions: every text must occur. */
  edits?: [before: string, after: string][] | undefined
}

/** Writes the changed copy to `to`, by default a temporary folder. @returns the folder for `migrate(…, { dir })` */
export function writeSchema(
  { version, minimum = own.minimum, files, functions = '', edits }: SchemaChange,
  to = temporary(),
): URL {
  for (const folder of ['migrations', 'sql']) {
    mkdirSync(to, { recursive: true })
    cpSync(path.join(server, folder), path.join(to, folder), { recursive: true })
  }
  for (const [before, replacement] of edits ?? []) {
    const changed = readdirSync(path.join(to, 'sql')).filter((name) =>
      edit(path.join(to, 'sql', name), before, replacement),
    )
    if (changed.length === 0) throw new Error(`no function contains "${before}"`)
  }
  for (const [file, text] of Object.entries(files ?? {})) writeFileSync(path.join(to, file), text)
  appendFileSync(path.join(to, 'sql/verify.sql'), functions)
  writeFileSync(path.join(to, 'sql/schema.json'), JSON.stringify({ version, minimum, hash: '' }))
  return pathToFileURL(`${to}/`)
}

function edit(file: string, before: string, replacement: string): boolean {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(before, replacement))
  return text.includes(before)
}

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-schema-'))
  after(() => rmSync(folder, { recursive: true }))
  return folder
}
