/**
 * One running PostgreSQL server: started, awaited, stopped; and one that a killed process has left behind, found and
 * stopped. A server never outlives the process that started it by more than its own shutdown.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../cli-error.ts'
import { databaseEnvironment } from './identity.ts'
import type { Place } from './paths.ts'

const FAST_SHUTDOWN_MS = 10_000
const IMMEDIATE_SHUTDOWN_MS = 3_000
const POLL_MS = 20

export type Postmaster = {
  pid: number
  /** Resolves, never rejects, when the server has ended. */
  ended: Promise<void>
  hasEnded: () => boolean
  stop: () => Promise<void>
  kill: () => void
}

// The shell becomes the server (`exec`), so the child's number is the server's. What it leaves behind waits on a channel
// from this process: a line on it means that all is well, its end means that this process was killed, and then the watcher
// asks the server to shut down. The second fork makes the watcher nobody's child: PostgreSQL takes the violent death of a
// child it does not know for a crash of its own, and restarts.
const WATCHED = '( (read -r line <&3 || kill -INT $$) & ) 2>/dev/null; exec "$@" 3<&-'

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have 107 characters at most, and TCP to the own machine is fast enough.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  log_checkpoints: 'off',
  cluster_name: 'kinora',
}

/** For tests only: what is written is lost when the machine stops. */
const fastSettings: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** @param logFd an open file that takes everything the server says */
export function startPostmaster(place: Place, port: number, logFd: number, fast: boolean): Postmaster {
  const given = { ...settings, ...(fast ? fastSettings : {}), port: String(port) }
  const args = ['-D', place.clusterDir, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', path.join(place.programs, 'bin/postgres'), ...args], {
    ...place.identity,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: ['ignore', logFd, logFd, 'pipe'],
    // Ctrl-C goes to every process of the terminal; the database must outlive the server that uses it.
    detached: true,
  })
  return handleOf(child)
}

function handleOf(child: ChildProcess): Postmaster {
  const channel = child.stdio[3]
  channel?.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  ended.then(() => channel instanceof Socket && channel.end('\n'))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  const endsWithin = (ms: number) => Promise.race([ended.then(() => true), wait(ms, false, { ref: false })])
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded,
    kill: () => child.kill('SIGQUIT'),
    stop: async () => {
      if (hasEnded()) return
      child.kill('SIGINT')
      if (await endsWithin(FAST_SHUTDOWN_MS)) return
      child.kill('SIGQUIT')
      if (await endsWithin(IMMEDIATE_SHUTDOWN_MS)) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Stops the server that a killed process has left running on this cluster. The caller holds the cluster's lock, so no
 * living process of ours needs it any more.
 */
export async function stopOrphan(clusterDir: string): Promise<void> {
  const pidFile = path.join(clusterDir, 'postmaster.pid')
  const pid = recordedPid(pidFile)
  if (!pid || !isAlive(pid)) return
  if (!isServerOf(pid, clusterDir)) {
    // The number went to another program since. PostgreSQL would take that one for a living server and refuse to start.
    rmSync(pidFile, { force: true })
    return
  }
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', IMMEDIATE_SHUTDOWN_MS],
  ]
  for (const [signal, limitMs] of steps) {
    trySignal(pid, signal)
    for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
      // Asked by its command: a dead process that nobody has collected yet still counts as alive, but has none.
      if (!isServerOf(pid, clusterDir)) return
      await wait(POLL_MS)
    }
  }
}

function recordedPid(pidFile: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

function isServerOf(pid: number, clusterDir: string): boolean {
  const command = commandOf(pid)
  return command.includes('postgres') && command.includes(clusterDir)
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  return trySignal(pid, 0)
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
