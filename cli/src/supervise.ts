/**
 * Starts a child again when it ends unasked, and gives up when that helps nothing: five times within a minute is a
 * fault that another attempt will not mend.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from './child.ts'

/** Starts the child and hands it to `track` at once; resolves when it is ready, rejects when it ended before. */
export type Begin = (track: (child: Child) => void) => Promise<void>

export type Supervised = {
  /** The first start; a failure of that one is the caller's to report, and nothing is tried again. */
  ready: Promise<void>
  /** Resolves with a sentence once nothing more is tried; never otherwise. */
  givenUp: Promise<string>
  stop: () => Promise<void>
  kill: () => void
}

const RESTARTS_MAX = 5
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 200

/**
 * @param name begins a sentence: `The server`
 * @param lastLines what the child said last, where it does not say it in this terminal
 */
export function supervise(name: string, begin: Begin, lastLines: () => string[] = () => []): Supervised {
  let current: Child | null = null
  let stopping = false
  const track = (child: Child) => {
    current = child
  }
  const keepGoing = async (): Promise<string> => {
    const restarts: number[] = []
    for (;;) {
      const how = await current?.ended
      if (stopping) return await new Promise<never>(() => undefined)
      const now = Date.now()
      while (restarts[0] !== undefined && restarts[0] < now - WITHIN_MS) restarts.shift()
      if (restarts.length === RESTARTS_MAX) {
        return `${name} ended ${RESTARTS_MAX + 1} times within a minute (${how}), so Kinora stops. Its last lines say why.`
      }
      restarts.push(now)
      report(name, how, lastLines())
      await wait(FIRST_PAUSE_MS * 2 ** (restarts.length - 1), undefined, { ref: false })
      // A child that could not start has ended, and counts as such in the next round.
      if (!stopping) await begin(track).catch(() => undefined)
    }
  }
  const ready = begin(track)
  const givenUp = ready.then(keepGoing)
  // Whoever waits for `ready` hears of a failure; that nobody may be waiting yet is no reason to crash.
  givenUp.catch(() => undefined)
  return {
    ready,
    givenUp,
    stop: async () => {
      stopping = true
      await current?.stop()
    },
    kill: () => current?.kill(),
  }
}

function report(name: string, how: string | undefined, lines: string[]): void {
  const said = lines.length > 0 ? ` Its last lines:\n${lines.map((line) => `  ${line}`).join('\n')}` : ''
  process.stderr.write(`${name} ended unexpectedly (${how}) and is started again.${said}\n`)
}
