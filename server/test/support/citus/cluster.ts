/**
 * A Citus cluster of a run's own: a coordinator and its nodes, PostgreSQL servers on this machine. A test may kill one
 * of them, which it must not do to the cluster that CITUS_URL names.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { postgresOwner } from '../../../../proofs/failover/cluster.ts'
import { freePort } from '../free-port.ts'

const VERSIONS = '/usr/lib/postgresql'
const START_MAX_MS = 60_000
const POLL_MS = 100

/** One PostgreSQL of the cluster. */
export type Server = {
  /** The name that Citus gives it. */
  address: string
  url: (database: string) => string
  /** SIGKILL to the postmaster; its sessions end when they notice. */
  kill: () => Promise<void>
  /** Starts it, and again until it runs: sessions of a killed postmaster hold its shared memory for a moment. */
  start: () => Promise<void>
}
export type CitusCluster = { coordinator: Server; nodes: Server[]; stop: () => Promise<void> }

/** @returns the folder of the programs of a PostgreSQL (Debian's packages) that has Citus, or null */
export function findCitus(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : []
  return (
    versions
      .sort((a, b) => b - a)
      .filter((version) => existsSync(`/usr/share/postgresql/${version}/extension/citus.control`))
      .map((version) => `${VERSIONS}/${version}/bin`)
      .find((dir) => existsSync(path.join(dir, 'postgres'))) ?? null
  )
}

/** @param binDir of `findCitus` */
export async function startCitus(binDir: string, nodeCount = 2): Promise<CitusCluster> {
  const root = mkdtempSync(path.join(process.env.TEST_CLUSTER_DIR ?? tmpdir(), 'kinora-citus-'))
  const owner = postgresOwner()
  if (owner.uid !== undefined) chownSync(root, owner.uid, owner.gid)
  const processes = new Set<ChildProcess>()
  const stop = async () => {
    const ended = [...processes].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of processes) child.kill('SIGQUIT')
    await Promise.all(ended)
    rmSync(root, { recursive: true, force: true })
  }
  try {
    const names = ['coordinator', ...Array.from({ length: nodeCount }, (_, i) => `node-${i + 1}`)]
    const [coordinator, ...nodes] = await Promise.all(
      names.map(async (name) => openServer(path.join(root, name), binDir, owner, await freePort(), processes)),
    )
    await join(coordinator as Server, nodes, 'postgres')
    return { coordinator: coordinator as Server, nodes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes the coordinator know its nodes, in this database of each of them. */
export async function join(coordinator: Server, nodes: Server[], database: string): Promise<void> {
  for (const { url } of [coordinator, ...nodes]) {
    await run(url(database), 'create extension citus')
  }
  await run(coordinator.url(database), `select citus_set_coordinator_host(${hostAndPort(coordinator)})`)
  for (const node of nodes) await run(coordinator.url(database), `select citus_add_node(${hostAndPort(node)})`)
}

const hostAndPort = ({ address }: Server): string => address.replace(/^(.*):(\d+)$/, "'$1', $2")

async function openServer(
  dir: string,
  binDir: string,
  owner: ReturnType<typeof postgresOwner>,
  port: number,
  processes: Set<ChildProcess>,
): Promise<Server> {
  mkdirSync(dir, { mode: 0o700 })
  if (owner.uid !== undefined) chownSync(dir, owner.uid, owner.gid)
  const data = path.join(dir, 'data')
  const options = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C']
  execFileSync(path.join(binDir, 'initdb'), [...options, '--no-sync'], { stdio: 'ignore', cwd: dir, ...owner })
  appendFileSync(path.join(data, 'postgresql.conf'), settings(port, dir))
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const log = openSync(path.join(dir, 'log'), 'a')
  let child: ChildProcess | null = null
  const start = async () => {
    const endMs = Date.now() + START_MAX_MS
    while (!(await isUp(url('postgres')))) {
      if (Date.now() > endMs) throw new Error(`PostgreSQL did not start: see ${path.join(dir, 'log')}`)
      if (child === null) {
        const started = spawn(path.join(binDir, 'postgres'), ['-D', data], {
          stdio: ['ignore', log, log],
          cwd: dir,
          // libpq looks for certificates at home: that of another user stops it.
          env: { ...process.env, HOME: dir },
          ...owner,
        })
        child = started
        processes.add(started)
        started.once('exit', () => {
          processes.delete(started)
          if (child === started) child = null
        })
      }
      await sleep(POLL_MS)
    }
  }
  await start()
  return {
    address: `127.0.0.1:${port}`,
    url,
    start,
    kill: async () => {
      const killed = child
      if (killed === null) return
      const ended = new Promise((resolve) => killed.once('exit', resolve))
      killed.kill('SIGKILL')
      await ended
    },
  }
}

/** Logical replication moves shards while they are in use; prepared transactions commit on several nodes. */
const settings = (port: number, dir: string): string => `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${dir}'
max_connections = 300
max_prepared_transactions = 300
wal_level = logical
shared_buffers = 64MB
# A killed process loses nothing that the operating system has; the machine is not killed.
fsync = off
citus.enable_statistics_collection = off
`

async function isUp(url: string): Promise<boolean> {
  return await run(url, 'select 1').then(
    () => true,
    () => false,
  )
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
