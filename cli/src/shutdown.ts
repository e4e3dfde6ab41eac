/**
 * Requests to shut down: SIGTERM, SIGINT (Ctrl-C), SIGHUP (a closed terminal), or the death of the parent process. The
 * first request starts a graceful shutdown; a later one kills the children and exits at once.
 */

export type Shutdown = {
  /** Aborted at the first request. */
  signal: AbortSignal
  /** Resolves at the first request; never rejects. */
  requested: Promise<void>
  /** Registers a synchronous function that runs right before a forced exit. */
  onForcedExit: (kill: () => void) => void
}

// The terminal sends Ctrl-C to every process, and npm forwards its own: both signals are one request.
const DUPLICATE_SIGNAL_MS = 500

/** Listens from the call on; called once in a process. */
export function listenForShutdown(): Shutdown {
  const controller = new AbortController()
  const kills: (() => void)[] = []
  let firstAtMs = 0
  const request = () => {
    if (!controller.signal.aborted) {
      firstAtMs = Date.now()
      controller.abort()
    } else if (Date.now() - firstAtMs > DUPLICATE_SIGNAL_MS) {
      for (const kill of kills) kill()
      process.exit(130)
    }
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, request)
  if (process.channel) {
    process.on('disconnect', request)
    // The listener alone must not keep a finished command alive.
    process.channel.unref()
  }
  const requested = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return { signal: controller.signal, requested, onForcedExit: (kill) => kills.push(kill) }
}
