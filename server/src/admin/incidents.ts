/**
 * Incidents: what administrators tell all users, by a banner, by mail or both, and maintenance, in which no new film or
 * upload begins. Each process keeps the rows that are not over, and reads them every few seconds: work in progress,
 * callbacks and settlement ask none of them.
 */
import type { App } from '../app.ts'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { call } from '../db/call.ts'
import { withColumnNames } from '../db/columns.ts'
import { by, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'

export type Incident = {
  id: string
  textEn: string
  textZh: string
  isBanner: boolean
  isMail: boolean
  pauses: boolean
  startsAt: Date
  endsAt: Date
}
export type ListedIncident = Incident & { actorId: string; changedAt: Date; isMailed: boolean }

/** A pause works within this time in all processes. */
const POLL_MS = 5_000
const MAIL_PAGE = 500
const MAIL_CONCURRENCY = 4

let current: readonly Incident[] = []

/** Those with a banner, from their start on; of maintenance before its start too, so that users can plan. */
export const bannersAt = (now: Date): Incident[] =>
  current.filter(({ isBanner, pauses, startsAt, endsAt }) => isBanner && now < endsAt && (pauses || startsAt <= now))

/** @throws AppError UNAVAILABLE during maintenance, with its text and until when */
export function refuseDuringMaintenance({ now }: Pick<App, 'now'>): void {
  const at = now()
  const incident = current.find(({ pauses, startsAt, endsAt }) => pauses && startsAt <= at && at < endsAt)
  if (!incident) return
  const retryAfterS = Math.ceil((incident.endsAt.getTime() - at.getTime()) / 1000)
  const until = `${incident.endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  throw new AppError('UNAVAILABLE', `${incident.textEn} New films and uploads are taken from ${until} on.`, {
    retryAfterS,
  })
}

/** Reads what is not over. */
export async function readIncidents({ sql, now }: Pick<App, 'sql' | 'now'>): Promise<void> {
  current = await sql<Incident[]>`
    select ${incidentColumns(sql)} from kinora.incident where ends_at > ${now()} order by starts_at, id
  `
}

const incidentColumns = (sql: App['sql']) => sql`id, text_en, text_zh, is_banner, is_mail, pauses, starts_at, ends_at`

/** Reads them until it is closed. The last ones stay while the database is away. */
export async function watchIncidents(app: App): Promise<{ close: () => void }> {
  await readIncidents(app)
  const timer = setInterval(() => void readIncidents(app).catch(() => undefined), POLL_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

/** Writes an incident, or changes it; its mail is written by the worker. Idempotent. */
export async function setIncident(
  app: App,
  { id, ...incident }: Incident,
  by: { actorId: string; requestId: string; reason: string },
): Promise<void> {
  await call(app.sql, 'incident_set', { id, incident: withColumnNames(incident), ...by, now: app.now() })
  await readIncidents(app)
}

/** The latest end first. @throws AppError INVALID_REQUEST (cursor) */
export async function listIncidents(app: App, query: PageQuery) {
  const { rows, ...page } = await readPage(app.sql, query, {
    sequence: by('id', 'id'),
    rows: (sql, { where, order, limit }) => sql<ListedIncident[]>`
      select ${incidentColumns(app.sql)}, actor_id, changed_at, is_mail and mailed_to is null as is_mailed
      from kinora.incident
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { incidents: rows, ...page }
}

/** Writes the mail of incidents to users who want it, in the order of their ids; a worker that dies is continued. */
export async function mailIncidents(app: App, signal?: AbortSignal): Promise<void> {
  const { sql } = app
  const due = await sql<(Incident & { mailedTo: string })[]>`
    select ${incidentColumns(sql)}, mailed_to from kinora.incident where mailed_to is not null order by id
  `
  for (const { id, mailedTo, ...incident } of due) {
    const { textEn, textZh, pauses, startsAt, endsAt } = incident
    const data = { textEn, textZh, pauses, from: startsAt.toISOString(), until: endsAt.toISOString() }
    for (let after: string | null = mailedTo; after !== null && !signal?.aborted; ) {
      // One that is over is not mailed.
      const users: { id: string }[] =
        endsAt <= app.now()
          ? []
          : await sql<{ id: string }[]>`
              select id from public."user" where id > ${after} and "emailVerified" order by id limit ${MAIL_PAGE}
            `
      await forEachConcurrently(users, MAIL_CONCURRENCY, ({ id: userId }) =>
        call(sql, 'mail_write_one', {
          userId,
          kind: 'service.notice',
          key: `service.notice ${id}`,
          data,
          now: app.now(),
        }),
      )
      after = users.length < MAIL_PAGE ? null : (users.at(-1)?.id ?? null)
      await sql`update kinora.incident set mailed_to = ${after} where id = ${id} and mailed_to is not null`
    }
  }
}
