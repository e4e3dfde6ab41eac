/**
 * The queue in front of the render process: one film at a time, because two at once are no faster on two cores and take
 * twice the memory. The process starts on demand and ends after an idle period.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RenderReply, RenderRequest } from './render-process.ts'

export type Renderer = { render: (film: Omit<RenderRequest, 'framesPerSecond'>) => Promise<void>; close: () => void }

const IDLE_MS = 10_000
const RENDER_TIMEOUT_MS = 120_000
const STDERR_CHARACTERS_MAX = 2_000

/** `render` rejects when the film cannot be rendered. If the process dies, it is restarted once for the same film. */
export function openRenderer(framesPerSecond: number): Renderer {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const attempt = (request: RenderRequest): Promise<void> => {
    if (isClosed) throw new Error('The simulator is closing.')
    if (!child?.connected) child = startProcess()
    return renderIn(child, request)
  }
  const retryOnce = (request: RenderRequest) => (error: unknown) => {
    if (!(error instanceof ProcessDied)) throw error
    child = null
    return attempt(request)
  }
  const endIdleProcess = (): void => {
    if (child?.connected) child.disconnect()
    child = null
  }
  return {
    render: (film) => {
      const request = { ...film, framesPerSecond }
      const done = last.then(async () => {
        clearTimeout(idle)
        try {
          await attempt(request).catch(retryOnce(request))
        } finally {
          idle = setTimeout(endIdleProcess, IDLE_MS).unref()
        }
      })
      last = done.catch(() => {})
      return done
    },
    close: () => {
      isClosed = true
      clearTimeout(idle)
      child?.kill('SIGKILL')
    },
  }
}

class ProcessDied extends Error {}

function startProcess(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./render-process.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // glibc keeps freed frames for itself unless each is a mapping of its own. At a threshold of 2.5 MB, 5 s of 720p
    // take 325 MB instead of 205; without any, 4k takes 2.4 GB.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1000000' },
  })
  // The process may die between films; without a listener its broken channel would end the simulator.
  child.on('error', () => {})
  return child
}

async function renderIn(child: ChildProcess, request: RenderRequest): Promise<void> {
  const stop = new AbortController()
  // The encoder writes warnings on every film; they matter only when it fails.
  let stderr = ''
  const collect = (chunk: Buffer): void => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_CHARACTERS_MAX)
  }
  child.stderr?.on('data', collect)
  const timer = setTimeout(() => child.kill('SIGKILL'), RENDER_TIMEOUT_MS)
  try {
    const replied = once(child, 'message', { signal: stop.signal }).catch((error: Error): never => {
      throw new ProcessDied(`The render process cannot be reached: ${error.message}`)
    }) as Promise<[RenderReply]>
    const died = once(child, 'exit', { signal: stop.signal }).then((): never => {
      throw new ProcessDied(`The render process ended during this film: ${stderr || 'it wrote no error'}`)
    })
    child.send(request)
    const [{ error }] = await Promise.race([replied, died])
    if (error) throw new Error(error)
  } finally {
    clearTimeout(timer)
    child.stderr?.off('data', collect)
    stop.abort()
  }
}
