/**
 * What an operator watches beside the requests: due work, the state of the database, free space. PostgreSQL shows the
 * sessions of other roles and the standbys to members of `pg_monitor` only; for any other role these figures are of its
 * own sessions.
 */
import { statfs } from 'node:fs/promises'
import type { App } from '../app.ts'
import { figures, max, sum } from '../db/parts.ts'
import { readLedgerChecks } from './ledger-check.ts'

export type Operations = {
  /** Videos that are due now and claimed by no worker, and for how long the oldest of them has been. */
  due: { videos: number; oldestS: number }
  /** Endpoints of users to which no delivery succeeds, and for how long the oldest due delivery waits for a worker. */
  webhooks: { failing: number; oldestS: number }
  /** Messages that wait to be sent, and how long the oldest has; none without SMTP_URL. */
  mails: { pending: number; oldestS: number }
  /** Rows by table; tables without rows are left out. */
  tables: { name: string; deadRows: number; liveRows: number }[]
  /** The age of the oldest snapshot that a session holds: vacuum removes no row that was deleted since. */
  oldestSnapshotS: number
  /** Each standby, and how far its replay is behind. */
  standbys: { name: string; lagBytes: number }[]
  ledger: { differences: number; checkedAt: Date | null }
}

export async function readOperations(app: App): Promise<Operations> {
  const { sql, config, now } = app
  const none = { videos: 0, failing: 0, pending: 0, oldestS: 0 }
  const [[due = none], [webhooks = none], [mails = none], tables, [snapshot], standbys, { last }] = await Promise.all([
    figures<Operations['due']>(
      app,
      (part) => part`
        select count(*) as videos,
               coalesce(extract(epoch from ${now()}::timestamptz - min(due_at)), 0)::double precision as oldest_s
        from kinora.video
        where due_at <= ${now()} and (lease_until is null or lease_until <= ${now()})
      `,
      { videos: sum, oldestS: max },
    ),
    figures<Operations['webhooks']>(
      app,
      (part) => part`
        select count(*) filter (where failing_since is not null and disabled_reason is null) as failing,
               coalesce(extract(epoch from ${now()}::timestamptz - min(due_at) filter (
                 where due_at <= ${now()} and (lease_until is null or lease_until <= ${now()})
               )), 0)::double precision as oldest_s
        from kinora.webhook_endpoint
      `,
      { failing: sum, oldestS: max },
    ),
    config.mail.smtp === null
      ? []
      : figures<Operations['mails']>(
          app,
          (part) => part`
            select count(*) as pending,
                   coalesce(extract(epoch from ${now()}::timestamptz - min(created_at)), 0)::double precision as oldest_s
            from kinora.mail
            where state = 'pending'
          `,
          { pending: sum, oldestS: max },
        ),
    sql<Operations['tables']>`
      select relname as name, n_dead_tup as dead_rows, n_live_tup as live_rows
      from pg_stat_user_tables
      where schemaname = 'kinora' and n_dead_tup + n_live_tup > 0
    `,
    sql<[{ seconds: number }]>`
      select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::double precision as seconds
      from pg_stat_activity
      where backend_xmin is not null and pid <> pg_backend_pid()
    `,
    sql<Operations['standbys']>`
      select coalesce(nullif(application_name, ''), client_addr::text, 'standby') as name,
             pg_wal_lsn_diff(sent_lsn, replay_lsn)::bigint as lag_bytes
      from pg_stat_replication
      where replay_lsn is not null
    `,
    readLedgerChecks(app),
  ])
  return {
    due,
    webhooks,
    mails,
    tables,
    oldestSnapshotS: snapshot.seconds,
    standbys,
    ledger: { differences: last?.total ?? 0, checkedAt: last?.state === 'finished' ? last.finishedAt : null },
  }
}

/** Of the disk that has DATA_DIR. */
export async function freeBytes({ config }: Pick<App, 'config'>): Promise<number> {
  const { bavail, bsize } = await statfs(config.dataDir)
  return bavail * bsize
}
