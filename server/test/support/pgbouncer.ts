/**
 * A real pgbouncer in transaction mode in front of the PostgreSQL of the tests. It takes every database name, and uses
 * one role for all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

const DIRS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const START_MAX_MS = 20_000
/** Fewer than the connections of one process, so that transactions of several share each session. */
const SESSIONS = 6

export type Pgbouncer = {
  port: number
  /** The same database through the pooler. */
  through: (databaseUrl: string) => string
  stop: () => Promise<void>
}

/** @returns the program, or null where it is not installed */
export function findPgbouncer(): string | null {
  const own = process.env.PGBOUNCER?.trim()
  return own || (DIRS.map((dir) => path.join(dir, 'pgbouncer')).find(existsSync) ?? null)
}

/** The pooler in front of the run's PostgreSQL, which `npm run test:pooler` has started; null in every other run. */
export function poolerOfRun(): Pick<Pgbouncer, 'through'> | null {
  const port = process.env.TEST_POOLER_PORT
  return port ? { through: (databaseUrl) => throughPort(databaseUrl, port) } : null
}

/** @param serverUrl of PostgreSQL, with the role that the sessions use */
export async function startPgbouncer(program: string, serverUrl: string): Promise<Pgbouncer> {
  const server = new URL(serverUrl)
  const port = await freePort()
  const dir = mkdtempSync(path.join(tmpdir(), 'kinora-pgbouncer-'))
  const file = path.join(dir, 'pgbouncer.ini')
  writeFileSync(file, settings(server, port), { mode: 0o600 })
  const owner = unprivileged()
  if (owner.uid !== undefined) for (const each of [dir, file]) chownSync(each, owner.uid, owner.gid)
  const child = spawn(program, ['--quiet', file], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...owner })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-4000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    await ended
    clearTimeout(timer)
    rmSync(dir, { recursive: true, force: true })
  }
  await ready(child, port).catch(async (error: Error) => {
    await stop()
    throw new Error(`${error.message}: ${log}`)
  })
  return { port, through: (databaseUrl) => throughPort(databaseUrl, `${port}`), stop }
}

function throughPort(databaseUrl: string, port: string): string {
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return url.href
}

/** pgbouncer refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | { uid?: never; gid?: never } {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  if (!line) throw new Error('There is no user nobody, and pgbouncer does not run as root.')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

const settings = ({ hostname, port, username, password }: URL, ownPort: number): string => `
[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 2000
max_db_connections = 0
server_idle_timeout = 5
query_wait_timeout = 5
server_login_retry = 0.1
`

async function ready(child: ChildProcess, port: number): Promise<void> {
  const endMs = Date.now() + START_MAX_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error('pgbouncer ended at its start')
    if (Date.now() > endMs) throw new Error('pgbouncer does not listen')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
