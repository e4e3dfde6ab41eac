/**
 * Builds the studio when the build is missing or its sources have changed, by a content hash; silent when it is
 * current. The build is written to a temporary folder and renamed, so that two concurrent builds do not mix.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readText } from './files.mjs'

/** The inputs of the build; package-lock.json stands for every package. */
const sources = [
  'studio/src',
  'studio/public',
  'studio/index.html',
  'studio/vite.config.ts',
  'client/src',
  'package-lock.json',
]
const HASH_FILE = '.sources'

/**
 * Builds the studio unless the build is current.
 * @param {string} root the repository's folder
 * @param {string} node the Node to build with
 * @returns {string | null} the error message, null on success
 */
export function ensureStudio(root, node) {
  const dist = path.join(root, 'studio/dist')
  const hash = sourcesHash(root)
  if (readText(path.join(dist, HASH_FILE)) === hash) return null

  process.stderr.write('Building the studio (a few seconds, once) …\n')
  const temporary = `${dist}.${process.pid}`
  try {
    const vite = path.join(root, 'node_modules/vite/bin/vite.js')
    const args = [
      vite,
      'build',
      '--outDir',
      temporary,
      '--emptyOutDir',
      '--logLevel',
      'warn',
      path.join(root, 'studio'),
    ]
    const { status, error, stdout, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) return `The studio could not be built:\n${error?.message ?? `${stdout}${stderr}`.trim()}`
    writeFileSync(path.join(temporary, HASH_FILE), hash)
    const old = `${dist}.old.${process.pid}`
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(temporary, dist)
    rmSync(old, { recursive: true, force: true })
    return null
  } catch (error) {
    // Another process may have renamed the same build meanwhile.
    if (readText(path.join(dist, HASH_FILE)) === hash) return null
    return `The studio could not be built: ${error.message}`
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function sourcesHash(root) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const location = path.join(root, source)
    const names = statSync(location).isDirectory() ? readdirSync(location, { recursive: true }).sort() : ['']
    for (const name of names) {
      const file = path.join(location, name)
      if (statSync(file).isFile()) hash.update(`${source}/${name}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}
