/** The release of this tree as `npm ci` installs it from its package, without a registry, and a next one beside it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { type SchemaChange, writeSchema } from './schema-fixture.ts'

const root = path.resolve(import.meta.dirname, '../../..')
// Imports have computed names: the plain JavaScript of bin/ has no declarations.
const { ensureBuild } = await import(path.join(root, 'bin/build.mjs'))
const { shrinkwrap, stage } = await import(path.join(root, 'bin/release/stage.mjs'))

type Locked = { version: string; bin?: Record<string, string> }

/** Writes the release into a folder that any user may read: its files, and the packages of its shrinkwrap alone. */
export async function installRelease(folder: string): Promise<void> {
  for (const name of ['studio', 'server']) assert.equal(await ensureBuild(root, process.execPath, name), null)
  mkdirSync(folder, { recursive: true })
  stage(root, folder)
  shrinkwrap(root, folder)
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  const locked: Record<string, Locked> = read(path.join(folder, 'npm-shrinkwrap.json')).packages
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true })
  for (const [place, { version, bin = {} }] of Object.entries(locked)) {
    // A package inside another one comes with it.
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(place)) continue
    const from = ['cli', 'server', 'simulator', '.']
      .map((workspace) => path.join(root, workspace, place))
      .find((each) => existsSync(each) && read(path.join(each, 'package.json')).version === version)
    // Packages of other platforms are not there.
    if (from === undefined) continue
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true })
    run('cp', '-a', from, path.join(folder, place))
    for (const [name, file] of Object.entries(bin))
      symlinkSync(path.join('../..', place, file), path.join(folder, 'node_modules/.bin', name))
  }
  run('chmod', '-R', 'a+rX', folder)
}

/** Another release: the same packages by hard links, and copies of everything else, with another schema. */
export function installNext(from: string, folder: string, schema: SchemaChange | null = null): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === 'node_modules') run('cp', '-al', path.join(from, name), path.join(folder, name))
    else cpSync(path.join(from, name), path.join(folder, name), { recursive: true })
  }
  if (schema === null) return
  for (const name of ['migrations', 'sql']) rmSync(path.join(folder, 'server', name), { recursive: true })
  writeSchema(schema, path.join(folder, 'server'))
}

function run(file: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}
