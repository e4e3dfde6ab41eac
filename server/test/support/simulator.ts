/** The simulator for tests: the real program in a process of its own, without delays. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type SimulatedInput = {
  role: string
  kind: string
  url: string
  width?: number | null
  height?: number | null
  seconds?: number | null
  sha256?: string
}
export type SimulatedTask = {
  taskId: string
  provider: string
  prompt: string
  state: string
  width: number
  height: number
  /** Measured once its film is made. */
  inputs: SimulatedInput[]
  /** How many submits of the same video arrived. */
  submits: number
  callbacks: { at: string; status: number | string }[]
}

export type Simulator = {
  url: string
  hostAndPort: string
  tasks: () => Promise<SimulatedTask[]>
  stop: () => Promise<void>
}

const main = fileURLToPath(new URL('../../../simulator/src/main.ts', import.meta.url))

/**
 * @param options.pace factor on the simulator's delays; 0: none
 * @param options.env further settings of it
 */
export async function startSimulator(
  options: { pace?: number; env?: Record<string, string> } = {},
): Promise<Simulator> {
  const dir = await mkdtemp(path.join(tmpdir(), 'kinora-simulator-'))
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SIMULATOR_PORT: '0',
      SIMULATOR_DATA_DIR: dir,
      SIMULATOR_PACE: String(options.pace ?? 0),
      // A fifteenth of the frames of a film at full rate, of the same size and duration.
      SIMULATOR_FRAMES_PER_SECOND: '1',
      PROVIDER_A_API_KEY: 'key-a',
      PROVIDER_B_API_KEY: 'key-b',
      ...options.env,
    },
  })
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)))
    lines.once('line', (line) => resolve(JSON.parse(line).listening))
  })
  lines.on('line', () => {})
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  return {
    url,
    hostAndPort: new URL(url).host,
    tasks: async () => (await (await fetch(`${url}/simulator/tasks`)).json()) as SimulatedTask[],
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      process.off('exit', remove)
      remove()
    },
  }
}

let shared: Promise<Simulator> | undefined

/**
 * The simulator of this process, started by the first test file that needs one: a start takes 0.15 s of CPU time, and
 * tasks of different services are independent. `tasks` returns those of the calling file. The process ends with the
 * test worker.
 */
export async function sharedSimulator(): Promise<Simulator> {
  shared ??= startSimulator()
  const simulator = await shared
  const earlier = new Set((await simulator.tasks()).map(({ taskId }) => taskId))
  return {
    ...simulator,
    tasks: async () => (await simulator.tasks()).filter(({ taskId }) => !earlier.has(taskId)),
    stop: async () => {},
  }
}
