/**
 * What the measurements run on, all of it started here and ended here: a PostgreSQL with durable commits in a temporary
 * folder, and the server in processes of its own with the settings of production.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { run } from './command.ts'

export type Place = {
  databaseUrl: string
  /** The settings of every server process, without a port. */
  env: NodeJS.ProcessEnv
  close: () => Promise<void>
}

export type Server = {
  port: number
  pid: number
  /** Processor time so far in µs, as its own /metrics tells. */
  cpuUs: () => Promise<number>
  stop: () => Promise<void>
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const children = new Set<ChildProcess>()

/** A server that dies takes the whole run with it, and so does a run that is told to end take its servers. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exitCode = 1
  })
}

export async function openPlace(): Promise<Place> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kinora-bench-'))
  // As root, PostgreSQL runs as another user, who has to pass through.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const database = start([fileOf('cli/src/main.ts'), 'postgres', '--data-dir', dataDir], process.env, 'pipe')
  const close = async () => {
    await end(database)
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const lines = createInterface({ input: database.stdout ?? process.stdin })
    const [line] = await Promise.race([once(lines, 'line'), died(database, 'PostgreSQL')])
    const databaseUrl: string = JSON.parse(line).url
    const env = environment(dataDir, databaseUrl)
    await run(process.execPath, [fileOf('server/src/main.ts'), 'migrate'], env)
    return { databaseUrl, env, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** `kinora api` or `kinora all` in a process of its own, ready for requests. */
export async function startServer(
  { env }: Place,
  command: 'api' | 'all',
  more: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const port = await freePort()
  const metricsPort = await freePort()
  const args = [...nodeOptions(), fileOf('server/src/main.ts'), command]
  const settings = { ...env, ...more, PORT: String(port), METRICS_PORT: String(metricsPort), HOST: '127.0.0.1' }
  const child = start(args, settings, 'inherit')
  await Promise.race([once(child, 'message'), died(child, `kinora ${command}`)])
  return {
    port,
    pid: child.pid ?? 0,
    cpuUs: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6
    },
    stop: () => end(child),
  }
}

/** Runs another file of this folder in a process of its own, hands it one message, and answers its one message. */
export async function inProcess<In extends object, Out>(file: string, message: In, env = process.env): Promise<Out> {
  const child = start([...nodeOptions(), fileOf(`bench/${file}`)], env, 'inherit')
  const answer = Promise.race([once(child, 'message'), died(child, file)])
  child.send(message)
  const [result] = await answer
  child.disconnect()
  if (child.exitCode === null) await once(child, 'exit')
  return result
}

/** Both providers in one, since neither minds the other's fields: takes every task at once and is never done with it. */
export async function startBusyProvider(): Promise<{ url: string; close: () => void }> {
  let tasks = 0
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    const id = `task-${tasks++}`
    response.end(
      JSON.stringify({
        id,
        status: 'processing',
        code: 200,
        msg: 'success',
        data: { taskId: id, state: 'generating' },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** How much of the machine's processors is in use during a second in which this process does nothing, 0..1. */
export async function processorsInUse(): Promise<number> {
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

/** Resident memory of a process in bytes, as the operating system counts it. */
export function memoryBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

function environment(dataDir: string, databaseUrl: string): NodeJS.ProcessEnv {
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
    // No worker finishes what the load begins, so a cap on videos in progress would end it.
    MAX_IN_PROGRESS: '0',
    DATABASE_CONNECTIONS: process.env.DATABASE_CONNECTIONS,
    WORKER_CONCURRENCY: process.env.WORKER_CONCURRENCY,
  }
}

/** `BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/prof"` shows where the time of every Node process goes. */
const nodeOptions = (): string[] => process.env.BENCH_NODE_OPTIONS?.split(' ').filter(Boolean) ?? []

function start(args: string[], env: NodeJS.ProcessEnv, stdout: 'pipe' | 'inherit'): ChildProcess {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', stdout, 'inherit', 'ipc'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function died(child: ChildProcess, name: string): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${name} ended with ${code ?? signal} before its work was done`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
