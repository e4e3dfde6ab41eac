/**
 * What it costs to serve a film from a folder: the whole file, and ranges of 64 KiB as a player that seeks asks for.
 * Beside it nginx by itself and, where it is installed, nginx in front of the API with deploy/nginx.conf's hand-off.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { freePort } from '../cli/src/ports.ts'
import { signLink } from '../server/src/storage/link.ts'
import { type Bench, type BenchEnvironment, cpuUsOf, startServer } from './environment.ts'
import { type Line, median } from './table.ts'
import { userIdOf, videoIdOf } from './users.ts'

const FILM_BYTES = 256 * 1024 ** 2
const RANGE_BYTES = 64 * 1024
const RANGES = 4_000
const WHOLE = 8
const CONNECTIONS = 8
const GB_LIMIT_S = 1.5
const RANGE_LIMIT_US = 250
const PROXY_RATIO = 1.5
const NGINX = '/usr/sbin/nginx'
const KEY = `video/${userIdOf(1)}/${videoIdOf(1)}.bench.mp4`

/** Processor time: `gb` in s a GB, `range` in µs a range. */
type Costs = { gb: number; range: number }

export async function files({ environment, sql, runs }: Bench): Promise<Line[]> {
  const { dataDir, link } = await storeFilm(environment)
  await sql`update kinora.video set video_key = ${KEY} where user_id = ${userIdOf(1)} and id = ${videoIdOf(1)}`
  const settings = { FILES_BY_PROXY: 'on', TRUST_PROXY: 'on' }
  const results: { direct: Costs; nginx: Costs | null; handedOff: Costs | null }[] = []
  for (let i = 0; i < runs; i += 1) {
    const api = await startServer(environment)
    const direct = await costsOf(link(api.port), async () => (await api.cpuUs()) + environment.databaseCpuUs())
    await api.stop()
    if (!existsSync(NGINX)) {
      results.push({ direct, nginx: null, handedOff: null })
      continue
    }
    const behind = await startServer(environment, settings)
    const proxy = await startNginx(environment, dataDir, behind.port)
    const nginx = await costsOf(new URL(`http://127.0.0.1:${proxy.port}/plain/${KEY}`), async () => proxy.cpuUs())
    const handedOff = await costsOf(
      link(proxy.port),
      async () => (await behind.cpuUs()) + environment.databaseCpuUs() + proxy.cpuUs(),
    )
    await proxy.stop()
    await behind.stop()
    results.push({ direct, nginx, handedOff })
  }
  await sql`update kinora.video set video_key = null where user_id = ${userIdOf(1)} and id = ${videoIdOf(1)}`
  return linesOf(results)
}

const linesOf = (results: { direct: Costs; nginx: Costs | null; handedOff: Costs | null }[]): Line[] => {
  const valuesOf = (who: 'direct' | 'nginx' | 'handedOff', what: keyof Costs) =>
    results.flatMap((result) => result[who]?.[what] ?? [])
  const ratioOf = (what: keyof Costs) =>
    Math.max(...results.map(({ nginx, handedOff }) => (handedOff?.[what] ?? 0) / (nginx?.[what] ?? 1)))
  const lines: Line[] = [
    {
      what: 'API and PostgreSQL, a GB',
      unit: 'ms',
      runs: valuesOf('direct', 'gb').map((s) => s * 1000),
      limit: GB_LIMIT_S * 1000,
      figures: { gbDirectUs: median(valuesOf('direct', 'gb')) * 1e6 },
    },
    {
      what: 'API and PostgreSQL, a range of 64 KiB',
      unit: 'µs',
      runs: valuesOf('direct', 'range'),
      limit: RANGE_LIMIT_US,
    },
  ]
  if (results.every(({ nginx }) => nginx === null)) return lines
  return [
    ...lines,
    { what: 'nginx by itself, a GB', unit: 'ms', runs: valuesOf('nginx', 'gb').map((s) => s * 1000) },
    {
      what: 'nginx, API and PostgreSQL, a GB handed off',
      unit: 'ms',
      runs: valuesOf('handedOff', 'gb').map((s) => s * 1000),
      figures: { gbByProxyUs: median(valuesOf('handedOff', 'gb')) * 1e6 },
      note: `${ratioOf('gb').toFixed(2)} × nginx by itself at the most; the goal is ${PROXY_RATIO}.`,
    },
    { what: 'nginx by itself, a range of 64 KiB', unit: 'µs', runs: valuesOf('nginx', 'range') },
    { what: 'nginx, API and PostgreSQL, a range handed off', unit: 'µs', runs: valuesOf('handedOff', 'range') },
  ]
}

async function storeFilm({ env }: BenchEnvironment): Promise<{ dataDir: string; link: (port: number) => URL }> {
  const dataDir = env.DATA_DIR ?? ''
  const file = path.join(dataDir, 'files', KEY)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, Buffer.alloc(FILM_BYTES, 'film'))
  const authSecret = env.AUTH_SECRET ?? ''
  const link = (port: number) =>
    new URL(signLink({ publicUrl: `http://127.0.0.1:${port}`, authSecret }, KEY, { nowMs: Date.now(), ttlS: 3600 }))
  return { dataDir, link }
}

async function costsOf(url: URL, cpuUs: () => Promise<number>): Promise<Costs> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  await load(agent, url, 50, true)
  const startUs = await cpuUs()
  await load(agent, url, RANGES, true)
  const betweenUs = await cpuUs()
  await load(agent, url, WHOLE, false)
  const endUs = await cpuUs()
  agent.destroy()
  return {
    range: (betweenUs - startUs) / RANGES,
    gb: (endUs - betweenUs) / 1e6 / ((WHOLE * FILM_BYTES) / 1e9),
  }
}

async function load(agent: http.Agent, url: URL, requests: number, ofRanges: boolean): Promise<void> {
  let sent = 0
  const connection = async () => {
    while (sent < requests) {
      sent += 1
      const from = (sent * 7919 * RANGE_BYTES) % (FILM_BYTES - RANGE_BYTES)
      const headers = ofRanges ? { range: `bytes=${from}-${from + RANGE_BYTES - 1}` } : {}
      await new Promise<void>((resolve, reject) => {
        const request = http.get(url, { agent, headers }, (response) => {
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
          })
          response.once('end', () => {
            if (bytes === (ofRanges ? RANGE_BYTES : FILM_BYTES)) resolve()
            else reject(new Error(`${url.pathname}: ${response.statusCode}, ${bytes} bytes`))
          })
        })
        request.once('error', reject)
      })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

async function startNginx({ env }: BenchEnvironment, dataDir: string, apiPort: number) {
  const port = await freePort(null)
  const folder = path.join(env.DATA_DIR ?? '', 'nginx')
  mkdirSync(folder, { recursive: true })
  chmodSync(dataDir, 0o711)
  const site = readFileSync(path.resolve(import.meta.dirname, '../deploy/nginx.conf'), 'utf8')
    .replaceAll('/var/lib/kinora', dataDir)
    .replace('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
    .replace(/ *server 127\.0\.0\.1:8081.*\n/, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort(port + 1)};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};\n    location /plain/ { alias ${dataDir}/files/; }`)
    .replace(/^ *(listen \[|ssl_).*\n/gm, '')
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `user root; worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr crit; events {}\n` +
      `http { access_log off; sendfile on; ${site} }`,
  )
  const child = spawn(NGINX, ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (isUp) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const workers = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  return {
    port,
    cpuUs: () => workers().reduce((sum, pid) => sum + cpuUsOf(Number(pid)), 0),
    stop: async () => {
      child.kill('SIGQUIT')
      await once(child, 'exit')
    },
  }
}
