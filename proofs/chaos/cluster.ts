/** The processes of a chaos run: PostgreSQL, two APIs, three workers. Each is started again when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const RESTART_PAUSE_MS = 500

export type Member = {
  name: string
  kill: (signal: NodeJS.Signals) => void
  isReady: () => boolean
  stop: () => Promise<void>
}

export type Started = { child: ChildProcess; ready: Promise<void> }

/** Keeps one process running: when it ends it is started again. */
export function keepRunning(name: string, start: () => Started): Member & { ready: Promise<void> } {
  let current: ChildProcess | null = null
  let isReady = false
  let isStopped = false
  const firstReady = Promise.withResolvers<void>()
  const loop = async () => {
    while (!isStopped) {
      const { child, ready } = start()
      current = child
      const ended = new Promise((resolve) => child.once('exit', resolve))
      ready.then(
        () => {
          isReady = true
          firstReady.resolve()
        },
        () => {},
      )
      await ended
      isReady = false
      if (!isStopped) await sleep(RESTART_PAUSE_MS)
    }
  }
  const over = loop()
  return {
    name,
    ready: firstReady.promise,
    kill: (signal) => current?.kill(signal),
    isReady: () => isReady,
    stop: async () => {
      isStopped = true
      current?.kill('SIGCONT')
      current?.kill('SIGTERM')
      await over
    },
  }
}

/** @param nodeArgs arguments of Node itself */
export function startServer(command: 'api' | 'worker', env: Record<string, string>, nodeArgs: string[] = []): Started {
  const child = spawn(process.execPath, [...nodeArgs, file('../../server/main.mjs'), command], {
    // Warnings of Node, such as one about too many listeners, belong in the output of the run.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env,
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', ({ kind }: { kind?: string }) => kind === 'ready' && resolve())
    child.once('exit', reject)
  })
  return { child, ready }
}

/** PostgreSQL as `kinora postgres` starts it, durable, in a folder that stays. Its port may change with each start. */
export function openPostgres(dataDir: string) {
  let url = ''
  let clusterDir = ''
  const start = (): Started => {
    const child = spawn(process.execPath, [file('../../cli/src/main.ts'), 'postgres', '--data-dir', dataDir], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      env: process.env,
    })
    const ready = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => {
        ;({ url, clusterDir } = JSON.parse(line))
        resolve()
      })
      child.once('exit', reject)
    })
    return { child, ready }
  }
  const member = keepRunning('PostgreSQL', start)
  return {
    ...member,
    url: () => url,
    port: () => (member.isReady() ? Number(new URL(url).port) : null),
    /** SIGKILL to the postmaster; its backends end when they notice. */
    killServer: () => {
      const [pid] = readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
  }
}
