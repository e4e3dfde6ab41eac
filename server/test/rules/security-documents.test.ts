/** The entry documents and docs/security/: what they name exists. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '../../..')
const tests = globSync('{server,proofs}/test/**/*.test.ts', { cwd: root })
/** Each with the least number of files that it names. */
const documents = [
  ['README.md', 0],
  ['ARCHITECTURE.md', 10],
  ['CONTRIBUTING.md', 10],
  ['docs/mechanisms.md', 5],
  ['SECURITY.md', 0],
  ['docs/security/checklist.md', 100],
  ['docs/security/not-covered.md', 1],
  ['docs/security/threat-model.md', 5],
  ['docs/security/asvs.md', 20],
] as const

for (const [document, least] of documents) {
  const text = readFileSync(path.join(root, document), 'utf8')

  test(`${document}: every file that it names → exists`, () => {
    const names = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|sql|json|md))`/g)].map(([, name = '']) => name)
    const isThere = (name: string) =>
      ['', 'server/src', 'server', 'server/src/media'].some((folder) => existsSync(path.join(root, folder, name))) ||
      // A test may be named without its folder.
      tests.some((file) => file.endsWith(`/${name}`))
    assert.ok(names.length >= least)
    assert.deepEqual([...new Set(names.filter((name) => !isThere(name)))], [])
  })

  test(`${document}: every link to a file of the repository → leads to one`, () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link)
    const missing = links.filter((link) => !existsSync(path.resolve(root, path.dirname(document), link)))
    assert.deepEqual(missing, [])
  })
}

test('docs/security/asvs.md: every row → has a level and one of the four states', () => {
  const text = readFileSync(path.join(root, 'docs/security/asvs.md'), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line))
  assert.ok(rows.length > 100)
  const row =
    /^\| \d+\.\d+\.\d+(?:(?:, | to )\d+\.\d+\.\d+)* \| (?:1|2|1, 2) \| (met|in part|not met|operator) \| .+ \|$/
  assert.deepEqual(
    rows.filter((line) => !row.test(line)),
    [],
  )
})

test('package.json: every package with an install script → allowScripts allows or denies it by name, and no other', () => {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const packages: Record<string, { hasInstallScript?: boolean }> = read('package-lock.json').packages
  const withScripts = Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
    hasInstallScript ? [place.replace(/^.*node_modules\//, '')] : [],
  )
  assert.deepEqual(Object.keys(read('package.json').allowScripts).sort(), [...new Set(withScripts)].sort())
})
