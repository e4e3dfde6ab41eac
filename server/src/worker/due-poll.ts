/**
 * The poll of an idle worker: one statement finds which of its loops have work, instead of a claim by each. It polls
 * and does not LISTEN, which a transaction pooler drops.
 */
import type { App } from '../app.ts'
import { call } from '../db/call.ts'

/** A film begins within this time, and that of its claim. */
const POLL_MS = 250
/** Where each part of a database has rows of its own, and a claim goes from part to part. */
const POLL_OF_PARTS_MS = 500

/** Wakes loops, by their names. */
export type Wakers = Map<string, () => void>

/** Wakes the loops whose work is due until it is closed; all while the database cannot say which. */
export function openDuePoll(app: App, wakers: Wakers): { close: () => void } {
  const isDivided = app.database.partOf !== null
  let isClosed = false
  const poll = async () => {
    const due = isDivided ? null : await call(app.sql, 'work_due', { now: app.now() }).catch(() => null)
    for (const [name, wake] of wakers) if (due === null || due.includes(name)) wake()
    waitForNext()
  }
  let timer: NodeJS.Timeout
  const waitForNext = () => {
    if (!isClosed) timer = setTimeout(() => void poll(), isDivided ? POLL_OF_PARTS_MS : POLL_MS)
  }
  waitForNext()
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
