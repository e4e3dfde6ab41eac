/**
 * Finds revocations of credentials (sign-out, ban, another role, a deleted key or account) within a second of their
 * commit, by any process. Triggers write a row in the transaction of the revocation; each API process polls these rows.
 * A poll, and not LISTEN, because a transaction pooler between process and database drops LISTEN.
 *
 * No row is missed, although transactions become visible in another sequence than that of their ids: a poll reads from
 * the `xmin` of the snapshot before, below which every transaction had ended and was visible.
 */
import type { App } from '../../app.ts'

export type Revocations = {
  /** Polls until nothing is cached any more. */
  start: () => void
  /** `performance.now()` before which every committed revocation has been reported. */
  seenUntilMs: () => number
  close: () => void
}

export type RevocationOptions = {
  /** Whether there is anything to revoke. Asked before every poll: an idle process sends no query. */
  isNeeded: () => boolean
  /** Receives the users with a revoked credential, or 'all' when they are not known one by one. */
  onRevoked: (userIds: ReadonlySet<string> | 'all') => void
}

const POLL_EVERY_MS = 100
/** A poll behind a slow statement on its connection must not delay the next ones, which take other connections. */
const POLLS_UNDER_WAY_MAX = 6
/** More revocations than this since the last poll: all credentials are looked up again. */
const ROWS_MAX = 10_000

type Row = { horizon: string; xid: string | null; userId: string | null }

export function openRevocations({ sql, log }: App, { isNeeded, onRevoked }: RevocationOptions): Revocations {
  let timer: NodeJS.Timeout | undefined
  /** Every transaction below it was visible to a poll. Null before the first poll. */
  let horizon: bigint | null = null
  /** Reported rows that a next poll returns again, because an older transaction is still running. */
  const reported = new Map<string, bigint>()
  let seenUntilMs = Number.NEGATIVE_INFINITY
  let underWay = 0
  let isFailing = false

  async function poll(): Promise<void> {
    const startMs = performance.now()
    const from = horizon
    const rows = await readRows(sql, from)
    if (!timer) return
    const found = rows.filter((row): row is Row & { xid: string; userId: string } => row.xid !== null)
    const unreported = found.filter(({ xid, userId }) => !reported.has(`${xid} ${userId}`))
    const next = BigInt(rows[0]?.horizon ?? 0)
    const isOtherHistory = from !== null && next < from
    if (horizon === null || next > horizon || isOtherHistory) horizon = next
    for (const { xid, userId } of unreported) reported.set(`${xid} ${userId}`, BigInt(xid))
    for (const [key, xid] of reported) if (xid < horizon) reported.delete(key)
    // What was revoked is not known without a poll before, or when the database was restored from a backup.
    if (from === null || isOtherHistory || found.length >= ROWS_MAX) onRevoked('all')
    else if (unreported.length > 0) onRevoked(new Set(unreported.map(({ userId }) => userId)))
    seenUntilMs = Math.max(seenUntilMs, startMs)
  }

  async function pollOnce(): Promise<void> {
    if (underWay >= POLLS_UNDER_WAY_MAX) return
    underWay += 1
    try {
      await poll()
      if (isFailing) log.info('revocations are polled again')
      isFailing = false
    } catch (err) {
      if (!isFailing)
        log.warn({ err }, 'revocations cannot be polled; every request looks its credential up until they can')
      isFailing = true
    }
    underWay -= 1
  }

  const stop = () => {
    clearInterval(timer)
    timer = undefined
    horizon = null
    reported.clear()
  }

  return {
    start: () => {
      if (timer) return
      timer = setInterval(() => (isNeeded() ? void pollOnce() : stop()), POLL_EVERY_MS).unref()
      void pollOnce()
    },
    seenUntilMs: () => seenUntilMs,
    close: stop,
  }
}

/** Revocations by transactions from `from` on, each with the oldest running transaction; without any, alone. */
const readRows = (sql: App['sql'], from: bigint | null) => sql<Row[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, r.xid, r.user_id
      from (values (1)) one (row)
      left join lateral (
        select xid::text as xid, user_id
        from kinora.credential_revocation
        where xid >= ${from === null ? null : String(from)}::text::xid8
        order by xid
        limit ${ROWS_MAX}
      ) r on true
    `
