/** The faults of a run: which kinds happen, and how often. Each run has a mixture of its own; some have none. */
import type { Random } from './random.ts'

/** The probability of each fault at each of its occasions. */
const kinds = {
  // Faults of the network: a request is refused before it is sent, lost, or delivered twice; a response is lost or cut.
  'connection refused': 0.1,
  'request lost': 0.15,
  'request twice': 0.1,
  'response lost': 0.15,
  'response cut': 0.05,
  'body cut': 0.05,
  slow: 0.1,
  // Faults of the database's connections: lost before the statement arrives, or after its commit.
  'connection lost before': 0.04,
  'connection lost after': 0.04,
  'slow statement': 0.03,
  // Faults of a process, at each of its events.
  crash: 0.02,
  pause: 0.01,
  restart: 0.005,
  // Faults of storage and downloads.
  'storage fails': 0.15,
  'download fails': 0.25,
  // Faults of the other side.
  'provider busy': 0.2,
  'provider refuses': 0.1,
  'provider fails': 0.15,
  'provider lies': 0.15,
  'callback dropped': 0.3,
  'callback late': 0.2,
  'processor lies': 0.2,
  'webhook dropped': 0.3,
  'webhook late': 0.3,
  'receiver fails': 0.3,
} as const

export type Fault = keyof typeof kinds
export type FaultInjector = {
  /** Whether the fault happens now. Counts it. */
  injects: (fault: Fault) => boolean
  /** The largest difference of a process's clock from the true time. */
  skewMaxMs: number
  /** Ends all faults. */
  clear: () => void
  isClear: () => boolean
  counts: Map<string, number>
}

const FAULTLESS_RUNS = 0.08
const KIND_RUNS = 0.4
/** A process is paused for as long at most. */
export const PAUSE_MS_MAX = 150_000
/** The most crashes, pauses and restarts: more only make a run longer. */
const PROCESS_FAULTS_MAX = 12

export function openFaultInjector(random: Random): FaultInjector {
  const isFaultless = random.chance(FAULTLESS_RUNS)
  const rates = new Map<Fault, number>()
  for (const [kind, most] of Object.entries(kinds)) {
    const isPresent = random.chance(KIND_RUNS)
    const rate = most * random.between(0.2, 1.6)
    if (isPresent && !isFaultless) rates.set(kind as Fault, rate)
  }
  const counts = new Map<string, number>()
  let processFaults = 0
  // The database accepts up to two minutes ahead of its own clock.
  const skewMaxMs = isFaultless || random.chance(0.6) ? 0 : random.pick([500, 5_000, 59_000, 119_000, 200_000])
  return {
    injects: (fault) => {
      const rate = rates.get(fault)
      if (rate === undefined || !random.chance(rate)) return false
      if (['crash', 'pause', 'restart'].includes(fault) && ++processFaults > PROCESS_FAULTS_MAX) return false
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
      return true
    },
    skewMaxMs,
    clear: () => rates.clear(),
    isClear: () => rates.size === 0,
    counts,
  }
}
