/**
 * `npm run bench:start-up`: CPU time and wall clock until an `api` process is ready, from the sources and from the build
 * (server/dist), in pairs. The first pair is not counted: it fills Node's compile cache.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../server/test/support/free-port.ts'
import { openEnvironment } from './environment.ts'
import { median } from './table.ts'

const PAIRS = 5
/** Clock ticks a second, in which /proc counts CPU time. */
const TICKS = 100

type Start = { cpuMs: number; wallMs: number }

const scripts = { sources: 'server/src/main.ts', build: 'server/main.mjs' }
const environment = await openEnvironment()
const starts: Record<keyof typeof scripts, Start[]> = { sources: [], build: [] }
try {
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    for (const name of ['sources', 'build'] as const) {
      const start = await measureStart(scripts[name])
      if (pair > 0) starts[name].push(start)
    }
  }
} finally {
  await environment.close()
}
const medianOf = (name: keyof typeof scripts, key: keyof Start) => median(starts[name].map((start) => start[key]))
for (const name of ['sources', 'build'] as const) {
  console.log(
    `${name}: CPU ${medianOf(name, 'cpuMs')} ms, wall clock ${medianOf(name, 'wallMs')} ms (medians of ${PAIRS})`,
  )
}
console.log(`build ÷ sources: ${(medianOf('build', 'cpuMs') / medianOf('sources', 'cpuMs')).toFixed(2)} CPU time`)

async function measureStart(script: string): Promise<Start> {
  const startMs = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../${script}`, import.meta.url)), 'api'], {
    env: { ...environment.env, PORT: String(await freePort()), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const wallMs = Math.round(performance.now() - startMs)
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  const cpuMs = ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { cpuMs, wallMs }
}
