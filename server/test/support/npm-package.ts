/** A package as npm publishes it: packed from its folder, and installed from the tarball into an empty folder. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

export type InstalledPackage = {
  /** A temporary folder with the package below node_modules, removed after the tests of the file. */
  folder: string
  /** The paths in the tarball. */
  files: string[]
}

/**
 * Works without a network: what the package depends on is copied from the folders in `dependencies`.
 * @param packageDir the folder of the package's package.json
 */
export async function installPackage(packageDir: string, dependencies: string[] = []): Promise<InstalledPackage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-package-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const stdout = await npm(['pack', '--json', '--silent', '--pack-destination', folder], packageDir)
  // A build that runs before the packing may print lines of its own.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string; files: { path: string }[] }[]
  assert.ok(packed)
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  const tarball = path.join(folder, packed.filename)
  await npm(['install', '--no-audit', '--install-links', tarball, ...dependencies], folder)
  return { folder, files: packed.files.map((file) => file.path) }
}

async function npm(args: string[], cwd: string): Promise<string> {
  const offline = { npm_config_offline: 'true', npm_config_update_notifier: 'false', npm_config_fund: 'false' }
  const { stdout } = await promisify(execFile)('npm', args, { cwd, env: { ...process.env, ...offline } })
  return stdout
}
