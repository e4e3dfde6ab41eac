/**
 * The data folder: database, films, secrets and logs. Its files are written by atomic rename, so that a crash or a full
 * disk never leaves a partial file.
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
import { CliError, errorCode, explainFileError } from './cli-error.ts'

const FREE_MB_MIN = 100

/** `DATA_DIR`, or `.kinora` in the working folder; absolute. It need not exist. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  return path.resolve(env.DATA_DIR?.trim() || '.kinora')
}

/**
 * Creates the folder if it is missing, and checks that it is writable.
 * @returns its real path
 * @throws CliError when it cannot be created or written, or when the disk has less than `FREE_MB_MIN` left
 */
export function openDataDir(dataDir: string): string {
  try {
    // When root runs Kinora, PostgreSQL runs as another user, who needs to traverse this folder but not to list it.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    makeFolder(dataDir, mode)
    makeFolder(path.join(dataDir, 'logs'), 0o700)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, 'written to see whether it can be')
    rmSync(probe)
    const disk = statfsSync(dataDir)
    const freeMb = (disk.bavail * disk.bsize) / 1024 ** 2
    if (freeMb < FREE_MB_MIN) {
      throw new CliError(
        `The disk that holds ${dataDir} has only ${Math.floor(freeMb)} MB left; Kinora needs ${FREE_MB_MIN} MB to start. ` +
          'Free some space (1 GB is a good start) and start again.',
      )
    }
    return realpathSync(dataDir)
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
}

/**
 * Recursive by hand: with `recursive: true`, Node reports a read-only disk as ENOENT, while one call for each folder
 * reports EROFS.
 */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder), mode)
  mkdirSync(folder, { mode })
  chmodSync(folder, mode)
}

/** Writes the file by atomic rename, readable by this user only. */
export function writeJson(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}.new`
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw explainFileError(error, file)
  }
}

/**
 * The object in the file; empty when the file does not exist.
 * @throws CliError when the file is unreadable or holds no JSON object: a damaged file is never treated as an empty one
 */
export function readJson(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw explainFileError(error, file)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Invalid JSON gets the same error as a JSON value that is no object.
  }
  throw new CliError(`${file} is damaged: it holds no JSON object. Repair it, or restore it from a backup.`)
}
