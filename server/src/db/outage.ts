/**
 * Outages of the database: which errors say that it is away, and one line in the log when it goes and one when it is
 * back. Every request, claim and poll of an outage fails by itself: each was logged with its stack, three a second from
 * an idle worker.
 */
import type { Logger } from 'pino'

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  // admin_shutdown, crash_shutdown, cannot_connect_now, read_only_sql_transaction, and object_not_in_prerequisite_state
  // (the database does not accept connections: `allow_connections = false`).
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '55000',
])
/** The pool is being closed, and query_canceled. */
const otherCodes = ['CONNECTION_ENDED', 'CONNECTION_DESTROYED', '57014']
/** SQLSTATE classes connection_exception and insufficient_resources (disk, memory, connections). */
const awayClasses = /^(08|53)/

const DISK_FULL = '53100'
/** For how long a write that found no room tells of the disk. */
const DISK_FULL_MS = 60_000

const PROBE_EVERY_MS = 1000

export const isDatabaseUnavailable = ({ code = '' }: { code?: string }): boolean =>
  isAwayCode(code) || otherCodes.includes(code)

let diskFullMs = Number.NEGATIVE_INFINITY
/** Whether a statement of this process found the database's disk full lately, or before the database went away. */
export const isDiskFull = (): boolean => performance.now() - diskFullMs < DISK_FULL_MS

function isAwayCode(code: string): boolean {
  const isAway = awayCodes.has(code) || awayClasses.test(code)
  // A database that goes away with a full disk says so once, and refuses connections from then on.
  if (code === DISK_FULL || (isAway && isDiskFull())) diskFullMs = performance.now()
  return isAway
}

/** Errors of a connection have the same codes everywhere; the driver adds its query to those of the database. */
const isOfDatabase = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && ('query' in error || String(error.code).startsWith('CONNECT'))

export type Outage = {
  /** Returns whether the error is of a database that is away, which was logged: openLog leaves it out. */
  note: (error: unknown) => boolean
  /** Until this is called every error is logged. @param probe throws while the database is away */
  watch: (log: Logger, probe: () => Promise<unknown>) => void
  close: () => void
}

export function openOutage(): Outage {
  let watched: { log: Logger; probe: () => Promise<unknown> } | null = null
  let timer: NodeJS.Timeout | undefined
  let awaySinceMs: number | null = null

  const probe = async () => {
    try {
      await watched?.probe()
    } catch {
      if (watched) timer = setTimeout(probe, PROBE_EVERY_MS).unref()
      return
    }
    const seconds = Math.round((performance.now() - (awaySinceMs ?? 0)) / 1000)
    awaySinceMs = null
    watched?.log.info({ seconds }, 'the database answers again')
  }
  return {
    note: (error) => {
      if (!watched || !isOfDatabase(error) || !isAwayCode(error.code)) return false
      if (awaySinceMs === null) {
        awaySinceMs = performance.now()
        watched.log.error(
          { code: error.code, reason: error.message },
          'the database does not answer; trying until it does',
        )
        timer = setTimeout(probe, PROBE_EVERY_MS).unref()
      }
      return true
    },
    watch: (log, probeDatabase) => {
      watched = { log, probe: probeDatabase }
    },
    close: () => {
      clearTimeout(timer)
      watched = null
    },
  }
}
