/**
 * Restarts a child that ends unexpectedly, with exponential backoff. After five restarts within a minute the supervisor
 * gives up: the fault is persistent.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'

/** Starts the child and passes it to `track` at once; resolves when it is ready, rejects when it ends before that. */
type Start = (track: (child: Child) => void) => Promise<void>

export type Supervised = {
  /** The first start. Its failure is the caller's to report; the child is not restarted. */
  ready: Promise<void>
  /** Resolves with a message for the operator when the restart limit is reached; otherwise stays pending. */
  failed: Promise<string>
  stop: () => Promise<void>
  kill: () => void
}

const RESTARTS_MAX = 5
const RESTART_WINDOW_MS = 60_000
const FIRST_BACKOFF_MS = 200

/**
 * @param name starts a sentence: `The server`
 * @param lastLines the child's last log lines, for a child that does not write to this terminal
 */
export function supervise(name: string, start: Start, lastLines: () => string[] = () => []): Supervised {
  let current: Child | null = null
  let stopping = false
  const track = (child: Child) => {
    current = child
  }
  const restartUntilLimit = async (): Promise<string> => {
    const restarts: number[] = []
    for (;;) {
      const how = await current?.ended
      if (stopping) return await new Promise<never>(() => undefined)
      const now = Date.now()
      while (restarts[0] !== undefined && restarts[0] < now - RESTART_WINDOW_MS) restarts.shift()
      if (restarts.length === RESTARTS_MAX) {
        return `${name} ended ${RESTARTS_MAX + 1} times within a minute (${how}), so Kinora stops. Its last lines say why.`
      }
      restarts.push(now)
      reportRestart(name, how, lastLines())
      await sleep(FIRST_BACKOFF_MS * 2 ** (restarts.length - 1), undefined, { ref: false })
      // A child that could not start has ended, so the next round counts it.
      if (!stopping) await start(track).catch(() => undefined)
    }
  }
  const ready = start(track)
  const failed = ready.then(restartUntilLimit)
  // The failure of the first start rejects `ready`, which the caller handles; `failed` must not reject unhandled as
  // well.
  failed.catch(() => undefined)
  return {
    ready,
    failed,
    stop: async () => {
      stopping = true
      await current?.stop()
    },
    kill: () => current?.kill(),
  }
}

function reportRestart(name: string, how: string | undefined, lines: string[]): void {
  const tail = lines.length > 0 ? ` Its last lines:\n${lines.map((line) => `  ${line}`).join('\n')}` : ''
  process.stderr.write(`${name} ended unexpectedly (${how}) and is started again.${tail}\n`)
}
