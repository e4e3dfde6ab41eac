/**
 * A lock file that names the process that holds it. A lock whose process has died is stale and is taken over. A process
 * is identified by its id together with its start time, because the operating system reuses process ids.
 */
import { spawnSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { errorCode, explainFileError } from './cli-error.ts'

/** The content of a lock file. `began` identifies the process's start; `command` is shown to other processes' users. */
type LockHolder = { pid: number; command: string; began: string }
type Lock = { release: () => void }

/**
 * @param command the holder's name in other processes' messages, e.g. `kinora start`
 * @returns the lock, or the living process that holds it
 */
export function acquireLock(file: string, command: string): Lock | LockHolder {
  const own: LockHolder = { pid: process.pid, command, began: startOf(process.pid) }
  const temporary = `${file}.${process.pid}`
  try {
    writeFileSync(temporary, JSON.stringify(own), { mode: 0o600 })
    for (;;) {
      try {
        // link(2) is atomic and fails when the name exists: the lock file appears with its content or not at all.
        linkSync(temporary, file)
        return { release: () => releaseLock(file) }
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
      const holder = lockHolder(file)
      if (holder) return holder
      removeStaleLock(file)
    }
  } catch (error) {
    throw explainFileError(error, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** The living process that holds the lock, else null. */
export function lockHolder(file: string): LockHolder | null {
  const holder = readHolder(file)
  return holder && startOf(holder.pid) === holder.began ? holder : null
}

/**
 * Two processes may find the same lock stale, and the slower one must not remove the lock that the faster one has
 * acquired meanwhile. The file is therefore renamed first, and linked back when it belongs to a living process.
 */
function removeStaleLock(file: string): void {
  const aside = `${file}.stale-${process.pid}`
  try {
    renameSync(file, aside)
    if (lockHolder(aside)) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function releaseLock(file: string): void {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true })
}

function readHolder(file: string): LockHolder | null {
  try {
    const { pid, command, began } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? { pid, command: String(command), began: String(began) } : null
  } catch {
    return null
  }
}

/**
 * Identifies the start of a process: on Linux boot id and start time in clock ticks. Empty when no such process lives.
 */
function startOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may itself contain parentheses and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return ''
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return ''
  }
}
