/** A child of `kinora api --processes`: an API process like any other, which its primary starts, stops and restarts. */
import cluster from 'node:cluster'

export const isChild = cluster.isWorker

/**
 * Resolves when the primary asks this child to stop; never in another process. A second request changes nothing: a terminal
 * and systemd send their signal to the children too, so the child gets that signal and the primary's message.
 */
export function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (!cluster.worker) return promise
  // Node ends a child at once when its primary is gone. This child drains instead: see `disconnect` in process.ts.
  cluster.worker.exitedAfterDisconnect = true
  process.on('message', (message) => {
    if ((message as { kind?: unknown } | null)?.kind === 'stop') resolve()
  })
  return promise
}
