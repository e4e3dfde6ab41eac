/**
 * Films by order, one at a time: two at once are no faster on two cores and take twice the memory. The process that
 * makes them is started on demand and ended after a quiet while.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RenderReply, RenderRequest } from './render-process.ts'

export type Renderer = { render: (request: Omit<RenderRequest, 'framesPerSecond'>) => Promise<void>; close: () => void }

const IDLE_MS = 10_000
const RENDER_TIMEOUT_MS = 120_000
const STDERR_CHARACTERS_MAX = 2_000

/** `render` rejects when the film cannot be made; a process that died under it is started once more first. */
export function openRenderer(framesPerSecond: number): Renderer {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const attempt = async (request: RenderRequest): Promise<void> => {
    if (closed) throw new Error('The simulator is closing.')
    if (!child?.connected) child = startProcess()
    await ask(child, request).catch((error: unknown) => {
      if (error instanceof ProcessDied) child = null
      throw error
    })
  }
  const rest = (): void => {
    if (child?.connected) child.disconnect()
    child = null
  }
  const render: Renderer['render'] = (film) => {
    const request = { ...film, framesPerSecond }
    const done = last.then(async () => {
      clearTimeout(idle)
      try {
        await attempt(request).catch((error: unknown) => {
          if (error instanceof ProcessDied) return attempt(request)
          throw error
        })
      } finally {
        idle = setTimeout(rest, IDLE_MS).unref()
      }
    })
    last = done.catch(() => {})
    return done
  }
  const close = (): void => {
    closed = true
    clearTimeout(idle)
    child?.kill('SIGKILL')
  }
  return { render, close }
}

class ProcessDied extends Error {}

function startProcess(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./render-process.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // glibc keeps freed frames for itself unless each is a mapping of its own: 4k then takes 2.4 GB instead of 0.3.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '2500000' },
  })
  // It may die between films, when nobody waits for it; without a listener its broken channel would end the simulator.
  child.on('error', () => {})
  return child
}

async function ask(child: ChildProcess, request: RenderRequest): Promise<void> {
  const stop = new AbortController()
  // The encoder writes warnings on every film; they are worth showing only when it fails.
  let complaints = ''
  const collect = (chunk: Buffer): void => {
    complaints = (complaints + chunk.toString()).slice(-STDERR_CHARACTERS_MAX)
  }
  child.stderr?.on('data', collect)
  const timer = setTimeout(() => child.kill('SIGKILL'), RENDER_TIMEOUT_MS)
  try {
    const answered = once(child, 'message', { signal: stop.signal }).catch((error: Error): never => {
      throw new ProcessDied(`The renderer's process cannot be reached: ${error.message}`)
    }) as Promise<[RenderReply]>
    const died = once(child, 'exit', { signal: stop.signal }).then((): never => {
      throw new ProcessDied(`The renderer's process ended over this film: ${complaints || 'it said nothing'}`)
    })
    child.send(request)
    const [{ error }] = await Promise.race([answered, died])
    if (error) throw new Error(error)
  } finally {
    clearTimeout(timer)
    child.stderr?.off('data', collect)
    stop.abort()
  }
}
