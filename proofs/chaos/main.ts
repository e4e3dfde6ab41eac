/**
 * `npm run chaos -- --minutes M --seed N`: two API processes, three workers, PostgreSQL and the simulator as real
 * processes under load, while they are killed, stopped and cut off at random. At the end nothing that was acknowledged
 * may be missing. The counts go to docs/reliability.md. See README.md in this folder.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { migrate } from '../../server/src/db/database.ts'
import { accounts } from '../../server/src/provider/accounts.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { startSimulator } from '../../server/test/support/simulator.ts'
import { openRandom } from '../simulation/random.ts'
import { keepRunning, openPostgres, startServer } from './cluster.ts'
import { environment } from './environment.ts'
import { checkInvariants } from './invariants.ts'
import { startLoad } from './load.ts'
import { report } from './report.ts'
import { openProofFolder, runProof } from './run-proof.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { createTeam, createUsers } from './users.ts'

const USERS = 12
const MEMBERS = 4
const API_PROCESSES = 2
const WORKERS = 3
/** A lease lasts a minute. */
const PAUSE_MS = 75_000
/** Film and thumbnail take 0.3 MB on average, and all of a run stay: 64 MB were full after 232 films in two minutes. */
const DISK_MB_PER_MINUTE = 128
const DISK_FULL_MS = 8_000
const FILLER_BYTES = 8 * 1024 ** 2
/** The least free space: below it the run has filled the disk by itself, not by a fault. */
const FREE_SHARE_MIN = 0.05
const DRAIN_MAX_MS = 10 * 60_000
const LAST_SUBMITS_MS = 15_000

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, pause: { type: 'string' } },
})
const minutes = Number(values.minutes ?? 30)
const diskMb = Math.ceil(DISK_MB_PER_MINUTE * Math.max(2, minutes))
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const random = openRandom(seed)
const counts: Record<string, number> = {}
const note = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}`)
}

await runProof(run)

async function run(stack: AsyncDisposableStack): Promise<boolean> {
  const root = openProofFolder('chaos')
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const dataDir = path.join(root, 'data')
  mkdirSync(dataDir, { recursive: true })
  const disk = openDisk(dataDir)
  stack.defer(disk.close)
  const cluster = await openCluster(root, dataDir, stack)
  const { apis, workers, proxies, simulator, openDirect } = cluster
  const setUp = await openDirect()
  const users = await createUsers(setUp, USERS)
  const [owner, ...others] = users
  const team = owner ? await createTeam(setUp, owner, others.slice(0, MEMBERS)) : null
  await setUp.close()
  const api = () => `http://127.0.0.1:${random.pick(cluster.ports)}`
  const load = startLoad(api, users, Number(values.pause ?? 1500), team)
  console.log(
    `chaos for ${minutes} minutes, seed ${seed}: ${API_PROCESSES} API processes, ${WORKERS} workers, ${USERS} users; ` +
      (disk.isMounted
        ? 'storage on a small tmpfs'
        : 'no permission to mount: a full disk is a storage folder that is moved away'),
  )
  await inject(faultsOf(cluster, disk))

  console.log('the faults end')
  for (const proxy of Object.values(proxies)) Object.assign(proxy, { isCut: false, delayMs: 0 })
  for (const { kill } of [...apis, ...workers]) kill('SIGCONT')
  await load.stop()
  // A submit that returns the film, and hangs, would last until its deadline.
  await sleep(LAST_SUBMITS_MS)
  proxies.provider.cut()
  proxies.provider.isCut = false
  const direct = await openDirect()
  const { problems, facts } = await checkInvariants(direct, { load, users, team, simulator, drainMaxMs: DRAIN_MAX_MS })
  if (disk.isMounted && freeShare(dataDir) < FREE_SHARE_MIN)
    problems.push(`the run has filled its storage of ${diskMb} MB by itself: it is too small for ${minutes} minutes`)
  await direct.close()

  const table = Object.entries(counts).map(([name, count]) => `| ${name} | ${count} |`)
  const lines = [
    `${minutes} minutes, seed ${seed}: ${API_PROCESSES} API processes, ${WORKERS} workers, PostgreSQL and the simulator as processes; ` +
      (disk.isMounted ? `storage on a tmpfs of ${diskMb} MB.` : 'a full disk was a storage folder that is moved away.'),
    '',
    '| Fault | Times |',
    '| --- | --- |',
    ...table,
  ]
  return report('chaos', lines, { facts, problems })
}

/** Starts PostgreSQL, the simulator, the API processes and the workers, with proxies on the ways between them. */
async function openCluster(root: string, dataDir: string, stack: AsyncDisposableStack) {
  const postgres = openPostgres(path.join(root, 'database'))
  stack.defer(postgres.stop)
  await postgres.ready
  const databaseProxy = stack.adopt(await openTcpProxy(postgres.port), ({ close }) => close())
  const ports = await Promise.all(Array.from({ length: API_PROCESSES }, freePort))
  let connections = 0
  const callbackProxy = stack.adopt(
    await openTcpProxy(() => ports[connections++ % ports.length] ?? null),
    ({ close }) => close(),
  )
  // Links to films lead through the proxy too, so its port is known before the simulator's.
  let simulatorPort: number | null = null
  const providerProxy = stack.adopt(await openTcpProxy(() => simulatorPort), ({ close }) => close())
  const providerUrl = `http://127.0.0.1:${providerProxy.port}`
  const simulator = await startSimulator({ pace: 0.3, env: { SIMULATOR_PUBLIC_URL: providerUrl } })
  stack.defer(simulator.stop)
  simulatorPort = Number(new URL(simulator.url).port)

  const throughProxy = (url: string) => {
    const changed = new URL(url)
    changed.hostname = '127.0.0.1'
    changed.port = String(databaseProxy.port)
    return changed.href
  }
  const publicUrl = `http://127.0.0.1:${callbackProxy.port}`
  const env = environment({ root, dataDir, publicUrl, providerUrl, databaseUrl: throughProxy(postgres.url()) })
  await migrate(postgres.url())
  const start = (command: 'api' | 'worker', port: number) => () =>
    startServer(command, { ...env, DATABASE_URL: throughProxy(postgres.url()), PORT: `${port}` })
  const apis = ports.map((port, n) => keepRunning(`API ${n + 1}`, start('api', port)))
  const workers = Array.from({ length: WORKERS }, (_, n) => keepRunning(`worker ${n + 1}`, start('worker', 0)))
  for (const { stop } of [...apis, ...workers]) stack.defer(stop)
  await Promise.all([...apis, ...workers].map(({ ready }) => ready))

  /** Opens the app of the set-up and the invariant check, without a proxy. */
  const openDirect = () =>
    openApp(readConfig({ ...env, DATABASE_URL: postgres.url() }, accounts()), pino({ level: 'silent' }))
  const proxies = { database: databaseProxy, provider: providerProxy, callback: callbackProxy }
  return { apis, workers, postgres, ports, proxies, simulator, openDirect }
}

/** The faults by their names in the report; the one named "again" is twice as probable. */
function faultsOf(
  { apis, workers, postgres, proxies }: Awaited<ReturnType<typeof openCluster>>,
  disk: Disk,
): Record<string, () => Promise<void>> {
  return {
    'kill -9 of an API process': async () => random.pick(apis).kill('SIGKILL'),
    'kill -9 of a worker': async () => random.pick(workers).kill('SIGKILL'),
    'kill -9 of a worker, again': async () => random.pick(workers).kill('SIGKILL'),
    'SIGTERM to a worker': async () => random.pick(workers).kill('SIGTERM'),
    'kill -9 of PostgreSQL': async () => postgres.killServer(),
    'a worker is stopped past its lease': async () => {
      const worker = random.pick(workers)
      worker.kill('SIGSTOP')
      void sleep(PAUSE_MS).then(() => worker.kill('SIGCONT'))
    },
    'an API process is stopped for 10 s': async () => {
      const api = random.pick(apis)
      api.kill('SIGSTOP')
      void sleep(10_000).then(() => api.kill('SIGCONT'))
    },
    'the network to PostgreSQL is cut': () => cutFor(proxies.database, random.between(200, 6_000)),
    'the network to PostgreSQL is slow': () => slowFor(proxies.database, random.between(20, 250)),
    'the network to the providers is cut': () => cutFor(proxies.provider, random.between(500, 15_000)),
    'the network to the providers is slow': () => slowFor(proxies.provider, random.between(100, 2_000)),
    'callbacks and webhooks are cut off': () => cutFor(proxies.callback, random.between(500, 15_000)),
    'the disk is full': disk.fill,
  }
}

/** Injects each fault once, in a random sequence, then any, until the time of the run is over. */
async function inject(faults: Record<string, () => Promise<void>>): Promise<void> {
  const names = Object.keys(faults)
  const endMs = Date.now() + minutes * 60_000
  const first = names.map((name) => ({ name, at: random.next() })).sort((a, b) => a.at - b.at)
  while (Date.now() < endMs) {
    const name = first.shift()?.name ?? random.pick(names)
    note(name.replace(', again', ''))
    await faults[name]?.().catch((error: unknown) => console.log(`  ${(error as Error).message}`))
    await sleep(random.between(500, 5_000))
  }
}

type Disk = { isMounted: boolean; fill: () => Promise<void>; close: () => void }

/** Gives the folder a size of its own, so that it can be filled. Without mounting a full disk is a moved folder. */
function openDisk(dataDir: string): Disk {
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', dataDir], { stdio: 'ignore' }).status === 0
  const fill = async () => {
    const filler = path.join(dataDir, 'filler')
    fillDisk(filler)
    await sleep(DISK_FULL_MS)
    rmSync(filler, { force: true })
  }
  const moveAway = async () => {
    renameSync(path.join(dataDir, 'files'), path.join(dataDir, 'files-away'))
    await sleep(DISK_FULL_MS)
    rmSync(path.join(dataDir, 'files'), { recursive: true, force: true })
    renameSync(path.join(dataDir, 'files-away'), path.join(dataDir, 'files'))
  }
  return {
    isMounted,
    fill: isMounted ? fill : moveAway,
    close: () => {
      if (isMounted) spawnSync('umount', [dataDir])
    },
  }
}

async function cutFor(proxy: TcpProxy, ms: number) {
  proxy.cut()
  await sleep(ms)
  proxy.isCut = false
}
async function slowFor(proxy: TcpProxy, delayMs: number) {
  proxy.delayMs = delayMs
  await sleep(15_000)
  proxy.delayMs = 0
}

/** Writes until there is no room, though others write and remove meanwhile. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w')
  const bytes = Buffer.alloc(FILLER_BYTES)
  try {
    for (;;) writeSync(handle, bytes)
  } catch {
    // The disk is full.
  } finally {
    closeSync(handle)
  }
}

function freeShare(dir: string): number {
  const { bavail, blocks } = statfsSync(dir)
  return bavail / blocks
}
