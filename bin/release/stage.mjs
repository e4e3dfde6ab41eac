/**
 * The folder that a release is packed from: command line, server, simulator and built studio in one package, with the versions of
 * package-lock.json. Node strips types from no file below node_modules, so the types are stripped here; the tree stays the same, with
 * `.js` in place of `.ts`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { readJson } from '../files.mjs'
import { SetupError } from '../setup-error.mjs'

/** What runs. Tests, benchmarks and the tools of development stay out. */
const parts = [
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'openapi.json',
  'catalogue',
  'bin/run.mjs',
  'bin/install.mjs',
  'bin/studio.mjs',
  'bin/files.mjs',
  'bin/setup-error.mjs',
  'cli/kinora.mjs',
  'cli/src',
  'server/package.json',
  'server/migrations',
  'server/sql',
  'server/src',
  'simulator/src',
  'simulator/font',
  'studio/dist',
]
/** Their dependencies become those of the release. The studio and the client are in it as built files. */
const packages = ['cli', 'server', 'simulator']

/** A literal that ends in `.ts`: an import, a URL, or the path of a script. */
const MODULE_NAME = /\.ts(?=['"`])/g

/**
 * Writes the tree into an empty folder, without its shrinkwrap.
 * @param {string} root the repository's folder
 * @param {string} folder
 * @returns {object} the manifest of the release
 */
export function stage(root, folder) {
  for (const part of parts) copy(path.join(root, part), path.join(folder, part))
  const manifest = manifestOf(root)
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** @param {string} source TypeScript */
export function toJavaScript(source) {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replace(MODULE_NAME, '.js')
}

function copy(from, to) {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) copy(path.join(from, name), path.join(to, name))
    return
  }
  mkdirSync(path.dirname(to), { recursive: true })
  if (from.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), toJavaScript(readFileSync(from, 'utf8')))
  else if (path.basename(from) === 'run.mjs') writeFileSync(to, readFileSync(from, 'utf8').replace(MODULE_NAME, '.js'))
  else cpSync(from, to)
}

function manifestOf(root) {
  const project = readJson(path.join(root, 'package.json'))
  const merged = { dependencies: {}, optionalDependencies: { ...project.optionalDependencies } }
  for (const name of packages) {
    const { dependencies = {}, optionalDependencies = {} } = readJson(path.join(root, name, 'package.json'))
    Object.assign(merged.dependencies, dependencies)
    Object.assign(merged.optionalDependencies, optionalDependencies)
  }
  return {
    name: 'kinora',
    version: project.version,
    description: project.description,
    license: project.license,
    type: 'module',
    bin: { kinora: 'cli/kinora.mjs' },
    engines: project.engines,
    ...merged,
  }
}

/**
 * Writes npm-shrinkwrap.json, which npm obeys inside a package: the tree of package-lock.json without what only development needs.
 * @throws SetupError when npm cannot derive it
 */
export function shrinkwrap(root, folder) {
  const lock = readJson(path.join(root, 'package-lock.json'))
  const manifest = readJson(path.join(folder, 'package.json'))
  const installed = Object.entries(lock.packages).filter(
    ([name, entry]) => name.includes('node_modules/') && !entry.link,
  )
  const seed = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(installed) },
  }
  const file = path.join(folder, 'package-lock.json')
  writeFileSync(file, JSON.stringify(seed))
  // npm removes what nothing depends on any more.
  npm(folder, ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'])
  const packages = readJson(file).packages
  const changed = Object.entries(packages).filter(
    ([name, { version }]) => name && lock.packages[name] && lock.packages[name].version !== version,
  )
  if (changed.length > 0)
    throw new SetupError(`npm changed the versions of ${changed.map(([name]) => name).join(', ')}.`)
  renameSync(file, path.join(folder, 'npm-shrinkwrap.json'))
}

/** @returns {string} what npm printed @throws SetupError */
export function npm(folder, args, env = process.env) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status !== 0) throw new SetupError(`npm ${args[0]} failed in ${folder}:\n${stderr.slice(-4000)}`)
  return stdout
}
