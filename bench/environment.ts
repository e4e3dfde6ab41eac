/**
 * The environment of a benchmark: a PostgreSQL with durable commits in a temporary folder, and server processes with
 * production settings. Everything started here is stopped here.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type postgres from 'postgres'
import { freePort } from '../cli/src/ports.ts'

export type BenchEnvironment = {
  databaseUrl: string
  /** The environment variables of every server process, without ports. */
  env: NodeJS.ProcessEnv
  /** CPU time of PostgreSQL's processes so far in µs; 0 where /proc is missing. */
  databaseCpuUs: () => number
  /** PostgreSQL's processes now. */
  databasePids: () => number[]
  close: () => Promise<void>
}

/** What a measurement gets: `sql` is a connection to the database of the environment, `films` what `million` writes. */
export type Bench = { environment: BenchEnvironment; sql: postgres.Sql; seconds: number; runs: number; films: number }

export type Server = {
  port: number
  pid: number
  /** CPU time so far in µs, from the server's /metrics. */
  cpuUs: () => Promise<number>
  stop: () => Promise<void>
}

export type Worker = Pick<Server, 'pid' | 'stop'>

const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const children = new Set<ChildProcess>()

/** A signal to the benchmark stops its servers; a server that ends makes the benchmark fail. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exitCode = 1
  })
}

export async function openEnvironment(): Promise<BenchEnvironment> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kinora-bench-'))
  // When root runs the benchmark, PostgreSQL runs as another user, who needs to traverse the folder.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const database = start([fileOf('cli/src/main.ts'), 'postgres', '--data-dir', dataDir], process.env, 'pipe')
  const close = async () => {
    await stop(database)
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const lines = createInterface({ input: database.stdout ?? process.stdin })
    const [line] = await Promise.race([once(lines, 'line'), failWhenEnded(database, 'PostgreSQL')])
    const { url: databaseUrl, clusterDir } = JSON.parse(line) as { url: string; clusterDir: string }
    const postmaster = Number(readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    const databaseCpuUs = () => treeUsOf(postmaster)
    const databasePids = () => [postmaster, ...childrenOf(postmaster)]
    const env = serverEnvironment(dataDir, databaseUrl)
    await promisify(execFile)(process.execPath, [fileOf('server/main.mjs'), 'migrate'], { env })
    return { databaseUrl, env, databaseCpuUs, databasePids, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts `kinora api`; resolves when it is ready for requests. */
export async function startServer({ env }: BenchEnvironment, more: NodeJS.ProcessEnv = {}): Promise<Server> {
  const port = await freePort(null)
  const metricsPort = await freePort(port + 1)
  const args = [...nodeOptions(), fileOf('server/main.mjs'), 'api']
  const settings = { ...env, ...more, PORT: String(port), METRICS_PORT: String(metricsPort), HOST: '127.0.0.1' }
  const child = start(args, settings, 'inherit')
  await Promise.race([once(child, 'message'), failWhenEnded(child, 'kinora api')])
  return {
    port,
    pid: child.pid ?? 0,
    cpuUs: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6
    },
    stop: () => stop(child),
  }
}

/** Starts `kinora worker`; resolves when it is at work. */
export async function startWorker({ env }: BenchEnvironment, more: NodeJS.ProcessEnv = {}): Promise<Worker> {
  const child = start([...nodeOptions(), fileOf('server/main.mjs'), 'worker'], { ...env, ...more }, 'inherit')
  await Promise.race([once(child, 'message'), failWhenEnded(child, 'kinora worker')])
  return { pid: child.pid ?? 0, stop: () => stop(child) }
}

/** Runs a file of this folder as a child process, sends it one message and returns its one message. */
export async function runInProcess<In extends object, Out>(file: string, message: In, env = process.env): Promise<Out> {
  const child = start([...nodeOptions(), fileOf(`bench/${file}`)], env, 'inherit')
  const reply = Promise.race([once(child, 'message'), failWhenEnded(child, file)])
  child.send(message)
  const [result] = await reply
  child.disconnect()
  if (child.exitCode === null) await once(child, 'exit')
  return result
}

/** The share of the machine's CPUs that other programs use, 0 to 1, measured for a second. */
export async function cpuUsage(): Promise<number> {
  const read = () => {
    const all = cpus().flatMap(({ times }) => Object.entries(times))
    return { idle: sum(all.filter(([name]) => name === 'idle')), total: sum(all) }
  }
  const before = read()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const after = read()
  return 1 - (after.idle - before.idle) / (after.total - before.total)
}

const sum = (times: [string, number][]): number => times.reduce((total, [, ms]) => total + ms, 0)

/** CPU time of a process so far in µs, to 10 ms; 0 of one that has ended. */
export function cpuUsOf(pid: number): number {
  const [user, system] = readStat(pid)?.slice(13, 15) ?? []
  return (Number(user ?? 0) + Number(system ?? 0)) * 10_000
}

/** CPU time of a process and all that it has started, in µs, to 10 ms; what has ended counts when it was waited for. */
export function treeUsOf(pid: number): number {
  const [user, system] = readStat(pid)?.slice(15, 17) ?? []
  const ended = (Number(user ?? 0) + Number(system ?? 0)) * 10_000
  return childrenOf(pid).reduce((sum, child) => sum + treeUsOf(child), cpuUsOf(pid) + ended)
}

/** The most memory that one of a process's descendants has had, of those that run now, in bytes. */
export const peakBytesOf = (pid: number): number =>
  Math.max(0, ...childrenOf(pid).flatMap((child) => [peakBytesOfOne(child), peakBytesOf(child)]))

function peakBytesOfOne(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function readStat(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/, '()')
      .split(' ')
  } catch {
    return null
  }
}

/** The resident set size of a process in bytes. */
export function memoryBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

function serverEnvironment(dataDir: string, databaseUrl: string): NodeJS.ProcessEnv {
  const secret = (name: string) => `${name} of the bench, which guards nothing`
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: secret('AUTH_SECRET'),
    AI_CALLBACK_SECRET: secret('AI_CALLBACK_SECRET'),
    PROVIDER_A_URL: 'http://127.0.0.1:9',
    PROVIDER_A_API_KEY: 'none',
    PROVIDER_B_URL: 'http://127.0.0.1:9',
    PROVIDER_B_API_KEY: 'none',
    // No worker finishes the videos of the load, so a limit of videos in progress would refuse requests.
    MAX_IN_PROGRESS: '0',
    DATABASE_CONNECTIONS: process.env.DATABASE_CONNECTIONS,
    WORKER_CONCURRENCY: process.env.WORKER_CONCURRENCY,
  }
}

/** Example: `BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/prof"` profiles every Node process. */
const nodeOptions = (): string[] => process.env.BENCH_NODE_OPTIONS?.split(' ').filter(Boolean) ?? []

function start(args: string[], env: NodeJS.ProcessEnv, stdout: 'pipe' | 'inherit'): ChildProcess {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', stdout, 'inherit', 'ipc'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function failWhenEnded(child: ChildProcess, name: string): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${name} ended with ${code ?? signal} before it was done`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
