/** Films of all users, for administrators: a search of ended ones, and all facts of one but its prompt. */
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Fragment, Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { codecs, type PageQuery, readPage } from '../db/page.ts'
import { fromEach } from '../db/parts.ts'
import { likePattern } from '../db/video-filters.ts'
import { AppError } from '../errors.ts'
import type { Status } from '../film/fields.ts'
import { isUuid } from '../id.ts'
import { type Owner, ownersOf, withOwners } from './owner.ts'
import { type PeriodQuery, periodOf } from './period.ts'

/** How a film ended. A cancelled one has the status FAILED. */
export const OUTCOMES = ['completed', 'failed', 'cancelled'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type EndedVideo = Owner & {
  uuid: string
  userId: string
  outcome: Outcome
  model: string
  /** The account at the AI provider, and the provider's name of the model; null when the film was never sent. */
  account: string
  vendorModel: string | null
  credits: number
  errorCode: string | null
  error: string | null
  createdAt: Date
  completedAt: Date
}

const byOutcome: Record<Outcome, (sql: Query) => Fragment> = {
  completed: (sql) => sql`v.status = 'COMPLETED'`,
  failed: (sql) => sql`v.status = 'FAILED' and v.error_code <> 'CANCELLED'`,
  cancelled: (sql) => sql`v.status = 'FAILED' and v.error_code = 'CANCELLED'`,
}
export const endedFilters = {
  q: filter(
    Type.String({
      maxLength: 200,
      description: 'A part of the error’s text, or a whole error code or provider’s task id',
    }),
    (sql, q) => {
      const text = q.trim()
      if (text === '') return sql`true`
      return sql`(lower(v.error) like ${likePattern(text.toLowerCase())} or v.error_code = ${text} or v.provider_task_id = ${text})`
    },
  ),
  userId: filter(Type.String({ format: 'uuid' }), (sql, id) => sql`v.user_id = ${id}`),
  model: filter(Type.String({ maxLength: 100 }), (sql, model) => sql`v.model = ${model}`),
  account: filter(Type.String({ maxLength: 100 }), (sql, account) => sql`v.providers[v.provider_index] = ${account}`),
  outcome: filter(Type.Enum([...OUTCOMES]), (sql, outcome) => byOutcome[outcome](sql)),
}

/**
 * The films that ended in a period, newest end first. Without `from` the films of one user are those of all time. It
 * reads the films of the period until the page is full, so a rare text costs as much as the report of costs. Not
 * counted, for the same reason.
 * @throws AppError INVALID_REQUEST for an invalid period or cursor
 */
export async function endedVideos(app: App, query: QueryOf<typeof endedFilters> & PeriodQuery & PageQuery) {
  const [since, until] = periodOf(query, app.now(), app.config.site.timeZone)
  const isUnlimited = query.userId !== undefined && query.from === undefined
  const { rows, ...page } = await readPage({ log: app.log, parts: app.database.parts() }, query, {
    // The index `video_ended` has the films in this sequence.
    sequence: {
      columns: [
        { sql: 'v.completed_at', field: 'completedAt', codec: codecs.time },
        { sql: 'v.id', field: 'uuid', codec: codecs.uuid },
      ],
      isAscending: false,
    },
    where: (sql) => sql`
      v.due_at is null and not kinora.is_test(v.user_id) and v.completed_at >= ${isUnlimited ? new Date(0) : since} and v.completed_at < ${until}
      and ${matches(sql, endedFilters, query)}
    `,
    rows: (sql, { where, order, limit }) => sql<Omit<EndedVideo, keyof Owner>[]>`
      with page as materialized (
        select * from kinora.video v
        where ${where}
        order by ${order}
        limit ${limit}
      )
      select v.id as uuid, v.user_id, v.model, v.providers[v.provider_index] as account, v.route_model as vendor_model, v.credits,
             v.error_code, v.error, v.created_at, v.completed_at,
             case when v.status = 'COMPLETED' then 'completed' when v.error_code = 'CANCELLED' then 'cancelled' else 'failed' end as outcome
      from page v
      order by ${order}
    `,
  })
  return { videos: await withOwners(app, rows), ...page }
}

/** What the provider says that a film costs, in its unit; `usd` is null when the unit has no known value. */
export type Cost = { amount: number; unit: string; usd: number | null }

export type VideoDetail = Owner & {
  uuid: string
  userId: string
  status: Status
  model: string
  durationS: number
  quality: string
  aspectRatio: string
  /** The accounts of its routes, in order of preference, and the one in use. */
  accounts: string[]
  account: string
  /** The adapter of the account; null when the account has no settings any more. */
  provider: string | null
  vendorModel: string | null
  providerTaskId: string | null
  credits: number
  /** What became of the credits. */
  creditState: 'frozen' | 'settled' | 'released'
  reservedCost: Cost | null
  finalCost: Cost | null
  catalogueUsd: number | null
  attempt: number
  errorCode: string | null
  error: string | null
  film: { durationS: number; width: number; height: number; sizeBytes: number } | null
  createdAt: Date
  submittedAt: Date | null
  acceptedAt: Date | null
  resultAt: Date | null
  completedAt: Date | null
  deletedAt: Date | null
  filesRemovedAt: Date | null
  deadlineAt: Date
  /** When the next step is due; null: it has ended. */
  dueAt: Date | null
  /** Where the credits came from. */
  paidBy: Origin[]
  /** The newest LOG_MAX entries, oldest first. */
  log: { id: string; event: string; detail: string | null; at: Date }[]
}

/**
 * Credits of a charge that came from one package. `orderNo`, `remark`, `processor`: of the payment that bought it;
 * null: it was a gift, a grant or a code. `fromUserId`: who moved the credits into the team.
 */
export type Origin = {
  packageId: string
  credits: number
  transType: string
  orderNo: string | null
  remark: string | null
  processor: string | null
  fromUserId: string | null
  grantedAt: Date
}

type Row = Omit<VideoDetail, keyof Owner | 'paidBy' | 'provider' | 'reservedCost' | 'finalCost' | 'film' | 'log'> & {
  costUnit: string | null
  unitUsd: number | null
  reserved: number | null
  final: number | null
  filmDurationS: number | null
  filmWidth: number | null
  filmHeight: number | null
  sizeBytes: number | null
  filmKey: string | null
}

const LOG_MAX = 200

/** The user is unknown: an index has ended films by id, and films in progress are few. @throws AppError NOT_FOUND */
export async function getVideo(app: App, uuid: string): Promise<VideoDetail> {
  const [row] = isUuid(uuid) ? await fromEach(app, app.database.parts(), (sql) => readVideo(sql, uuid)) : []
  if (!row) throw noSuchVideo()
  const { costUnit, unitUsd, reserved, final, filmDurationS, filmWidth, filmHeight, sizeBytes, filmKey, ...shown } = row
  const log = await app.sql<VideoDetail['log']>`
    select id, entry as event, detail, at
    from kinora.video_log
    where user_id = ${row.userId} and video_id = ${row.uuid}
    order by id desc
    limit ${LOG_MAX}
  `
  const costOf = (amount: number | null): Cost | null =>
    amount === null || costUnit === null
      ? null
      : { amount, unit: costUnit, usd: unitUsd === null ? null : amount * unitUsd }
  const ownerOf = await ownersOf(app, [row.userId])
  return {
    ...shown,
    paidBy: await originsOf(app, row),
    ...ownerOf(row.userId),
    provider: app.config.providers[row.account]?.adapter ?? null,
    reservedCost: costOf(reserved),
    finalCost: costOf(final),
    film:
      filmKey === null || filmDurationS === null || filmWidth === null || filmHeight === null || sizeBytes === null
        ? null
        : { durationS: filmDurationS, width: filmWidth, height: filmHeight, sizeBytes },
    log: log.toReversed(),
  }
}

/**
 * Makes a video available again that its user has deleted.
 * @throws AppError NOT_FOUND; CONFLICT when it is not deleted, or its files are gone
 */
export async function restoreVideo(
  app: App,
  uuid: string,
  by: { actorId: string; reason: string; requestId: string },
): Promise<{ uuid: string; userId: string }> {
  const { userId } = await getVideo(app, uuid)
  const now = app.now()
  const { deletedS } = app.config.retention
  const since = deletedS === null ? null : new Date(now.getTime() - deletedS * 1000)
  switch (await call(app.sql, 'video_restore', { userId, id: uuid, ...by, now, since })) {
    case 'restored':
      return { uuid, userId }
    case 'not_deleted':
      throw new AppError('CONFLICT', 'This video is not deleted.')
    case 'gone':
      throw new AppError('CONFLICT', 'Its film is gone: the files of a deleted video are kept for DELETED_KEPT.')
    case 'not_found':
      throw noSuchVideo()
  }
}

/** The packages of a hold; credits that came back after their package had expired name the package before. */
const originsOf = async ({ sql }: App, { userId, uuid }: Pick<Row, 'userId' | 'uuid'>): Promise<Origin[]> =>
  await sql<Origin[]>`
    select r.id as package_id, s.credits, r.trans_type, r.order_no, m.remark, m.processor, r.from_user_id, r.created_at as granted_at
    from kinora.credit_hold h
    cross join lateral unnest(h.package_ids, h.package_credits) with ordinality s (package_id, credits, n)
    join kinora.credit_package p on p.user_id = h.user_id and p.id = s.package_id
    join kinora.credit_package r on r.user_id = h.user_id and r.id = coalesce(p.root_id, p.id)
    left join lateral (
      select y.remark, y.processor from kinora.payment y where y.user_id = h.user_id and y.order_no = r.order_no limit 1
    ) m on true
    where h.user_id = ${userId} and h.id = ${uuid}
    order by s.n
  `

const noSuchVideo = () => new AppError('NOT_FOUND', 'There is no video with this uuid.')

const readVideo = (sql: App['sql'], uuid: string) => sql<Row[]>`
  with found as materialized (
    select * from kinora.video where due_at is null and id = ${uuid}
    union all
    select * from kinora.video where due_at is not null and id = ${uuid}
  )
  select v.id as uuid, v.user_id, v.status, v.model, v.duration_s, v.quality, v.aspect_ratio, v.providers as accounts,
         v.providers[v.provider_index] as account, v.route_model as vendor_model, v.provider_task_id, v.credits,
         h.state as credit_state, v.cost_unit, v.unit_usd::float8 as unit_usd, v.reserved_cost::float8 as reserved,
         v.final_cost::float8 as final, v.catalogue_usd::float8 as catalogue_usd, v.attempt, v.error_code, v.error, v.video_key as film_key,
         v.film_duration_s, v.film_width, v.film_height, v.size_bytes, v.created_at, v.submitted_at, v.accepted_at, v.result_at,
         v.completed_at, v.deleted_at, v.files_removed_at, v.deadline_at, v.due_at
  from found v
  join kinora.credit_hold h on h.user_id = v.user_id and h.id = v.id
`
