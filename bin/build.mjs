/**
 * Builds the studio and the server when a build is missing or its sources have changed, by a content hash; silent when
 * it is current. A build is written to a temporary folder and renamed, so that two concurrent builds do not mix.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { readText } from './files.mjs'

const HASH_FILE = '.sources'

/** Packages outside the server's build: native code, files beside their code, or large and loaded on demand. */
export const besideBuild = ['koffi', 'sharp', 'node-webcodecs', 'pino', 'pino-pretty', 'stripe']

/**
 * `sources`: the inputs; package-lock.json stands for every package. `command`: the script, with its arguments, that
 * writes the build to a folder.
 */
const builds = {
  studio: {
    dist: 'studio/dist',
    sources: [
      'studio/src',
      'studio/public',
      'studio/index.html',
      'studio/vite.config.ts',
      'studio/lingui.config.ts',
      'client/src',
      'package-lock.json',
    ],
    command: (folder) => [
      ...['node_modules/vite/bin/vite.js', 'build', '--outDir', folder],
      ...['--emptyOutDir', '--logLevel', 'warn', 'studio'],
    ],
  },
  server: {
    dist: 'server/dist',
    sources: ['server/src', 'server/build.mjs', 'bin/build.mjs', 'server/package.json', 'package-lock.json', 'patches'],
    command: (folder) => ['server/build.mjs', folder],
  },
}

/**
 * Builds unless the build is current.
 * @param {string} root the repository's folder
 * @param {string} node the Node to build with
 * @param {'studio' | 'server'} name
 * @returns {Promise<string | null>} the error message, null on success
 */
export async function ensureBuild(root, node, name) {
  const dist = path.join(root, builds[name].dist)
  const hash = sourcesHash(root, name)
  if (readText(path.join(dist, HASH_FILE)) === hash) return null

  process.stderr.write(`Building the ${name} (a few seconds, once) …\n`)
  const temporary = `${dist}.${process.pid}`
  try {
    await promisify(execFile)(node, builds[name].command(temporary), { cwd: root, maxBuffer: 2 ** 26 })
    writeFileSync(path.join(temporary, HASH_FILE), hash)
    const old = `${dist}.old.${process.pid}`
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(temporary, dist)
    rmSync(old, { recursive: true, force: true })
    return null
  } catch (error) {
    // Another process may have renamed the same build meanwhile.
    if (isBuilt(root, name)) return null
    return `The ${name} could not be built:\n${`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message}`
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Whether the build is there and made of the present sources. */
export function isBuilt(root, name) {
  const built = readText(path.join(root, builds[name].dist, HASH_FILE))
  return built !== '' && built === sourcesHash(root, name)
}

function sourcesHash(root, name) {
  const hash = createHash('sha256')
  for (const source of builds[name].sources) {
    const location = path.join(root, source)
    // A packed release has no package-lock.json.
    if (!existsSync(location)) continue
    const files = statSync(location).isDirectory() ? readdirSync(location, { recursive: true }).sort() : ['']
    for (const file of files) {
      const full = path.join(location, file)
      if (statSync(full).isFile()) hash.update(`${source}/${file}\n`).update(readFileSync(full))
    }
  }
  return hash.digest('hex')
}
