/**
 * A lock that lives as long as the process that took it. It is a file that names its holder; a holder that was killed is
 * recognised by its process number together with the moment its process began, because numbers are given out again.
 */
import { spawnSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { codeOf, explainFileError } from './cli-error.ts'

export type Holder = { pid: number; command: string; began: string }
export type Lock = { release: () => void }

/**
 * @param command what the holder calls itself in others' messages, e.g. `kinora start`
 * @returns the lock, or the living process that has it
 */
export function takeLock(file: string, command: string): Lock | Holder {
  const own: Holder = { pid: process.pid, command, began: beginningOf(process.pid) }
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 })
    for (;;) {
      try {
        // A link appears whole, with the holder's name already in it, or not at all.
        linkSync(draft, file)
        return { release: () => releaseLock(file) }
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const holder = lockHolder(file)
      if (holder) return holder
      removeStale(file)
    }
  } catch (error) {
    throw explainFileError(error, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The living process that has the lock, null when nobody has. */
export function lockHolder(file: string): Holder | null {
  const holder = readHolder(file)
  return holder && beginningOf(holder.pid) === holder.began ? holder : null
}

/**
 * Two processes may find the same lock stale; the slower one must not take away what the faster one has put there
 * meanwhile. So the file is first moved aside, and put back when it turns out to be a living one's.
 */
function removeStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`
  try {
    renameSync(file, aside)
    if (lockHolder(aside)) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function releaseLock(file: string): void {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true })
}

function readHolder(file: string): Holder | null {
  try {
    const { pid, command, began } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? { pid, command: String(command), began: String(began) } : null
  } catch {
    return null
  }
}

/** Tells two processes with one number apart; empty when there is no such process. */
function beginningOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may itself hold brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return ''
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return ''
  }
}
