/**
 * The folder that holds everything Kinora keeps on this machine: database, films, secrets, logs. Files in it are
 * replaced whole, so that a crash or a full disk never leaves half a file behind.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { codeOf, explainFileError, Refusal } from './cli-error.ts'

const FREE_MB_MIN = 100

/** `DATA_DIR` or `.kinora` in the working folder, absolute; it need not exist. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  return path.resolve(env.DATA_DIR?.trim() || '.kinora')
}

/**
 * Makes the folder where it is missing and checks that it can be used.
 * @returns its real path
 * @throws Refusal when it cannot be made or written, or when the disk is full
 */
export function openDataDir(dataDir: string): string {
  try {
    // Root's PostgreSQL runs as another user, who has to pass through this folder but may not look around in it.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    makeFolder(dataDir, mode)
    makeFolder(path.join(dataDir, 'logs'), 0o700)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, 'written to see whether it can be')
    rmSync(probe)
    const disk = statfsSync(dataDir)
    const freeMb = (disk.bavail * disk.bsize) / 1024 ** 2
    if (freeMb < FREE_MB_MIN) {
      throw new Refusal(
        `The disk that holds ${dataDir} has only ${Math.floor(freeMb)} MB left; Kinora needs ${FREE_MB_MIN} MB to start. ` +
          'Free some space (1 GB is a good start) and start again.',
      )
    }
    return realpathSync(dataDir)
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
}

/** Node reports a read-only disk as ENOENT when it makes several folders at once; asking for each tells the true reason. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder), mode)
  mkdirSync(folder, { mode })
  chmodSync(folder, mode)
}

/** Replaces the file in one step; readable by this user only. */
export function writeJson(file: string, value: unknown): void {
  const fresh = `${file}.${process.pid}.new`
  try {
    writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw explainFileError(error, file)
  }
}

/**
 * The object in the file, empty when there is no such file.
 * @throws Refusal when it cannot be read or holds no object: a damaged file is never taken for an empty one
 */
export function readJson(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw explainFileError(error, file)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Told below, together with valid JSON of another kind.
  }
  throw new Refusal(`${file} is damaged: it holds no JSON object. Mend it, or put a backup of it back.`)
}
