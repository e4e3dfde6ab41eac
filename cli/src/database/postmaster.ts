/**
 * Starts and stops a PostgreSQL server, and stops an orphaned one that a killed process has left behind. A watchdog
 * shuts the server down when the process that started it dies.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../cli-error.ts'
import { databaseEnvironment } from './identity.ts'
import type { ClusterPaths } from './paths.ts'

const FAST_SHUTDOWN_MS = 10_000
const IMMEDIATE_SHUTDOWN_MS = 3_000
const POLL_MS = 20

export type Postmaster = {
  pid: number
  /** Resolves when the server process has ended; never rejects. */
  ended: Promise<void>
  hasEnded: () => boolean
  stop: () => Promise<void>
  kill: () => void
}

// The shell execs the server, so the child's pid is the server's. The watchdog, a background subshell, reads a pipe
// from this process (fd 3): a line means an orderly end, end-of-file means that this process was killed, and then the
// watchdog sends the server SIGINT (fast shutdown). The double fork reparents the watchdog to init: PostgreSQL treats
// the violent death of an unknown child as a crash of its own and restarts.
const START_WITH_WATCHDOG = '( (read -r line <&3 || kill -INT $$) & ) 2>/dev/null; exec "$@" 3<&-'

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // No Unix socket: its path is limited to 107 characters, and TCP over loopback is fast enough.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  // The statements are short: compiling them costs more than it saves.
  jit: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // A process less: nothing subscribes here.
  max_logical_replication_workers: '0',
  log_checkpoints: 'off',
  cluster_name: 'kinora',
}

/** Settings for tests only: a crash of the machine loses committed data. */
const fastSettings: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** @param logFd open file descriptor for the server's stdout and stderr */
export function startPostmaster(paths: ClusterPaths, port: number, logFd: number, fast: boolean): Postmaster {
  const options = { ...settings, ...(fast ? fastSettings : {}), port: String(port) }
  const args = [
    '-D',
    paths.clusterDir,
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const child = spawn(
    '/bin/sh',
    ['-c', START_WITH_WATCHDOG, 'sh', path.join(paths.programsDir, 'bin/postgres'), ...args],
    {
      ...paths.identity,
      cwd: '/',
      env: databaseEnvironment(),
      stdio: ['ignore', logFd, logFd, 'pipe'],
      // It has a process group of its own: Ctrl-C in the terminal must not stop the database before the server that
      // uses it.
      detached: true,
    },
  )
  return postmasterOf(child)
}

function postmasterOf(child: ChildProcess): Postmaster {
  const channel = child.stdio[3]
  channel?.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  ended.then(() => channel instanceof Socket && channel.end('\n'))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  const endsWithin = (ms: number) => Promise.race([ended.then(() => true), sleep(ms, false, { ref: false })])
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
 * Stops the orphaned server that a killed process has left running on this cluster. The caller holds the cluster's
 * lock, so no other process of Kinora uses the server.
 */
export async function stopOrphan(clusterDir: string): Promise<void> {
  const pidFile = path.join(clusterDir, 'postmaster.pid')
  const pid = recordedPid(pidFile)
  if (!pid || !isAlive(pid)) return
  if (!isServerOf(pid, clusterDir)) {
    // The pid was reused by another program, which PostgreSQL would take for a running server and refuse to start.
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
      // Checked by the command line: a zombie process still counts as alive, but has no command line.
      if (!isServerOf(pid, clusterDir)) return
      await sleep(POLL_MS)
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
    return errorCode(error) === 'EPERM'
  }
}
