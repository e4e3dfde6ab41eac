/** Reported films of Explore, and what administrators decide: it stays, or is removed with a mail to its maker. */

import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import { ascending, by, type PageQuery, readPage } from '../db/page.ts'
import { isUuid } from '../id.ts'
import { enqueueMail, type NewMail } from '../mail/outbox.ts'
import { forget, type Listed, notPublished, type ReportReason, withFilms } from '../video/explore.ts'
import { withOwners } from './owner.ts'

/** The most reports of a film that the list shows, the latest ones. */
const REPORTS_MAX = 20
const PROMPT_CHARACTERS = 200

type Report = { userId: string; reason: ReportReason; note: string | null; createdAt: string }
type ReportedRow = Listed & {
  id: string
  reportedId: string
  openReports: number
  isPublished: boolean
  reports: Report[]
}

/**
 * Films with reports on which no administrator has decided, the longest waiting first. One that is gone is left out.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listReported(app: App, query: PageQuery) {
  const { sql } = app
  const { rows, ...page } = await readPage(sql, query, {
    sequence: ascending(by('f.reported_id', 'reportedId')),
    where: () => sql`f.reported_id is not null`,
    rows: (_, { where, order, limit }) => sql<ReportedRow[]>`
      select f.user_id, f.video_id, f.id, f.reported_id, f.open_reports, f.published_at is not null as is_published, r.reports
      from kinora.explore_film f
      cross join lateral (
        select jsonb_agg(
                 jsonb_build_object('userId', r.user_id, 'reason', r.reason, 'note', r.note, 'createdAt', r.created_at)
                 order by r.id desc
               ) as reports
        from (
          select *
          from kinora.explore_report r
          where r.maker_id = f.user_id and r.video_id = f.video_id and r.id >= f.reported_id
          order by r.id desc
          limit ${REPORTS_MAX}
        ) r
      ) r
      where ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  const { films, gone } = await withFilms(app, rows)
  await forget(app, gone)
  const shown = (await withOwners(app, films)).map((film) => ({
    ...film,
    reports: film.reports.map((report) => ({ ...report, createdAt: new Date(report.createdAt) })),
  }))
  return { films: shown, ...page }
}

/** `removes`: the film is never published again; else it stays, and its reports are closed. */
export type Decision = { removes: boolean; actorId: string; requestId: string; reason: string }
type Outcome =
  | { outcome: 'not_found' }
  | { outcome: 'removed' | 'kept' | 'unchanged'; userId: string; videoId: string; removalReason: string | null }

/** Idempotent: a repeated removal writes the mail that its first request has not written. @throws AppError NOT_FOUND */
export async function decideOnFilm(app: App, id: string, decision: Decision): Promise<void> {
  const { removes, actorId, requestId, reason } = decision
  if (!isUuid(id)) throw notPublished()
  const [row] = await app.sql<[Outcome]>`
    select *
    from ${part(app.sql, 'explore_decide', { id, removes, actorId, requestId, reason, now: app.now() })}
  `
  if (row.outcome === 'not_found') throw notPublished()
  const { removalReason } = row
  if (removalReason === null) return
  await mailMaker(app, row, { kind: 'explore.removed', data: { removalReason }, onceKey: `explore.removed ${id}` })
}

/**
 * Writes to the maker of a film, if the address is verified: of a team's film the member who made it.
 * @param message `data`: beside the film and its id
 */
export async function mailMaker(
  app: App,
  { userId, videoId }: Listed,
  { data, ...message }: Pick<NewMail, 'kind' | 'onceKey' | 'data'>,
): Promise<void> {
  const { sql } = app
  const [video] = await sql<{ film: string; madeBy: string | null }[]>`
    select coalesce(nullif(left(prompt, ${PROMPT_CHARACTERS}), ''), model || ', ' || mode) as film, made_by from kinora.video where user_id = ${userId} and id = ${videoId}
  `
  const [user] = await sql<{ id: string; email: string }[]>`
    select id, email from public."user" where id = any(${[userId, video?.madeBy ?? userId]}) and "emailVerified"
  `
  if (!user) return
  await enqueueMail(app, {
    ...message,
    userId: user.id,
    to: user.email,
    data: { videoId, film: video?.film ?? '', ...data },
  })
}
