// slow
/**
 * The launcher (`bin/run.mjs`) in a checkout without installed packages: a small fixture, installed by the real npm.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDir } from './cli-process.ts'

/**
 * A checkout whose only package is its own workspace, so that npm needs no network. Its command prints its arguments.
 */
function makeCheckout(t: TestContext): string {
  const root = path.join(temporaryDir(t), "a folder with spaces and 'quotes'")
  mkdirSync(path.join(root, 'cli/src'), { recursive: true })
  for (const folder of ['bin', 'patches']) {
    cpSync(path.resolve(import.meta.dirname, '../..', folder), path.join(root, folder), { recursive: true })
  }
  const manifest = { name: 'small', version: '1.0.0', workspaces: ['cli'] }
  const workspace = { name: '@small/cli', version: '1.0.0' }
  const packages = { '': manifest, cli: workspace, 'node_modules/@small/cli': { resolved: 'cli', link: true } }
  writeFileSync(path.join(root, 'package.json'), JSON.stringify(manifest))
  writeFileSync(path.join(root, 'cli/package.json'), JSON.stringify(workspace))
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ ...manifest, lockfileVersion: 3, packages }))
  writeFileSync(
    path.join(root, 'cli/src/main.ts'),
    "console.log('ran', String(process.argv.slice(2))); process.exit(3)",
  )
  return root
}

function run(
  root: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [path.join(root, 'bin/run.mjs'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: path.dirname(root), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })))
}

test('installation: missing packages → installed once with one line of output, then the command runs', async (t) => {
  const root = makeCheckout(t)
  const first = await run(root, ['some', 'thing'])
  assert.match(first.output, /^Installing the missing packages \([^)]*\) …\nran some,thing\n$/)
  assert.equal(first.status, 3)
  assert.deepEqual(await run(root, ['again']), { status: 3, output: 'ran again\n' })
  rmSync(path.join(root, 'node_modules/@small/cli'))
  assert.match((await run(root, ['mended'])).output, /^Installing[^\n]*\nran mended\n$/)
})

test('installation: two commands at once → one installs, the other waits, no lock file remains', async (t) => {
  const root = makeCheckout(t)
  const both = await Promise.all([run(root, ['one']), run(root, ['two'])])
  assert.equal(both.filter(({ output }) => output.includes('Installing the missing packages')).length, 1)
  assert.deepEqual(
    both.map(({ status }) => status),
    [3, 3],
  )
  assert.deepEqual(readdirSync(root).sort(), [
    'bin',
    'cli',
    'node_modules',
    'package-lock.json',
    'package.json',
    'patches',
  ])
})

test('installation: npm fails → its message and the remedy are printed, without a stack trace', async (t) => {
  const root = makeCheckout(t)
  writeFileSync(path.join(root, 'package.json'), '{"name": "small",')
  const { status, output } = await run(root, ['start'])
  assert.equal(status, 1)
  assert.match(output, /The packages could not be installed\.\n {2}code EJSONPARSE/)
  assert.match(output, /run the command again/)
  assert.doesNotMatch(output, /\n\s+at |debug-\d/)
})

const olderVersion = "Object.defineProperty(process, 'version', { value: 'v20.20.2' })"
const olderVersions = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
/** Lets a Node say that it is an older one. */
const olderNode = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`${olderVersion};${olderVersions}`)}`,
}

/** Adds an optional binary of this platform that needs Node 24, and the packaged Node 24, to a checkout. */
function addBinaryOfNode24(root: string): void {
  const json = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const binary = { version: '1.0.0', os: [process.platform], cpu: [process.arch], engines: { node: '>=24' } }
  mkdirSync(path.join(root, 'binary'))
  writeFileSync(path.join(root, 'binary/package.json'), JSON.stringify({ name: 'binary', ...binary }))
  execFileSync('npm', ['pack', './binary'], { cwd: root, stdio: 'ignore' })
  rmSync(path.join(root, 'binary'), { recursive: true })

  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const node = { name: `${prefix}-${process.platform}-${process.arch}`, version: '24.0.0' }
  mkdirSync(path.join(root, 'node/bin'), { recursive: true })
  writeFileSync(path.join(root, 'node/package.json'), JSON.stringify(node))
  // The NODE_OPTIONS are left out that make the machine's Node an old one.
  writeFileSync(path.join(root, 'node/bin/node'), `#!/bin/sh\nNODE_OPTIONS= exec '${process.execPath}' "$@"\n`)
  chmodSync(path.join(root, 'node/bin/node'), 0o755)

  const resolved = 'file:binary-1.0.0.tgz'
  const added = { workspaces: ['cli', 'node'], optionalDependencies: { binary: resolved } }
  const lock = json('package-lock.json')
  const packages = {
    ...lock.packages,
    '': { ...lock.packages[''], ...added },
    node,
    [`node_modules/${node.name}`]: { resolved: 'node', link: true },
    'node_modules/binary': { ...binary, resolved, optional: true },
  }
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ ...json('package.json'), ...added }))
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ ...lock, ...added, packages }))
}

test('installation: npm under an older Node skips a binary that needs Node 24 → installed under the packaged Node', async (t) => {
  const root = makeCheckout(t)
  addBinaryOfNode24(root)
  const env = olderNode
  const installed = () => existsSync(path.join(root, 'node_modules/binary'))

  execFileSync('npm', ['ci'], { cwd: root, stdio: 'ignore', env: { ...process.env, ...env } })
  assert.equal(installed(), false, 'npm itself skips it')
  assert.match((await run(root, ['some'], env)).output, /^Installing[^\n]*\nran some\n$/)
  assert.equal(installed(), true)
  assert.deepEqual(await run(root, ['again'], env), { status: 3, output: 'ran again\n' })
})
