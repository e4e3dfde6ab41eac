/** `server/main.mjs`: which code it runs, in a repository of three files. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../..')
const copy = mkdtempSync(path.join(tmpdir(), 'kinora-build-'))
after(() => rmSync(copy, { recursive: true }))
for (const folder of ['bin', 'server/src']) mkdirSync(path.join(copy, folder), { recursive: true })
for (const file of ['bin/build.mjs', 'bin/files.mjs', 'server/main.mjs'])
  cpSync(path.join(root, file), path.join(copy, file))
writeFileSync(path.join(copy, 'package.json'), '{ "type": "module" }')
writeFileSync(path.join(copy, 'server/src/main.ts'), "console.log('sources')")
writeFileSync(
  path.join(copy, 'server/build.mjs'),
  `import { mkdirSync, writeFileSync } from 'node:fs'
   if (process.env.FAULT) throw new Error('no compiler')
   mkdirSync(process.argv[2])
   writeFileSync(process.argv[2] + '/main.js', "console.log('build')")`,
)

type Builder = { ensureBuild: (root: string, node: string, name: 'server') => string | null }
const { ensureBuild } = (await import(pathToFileURL(path.join(copy, 'bin/build.mjs')).href)) as Builder
const build = () => ensureBuild(copy, process.execPath, 'server')
const run = () => execFileSync(process.execPath, [path.join(copy, 'server/main.mjs')], { encoding: 'utf8' }).trim()

test('server/main.mjs: no build → the sources; a current one → the build; sources changed since → the sources', () => {
  assert.equal(run(), 'sources')
  assert.equal(build(), null)
  assert.equal(run(), 'build')
  writeFileSync(path.join(copy, 'server/src/other.ts'), '')
  assert.equal(run(), 'sources')
  assert.equal(build(), null)
  assert.equal(run(), 'build')
})

test('server build: fails → the reason, and the sources run', () => {
  writeFileSync(path.join(copy, 'server/src/third.ts'), '')
  process.env.FAULT = '1'
  try {
    assert.match(build() ?? '', /The server could not be built:.*no compiler/s)
  } finally {
    delete process.env.FAULT
  }
  assert.equal(run(), 'sources')
})
