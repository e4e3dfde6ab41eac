/**
 * Kinora's processes, started as an operator starts them, on the database, files and providers of a test: for crash
 * recovery and graceful shutdown.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Kinora } from './harness.ts'

export type ServerProcess = {
  child: ChildProcess
  /** Resolves when it has ended, with its exit status or the name of the signal that killed it. */
  ended: Promise<number | string>
  /** Resolves when a log line contains `words`. */
  logged: (words: string) => Promise<void>
  /** The log lines so far. */
  lines: readonly string[]
  /** Sends SIGTERM and waits for the end. */
  stop: () => Promise<number | string>
}

const main = fileURLToPath(new URL('../../main.mjs', import.meta.url))

/**
 * Starts `api`, `worker` or `all`, with its options, and waits until it is ready.
 * @param env over the settings of the test: `KINORA_CRASH_AT`, `PORT`, …
 * @param file main.mjs of this or main.ts of another release
 * @throws Error with its output when it exits before
 */
export async function startProcess(
  kinora: Kinora,
  command: 'api' | 'worker' | 'all' | `${'api' | 'worker'} ${string}`,
  env: Record<string, string> = {},
  file = main,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [file, ...command.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: settingsWith(kinora, env),
  })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? ''))
  })
  await new Promise<void>((resolve, reject) => {
    child.on('message', ({ kind }: { kind?: string }) => kind === 'ready' && resolve())
    ended.then((how) => reject(new Error(`${command} ended with ${how} before it was ready:\n${lines.join('\n')}`)))
  })
  return {
    child,
    ended,
    lines,
    logged: (words) =>
      new Promise((resolve) => {
        const look = () => {
          if (!lines.some((line) => line.includes(words))) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** `output`: both streams. */
export type Ended = { status: number | null; output: string }

/** Runs a command to its end with the settings of the test. `stopAt`: words at which it gets SIGTERM. */
export const runCommand = (
  kinora: Kinora,
  args: string[],
  env: Record<string, string> = {},
  stopAt: string | null = null,
): Promise<Ended> => run(args, settingsWith(kinora, { LOG_LEVEL: 'silent', ...env }), stopAt)

/** Runs a command on a database, without a service. */
export const runOn = (databaseUrl: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  run(args, {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: 'a',
    AI_CALLBACK_SECRET: 'b',
    PROVIDER_A_URL: 'http://127.0.0.1:9',
    PROVIDER_B_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
    ...env,
  })

async function run(args: string[], env: NodeJS.ProcessEnv, stopAt: string | null = null): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  let isStopped = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      if (stopAt === null || isStopped || !output.includes(stopAt)) return
      isStopped = true
      child.kill('SIGTERM')
    })
  }
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  // A check that takes more than five seconds says how far it is.
  return { status, output: output.replace(/^\d+ of .* checked, \d+ s\n/gm, '') }
}

/** The settings of the test's own application, as environment variables, with changes. */
export function settingsWith({ app }: Kinora, change: Record<string, string>): Record<string, string> {
  const { config } = app
  const providers = Object.entries(config.providers).flatMap(([name, { url, apiKey }]) => {
    const prefix = name.toUpperCase().replaceAll('-', '_')
    return [
      [`${prefix}_URL`, url],
      [`${prefix}_API_KEY`, apiKey],
    ]
  })
  return {
    PATH: process.env.PATH ?? '',
    // Compiled code is cached between starts, as `npm start` does.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(config.dataDir, 'cache'),
    DATABASE_URL: config.databaseUrl,
    DATABASE_URL_DIRECT: change.DATABASE_URL ?? config.databaseUrlDirect,
    DATABASE_POOLER: config.databasePooler,
    DATABASE_CONNECTIONS: '4',
    DATA_DIR: config.dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    // The probe of the sandbox is half the CPU time of a start: media/sandbox.test.ts and `npm start` have it.
    MEDIA_SANDBOX: 'off',
    AUTH_SECRET: config.authSecret,
    AI_CALLBACK_SECRET: config.callbackSecret,
    AI_CALLBACK_URL: config.callbackUrl,
    FETCH_ALLOW: config.fetchAllow.join(','),
    RATE_LIMITS: 'off',
    GIFTS_PER_NETWORK: '0',
    ...Object.fromEntries(providers),
    ...change,
  }
}
