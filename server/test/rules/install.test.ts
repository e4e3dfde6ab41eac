/** What the launcher leaves of packages in an installation for use. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const { prune } = await import(new URL('../../../bin/install.mjs', import.meta.url).href)

test('packages of an installation for use: pruned → without what compilers and debuggers read, and with every source', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'kinora-pruned-'))
  const kept = ['server/src/main.ts', 'server/README.md', 'node_modules/a/index.js', 'node_modules/a/LICENSE']
  const removed = ['node_modules/a/index.d.ts', 'node_modules/a/index.js.map', 'server/node_modules/@b/c/README.md']
  for (const file of [...kept, ...removed]) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(root, file), '')
  }
  symlinkSync('../server', path.join(root, 'node_modules/server'))
  const packages = { '': {}, 'node_modules/server': {}, 'node_modules/a': {}, 'server/node_modules/@b/c': {} }
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages }))
  prune(root)
  for (const file of kept) assert.ok(existsSync(path.join(root, file)), file)
  for (const file of removed) assert.ok(!existsSync(path.join(root, file)), file)
  rmSync(root, { recursive: true })
})
