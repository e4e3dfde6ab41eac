/**
 * Builds the studio when it is missing or older than its sources: nothing is done, and nothing said, when it is current.
 * A build lands in a folder of its own and takes the place of the old one whole, so that two at once do no harm.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What the result depends on; the lock file stands for every package. */
const sources = [
  'studio/src',
  'studio/public',
  'studio/index.html',
  'studio/vite.config.ts',
  'client/src',
  'package-lock.json',
]
const STAMP = '.sources'

/**
 * @param {string} root the repository's folder
 * @param {string} node the Node to build with
 * @returns {string | null} what went wrong, in a sentence
 */
export function ensureStudio(root, node) {
  const dist = path.join(root, 'studio/dist')
  const stamp = stampOf(root)
  if (readText(path.join(dist, STAMP)) === stamp) return null

  process.stderr.write('Building the studio (a few seconds, once) …\n')
  const fresh = `${dist}.${process.pid}`
  try {
    const vite = path.join(root, 'node_modules/vite/bin/vite.js')
    const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn', path.join(root, 'studio')]
    const { status, error, stdout, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) return `The studio could not be built:\n${error?.message ?? `${stdout}${stderr}`.trim()}`
    writeFileSync(path.join(fresh, STAMP), stamp)
    const old = `${dist}.old.${process.pid}`
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
    rmSync(old, { recursive: true, force: true })
    return null
  } catch (error) {
    // Another process may have put the same build there in between.
    if (readText(path.join(dist, STAMP)) === stamp) return null
    return `The studio could not be built: ${error.message}`
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function stampOf(root) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const place = path.join(root, source)
    const names = statSync(place).isDirectory() ? readdirSync(place, { recursive: true }).sort() : ['']
    for (const name of names) {
      const file = path.join(place, name)
      if (statSync(file).isFile()) hash.update(`${source}/${name}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
