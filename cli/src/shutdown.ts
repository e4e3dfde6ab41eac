/**
 * The wish to end: SIGTERM, Ctrl-C, a closed terminal, or the death of the process that started this one. The first asks
 * for an orderly end; a later one ends at once.
 */

export type Ending = {
  /** Aborted with the first wish. */
  signal: AbortSignal
  /** Resolves with the first wish, and never rejects. */
  wished: Promise<void>
  /** Runs when the end can wait no longer, right before the process exits. Must not wait for anything. */
  onImpatience: (kill: () => void) => void
}

// Ctrl-C arrives from the terminal and once more from npm, which hands it on: that is one wish, not two.
const ONE_WISH_MS = 500

/** Listens from the moment of the call; called once in a process. */
export function listenForEnding(): Ending {
  const controller = new AbortController()
  const kills: (() => void)[] = []
  let firstAt = 0
  const wish = () => {
    if (!controller.signal.aborted) {
      firstAt = Date.now()
      controller.abort()
    } else if (Date.now() - firstAt > ONE_WISH_MS) {
      for (const kill of kills) kill()
      process.exit(130)
    }
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, wish)
  if (process.channel) {
    process.on('disconnect', wish)
    // Only listening for the channel's end must not keep a finished command alive.
    process.channel.unref()
  }
  const wished = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return { signal: controller.signal, wished, onImpatience: (kill) => kills.push(kill) }
}
