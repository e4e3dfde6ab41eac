/**
 * The processor time of a process and its descendants, and of those descendants that have ended and were waited for.
 * Zero without /proc.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readText } from './files.mjs'

/** USER_HZ is 100 on every architecture that Node runs on. */
const TICK_MS = 10

export function processorTimeMs(root) {
  const processes = existsSync('/proc/self/stat') ? readdirSync('/proc').filter(Number).map(readStat) : []
  const timeOf = (pid) =>
    processes
      .filter((each) => each.parent === pid)
      .reduce((sum, child) => sum + timeOf(child.pid), processes.find((each) => each.pid === pid)?.timeMs ?? 0)
  return timeOf(root)
}

function readStat(pid) {
  // The name, in parentheses, may contain spaces.
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1).split(' ').map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
  return { pid: Number(pid), parent: fields[1], timeMs: (ticks || 0) * TICK_MS }
}
