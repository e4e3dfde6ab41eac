/**
 * The queue in front of the render process: one film at a time, because two at once are no faster on two cores and take
 * twice the memory. The process starts on demand.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RenderReply, RenderRequest } from './render-process.ts'

export type Renderer = ReturnType<typeof openRenderer>

const RENDER_TIMEOUT_MS = 120_000
const STDERR_CHARACTERS_MAX = 2_000
const script = fileURLToPath(new URL('./render-process.ts', import.meta.url))

class ProcessDied extends Error {}

export function openRenderer(framesPerSecond: number) {
  const closing = new AbortController()
  let child: ChildProcess | null = null
  /** The encoder writes warnings on every film; they matter only when it fails. */
  let stderr = ''
  let last: Promise<unknown> = Promise.resolve()

  const startProcess = (): ChildProcess => {
    const started = fork(script, [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      signal: closing.signal,
      killSignal: 'SIGKILL',
      // glibc keeps freed frames for itself unless each is a mapping of its own. At a threshold of 2.5 MB, 5 s of 720p
      // take 325 MB instead of 205; without any, 4k takes 2.4 GB.
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1000000' },
    })
    // The process may die between films; without a listener its broken channel would end the simulator.
    started.on('error', () => {})
    started.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-STDERR_CHARACTERS_MAX)
    })
    return started
  }

  const attempt = async (request: RenderRequest): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) child = startProcess()
    const stop = new AbortController()
    const timer = setTimeout((late) => late.kill('SIGKILL'), RENDER_TIMEOUT_MS, child)
    try {
      const replied = once(child, 'message', stop) as Promise<[RenderReply]>
      const died = once(child, 'exit', stop).then((): never => {
        throw new ProcessDied(`The render process ended during this film: ${stderr || 'it wrote no error'}`)
      })
      // A request that cannot be sent fails with the exit of the process.
      child.send(request, () => {})
      const [{ error }] = await Promise.race([replied, died])
      if (error) throw new Error(error)
    } finally {
      clearTimeout(timer)
      stop.abort()
    }
  }

  return {
    /** Rejects when the film cannot be rendered. If the process dies, it is restarted once for the same film. */
    render: (film: Omit<RenderRequest, 'framesPerSecond'>): Promise<void> => {
      const request = { ...film, framesPerSecond }
      const done = last.then(() =>
        attempt(request).catch((error: unknown) => {
          if (!(error instanceof ProcessDied)) throw error
          return attempt(request)
        }),
      )
      last = done.catch(() => {})
      return done
    },
    close: (): void => closing.abort(),
  }
}
