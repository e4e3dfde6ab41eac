/**
 * The folder that a release is packed from: command line, server, simulator and built studio in one package, with the
 * versions of package-lock.json. The server is its build. Node strips types from no file below node_modules, so those
 * of the others are stripped here; the tree stays the same, with `.js` in place of `.ts`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { besideBuild } from '../build.mjs'
import { readJson } from '../files.mjs'
import { SetupError } from '../setup-error.mjs'

/** What runs. Tests, benchmarks and the tools of development stay out. */
const parts = [
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'client/README.md',
  'python-client/README.md',
  'ai-sdk-provider/README.md',
  'user-cli/README.md',
  'openapi.json',
  'openapi-operator.json',
  'catalogue',
  'bin/run.mjs',
  'bin/install.mjs',
  'bin/patches.mjs',
  'bin/build.mjs',
  'bin/files.mjs',
  'bin/setup-error.mjs',
  'cli/kinora.mjs',
  'cli/src',
  'server/main.mjs',
  'server/package.json',
  'server/migrations',
  'server/sql',
  'server/dist',
  'simulator/src',
  'simulator/font',
  'simulator/fixtures',
  'studio/dist',
  'deploy/upgrade.sh',
  'deploy/health.mjs',
  'deploy/nginx.conf',
  'deploy/Caddyfile',
  'deploy/systemd',
  'deploy/compose.yaml',
  'deploy/.env.example',
  'deploy/catalogue',
  'deploy/helm',
  'deploy/ha',
  'deploy/observability/alerts.yaml',
  'deploy/observability/grafana.json',
]
/** The workspaces whose packages the release needs, where the builds do not contain them. */
const packages = ['cli', 'server', 'simulator']

/** A literal that ends in `.ts`: an import, a URL, or the path of a script. */
const MODULE_NAME = /\.ts(?=['"`])/g
/** npm installs the driver as it was released; the server's build has the patched one (decisions/0048). */
const DRIVER_IMPORT = /(?<=\bfrom ')postgres(?=')/g
const DRIVER = 'server/dist/postgres.js'

/**
 * Writes the tree into an empty folder, without its shrinkwrap.
 * @param {string} root the repository's folder
 * @param {string} folder
 * @param {string} [name] under which it may be published
 * @returns {object} the manifest of the release
 */
export function stage(root, folder, name = 'kinora') {
  const driver = path.join(folder, DRIVER)
  for (const part of parts) copy(path.join(root, part), path.join(folder, part), driver)
  // What the server reads beside its code.
  for (const each of readdirSync(path.join(root, 'server/src'), { recursive: true })) {
    const file = path.join('server/src', each)
    if (!/\.(ts|md)$/.test(each) && statSync(path.join(root, file)).isFile())
      copy(path.join(root, file), path.join(folder, file))
  }
  const manifest = manifestOf(root, name)
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/**
 * @param {string} source TypeScript
 * @param {string} driver relative to its folder
 */
function toJavaScript(source, driver) {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replace(MODULE_NAME, '.js').replace(DRIVER_IMPORT, driver)
}

/** @param {string} [driver] its path in the release, for TypeScript */
function copy(from, to, driver) {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) copy(path.join(from, name), path.join(to, name), driver)
    return
  }
  mkdirSync(path.dirname(to), { recursive: true })
  if (from.endsWith('.ts'))
    writeFileSync(
      to.replace(/\.ts$/, '.js'),
      toJavaScript(readFileSync(from, 'utf8'), path.relative(path.dirname(to), driver)),
    )
  else if (path.basename(from) === 'run.mjs') writeFileSync(to, readFileSync(from, 'utf8').replace(MODULE_NAME, '.js'))
  else cpSync(from, to)
}

function manifestOf(root, name) {
  const project = readJson(path.join(root, 'package.json'))
  const merged = { dependencies: {}, optionalDependencies: { ...project.optionalDependencies } }
  for (const workspace of packages) {
    const { dependencies = {}, optionalDependencies = {} } = readJson(path.join(root, workspace, 'package.json'))
    const isNeeded = ([each]) => (workspace === 'server' ? besideBuild.includes(each) : each !== 'postgres')
    Object.assign(merged.dependencies, Object.fromEntries(Object.entries(dependencies).filter(isNeeded)))
    Object.assign(merged.optionalDependencies, optionalDependencies)
  }
  return {
    name,
    version: project.version,
    description: project.description,
    license: project.license,
    type: 'module',
    bin: { kinora: 'cli/kinora.mjs' },
    engines: project.engines,
    allowScripts: project.allowScripts,
    ...merged,
  }
}

/**
 * Writes npm-shrinkwrap.json, which npm obeys inside a package: what the release depends on, in the places of
 * package-lock.json. What a workspace has for itself comes to the top.
 */
export function shrinkwrap(root, folder) {
  const lock = readJson(path.join(root, 'package-lock.json'))
  const manifest = readJson(path.join(folder, 'package.json'))
  const locked = {}
  for (const [name, entry] of Object.entries(lock.packages)) {
    if (name.startsWith('node_modules/') && !entry.link) locked[name] = entry
  }
  for (const workspace of packages) {
    const own = `${workspace}/node_modules/`
    for (const [name, entry] of Object.entries(lock.packages)) {
      if (name.startsWith(own)) locked[name.slice(workspace.length + 1)] = entry
    }
  }
  const reached = reachable(locked, manifest)
  const { name, version } = manifest
  const text = JSON.stringify(
    { name, version, lockfileVersion: 3, requires: true, packages: { '': manifest, ...reached } },
    null,
    1,
  )
  writeFileSync(path.join(folder, 'npm-shrinkwrap.json'), `${text}\n`)
}

/** The locked packages a manifest needs, directly or not, found as Node finds them: in the nearest node_modules. */
function reachable(locked, manifest) {
  const reached = {}
  const waiting = [['', manifest]]
  while (waiting.length > 0) {
    const [from, entry] = waiting.pop()
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    )
    const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]
    for (const name of names) {
      const place = placeOf(locked, from, name)
      if (!place || reached[place]) continue
      const { dev: _dev, devOptional, peer: _peer, optionalDependencies = {}, ...kept } = locked[place]
      // npm ci would ask the registry for what is not locked, of which some was never published.
      const optional = Object.entries(optionalDependencies).filter(([each]) => placeOf(locked, place, each))
      reached[place] = {
        ...kept,
        ...(optional.length > 0 ? { optionalDependencies: Object.fromEntries(optional) } : {}),
        ...(devOptional ? { optional: true } : {}),
      }
      waiting.push([place, reached[place]])
    }
  }
  return Object.fromEntries(Object.entries(reached).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function placeOf(locked, from, name) {
  for (let parent = from; ; parent = parent.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${parent && `${parent}/`}node_modules/${name}`
    if (locked[place]) return place
    if (!parent) return null
  }
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
