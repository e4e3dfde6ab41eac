/**
 * The rows that an export contains, read in pages (keyset pagination), so that memory is bounded however many there
 * are. Each page is a statement of its own: rows that change during the export may be there in either version.
 */
import { listTeamInvitations } from '../account/team/invitation.ts'
import { listMembers } from '../account/team/team.ts'
import type { App } from '../app.ts'
import { videoColumns } from '../db/columns.ts'
import type { Row as RowOf } from '../film/fields.ts'
import { NIL_UUID } from '../id.ts'

type Row = Record<string, unknown>
/** Rows of one kind: `page` returns up to `limit` rows after the last one, or the first. */
type Pages<T extends Row> = (last: T | undefined, limit: number) => PromiseLike<T[]>

const PAGE = 500

/** Yields all rows, page by page. */
export async function* rowsOf<T extends Row>(pages: Pages<T>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page = await pages(last, PAGE)
    yield* page
    last = page.at(-1)
    if (page.length < PAGE) return
  }
}

/**
 * A user's profile and what belongs to signing in, or a team with its members and keys, without secrets: no tokens, no
 * hashes of passwords or keys; and the sums of the books.
 */
export async function readProfile(app: App, userId: string): Promise<Row> {
  const [team] = await app.sql<
    Row[]
  >`select id, name, created_at, requires_factor as second_factor_required from kinora.team where id = ${userId}`
  const [access, books, consents, desk] = await Promise.all([
    team ? readTeamAccess(app, userId) : readSignIn(app, userId),
    readBooks(app, userId),
    app.sql<
      Row[]
    >`select version, text, given_by, given_at from kinora.consent where user_id = ${userId} order by given_at`,
    readDesk(app, userId),
  ])
  return { ...(team && { team }), ...access, ...books, consents, ...desk }
}

/** What administrators have noted and limited. */
async function readDesk({ sql }: App, userId: string): Promise<Row> {
  const [notes, tags, [limits]] = await Promise.all([
    sql<Row[]>`select text, created_at from kinora.owner_note where user_id = ${userId} order by id`,
    sql<{ tag: string }[]>`select tag from kinora.owner_tag where user_id = ${userId} order by tag`,
    sql<Row[]>`
      select max_in_progress, max_requests as requests_per_minute, budget, budget_period
      from kinora.api_key
      where user_id = ${userId} and id = ${userId}
    `,
  ])
  return { notes, tags: tags.map(({ tag }) => tag), limits: limits ?? null }
}

async function readTeamAccess(app: App, teamId: string): Promise<Row> {
  const [members, invitations, apiKeys] = await Promise.all([
    listMembers(app, teamId),
    listTeamInvitations(app, teamId),
    readApiKeys(app, teamId),
  ])
  return { members, invitations, apiKeys }
}

const readApiKeys = ({ sql }: App, userId: string) => sql<Row[]>`
  select k.name, k.start, k.enabled, k."createdAt" as created_at, k."expiresAt" as expires_at, k."lastRequest" as last_request,
         a.scopes, a.budget, a.budget_period
  from public.apikey k
  left join kinora.api_key a on a.user_id = ${userId} and a.id::text = k.id
  where k."referenceId" = ${userId}
  order by k.id
`

async function readSignIn(app: App, userId: string): Promise<Row> {
  const { sql } = app
  const [[user], sessions, apiKeys, passkeys, connectedApps, signIns, teams, [invitation]] = await Promise.all([
    sql<Row[]>`
      select id, name, email, "emailVerified" as email_verified, image, "createdAt" as created_at, "updatedAt" as updated_at,
             coalesce(role, 'user') as role, coalesce("twoFactorEnabled", false) as two_factor_enabled,
             "language"
      from public."user"
      where id = ${userId}
    `,
    sql<Row[]>`
      select "createdAt" as created_at, "updatedAt" as updated_at, "expiresAt" as expires_at, "ipAddress" as ip_address,
             "userAgent" as user_agent
      from public."session"
      where "userId" = ${userId}
      order by id
    `,
    readApiKeys(app, userId),
    sql<Row[]>`select name, "createdAt" as created_at from public.passkey where "userId" = ${userId} order by id`,
    sql<Row[]>`
      select c.name, k.scopes, k."createdAt" as created_at
      from public."oauthConsent" k
      join public."oauthClient" c on c."clientId" = k."clientId"
      where k."userId" = ${userId}
      order by k.id
    `,
    sql<Row[]>`
      select "providerId" as provider, case when "providerId" <> 'credential' then "accountId" end as account,
             "createdAt" as created_at
      from public.account
      where "userId" = ${userId}
      order by id
    `,
    sql<Row[]>`
      select t.name, m.role, m.created_at
      from kinora.team_member m
      join kinora.team t on t.id = m.team_id
      where m.user_id = ${userId}
      order by t.id
    `,
    sql<Row[]>`select email, credits, created_at, used_at from kinora.invitation where used_by = ${userId}`,
  ])
  return { user, sessions, apiKeys, passkeys, connectedApps, signIns, teams, invitation: invitation ?? null }
}

async function readBooks({ sql }: App, userId: string): Promise<Row> {
  const [subscriptions, [credits], packages, [spendingRule], topUps] = await Promise.all([
    sql<Row[]>`
      select id, processor, external_id, customer, plan, status, current_period_start, current_period_end, cancel_at_period_end,
             cancelled_at, created_at, updated_at
      from kinora.subscription
      where user_id = ${userId}
      order by id
    `,
    sql<Row[]>`
      select available, frozen, used, expired, clawed_back, total from kinora.credit_account where user_id = ${userId}
    `,
    sql<Row[]>`
      select id, trans_type, source, order_no, from_user_id, initial, remaining, frozen, used, expired, clawed_back, moved, transferred,
             expires_at, created_at
      from kinora.credit_package
      where user_id = ${userId}
      order by id
    `,
    sql<Row[]>`
      select day_credits, week_credits, product, below, month_max, paused from kinora.spending_rule where user_id = ${userId}
    `,
    sql<Row[]>`
      select id, product, state, external_id, reason, created_at from kinora.top_up where user_id = ${userId} order by id
    `,
  ])
  return { subscriptions, credits: credits ?? null, packages, spendingRule: spendingRule ?? null, topUps }
}

export type FileRow = Row & { id: string; key: string }
export type VideoRow = RowOf<'export'>

/** Videos, oldest first; deleted ones too, as long as their prompt is kept. A key is null when its file is removed. */
export const videoPages =
  ({ sql, now }: App, userId: string, subject: string | null = null): Pages<VideoRow> =>
  (last, limit) =>
    sql<VideoRow[]>`
    select ${videoColumns(sql, 'export', now())}
    from kinora.video v
    where v.user_id = ${userId} and v.id > ${last?.id ?? NIL_UUID} ${subject === null ? sql`` : sql`and v.subject = ${subject}`}
    order by v.id
    limit ${limit}
  `

export const folderPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, name, made_by, created_at
    from kinora.video_folder
    where user_id = ${userId} and id > ${last?.id ?? NIL_UUID}
    order by id
    limit ${limit}
  `

export const projectPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select p.id, p.name, p.aspect_ratio, p.fit, p.sound, p.version, p.made_by, p.changed_by, p.created_at, p.updated_at, (
             select coalesce(jsonb_agg(
               to_jsonb(s) - '{user_id,project_id,position}'::text[] || jsonb_build_object('takes', array(
                 select t.video_id from kinora.shot_take t
                 where t.user_id = s.user_id and t.project_id = s.project_id and t.shot_id = s.id
                 order by t.video_id
               ))
               order by s.position
             ), '[]')
             from kinora.shot s
             where s.user_id = p.user_id and s.project_id = p.id
           ) as shots
    from kinora.project p
    where p.user_id = ${userId} and p.id > ${last?.id ?? NIL_UUID}
    order by p.id
    limit ${limit}
  `

/** Films that the user published on Explore, and what administrators decided. */
export const publicationPages =
  ({ sql }: App, userId: string): Pages<Row & { videoId: string }> =>
  (last, limit) =>
    sql<(Row & { videoId: string })[]>`
    select video_id, id, shows_name, published_at, administrator_id, removed_at, removal_reason
    from kinora.explore_film
    where user_id = ${userId} and video_id > ${last?.videoId ?? NIL_UUID}
    order by video_id
    limit ${limit}
  `

/** What administrators decided on the user's films, and what the user said against it. */
export const takedownPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, video_id, cut_ids, state, ground, rule, source, is_automated, reason, decided_at, objection, objected_at, answer, answered_at
    from kinora.takedown
    where user_id = ${userId} and id > ${last?.id ?? NIL_UUID}
    order by id
    limit ${limit}
  `

/** The user's reports of published films, without whose these are. */
export const reportPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select r.id, f.id as film_id, r.reason, r.note, r.created_at
    from kinora.explore_report r
    join kinora.explore_film f on f.user_id = r.maker_id and f.video_id = r.video_id
    where r.user_id = ${userId} and r.id > ${last?.id ?? NIL_UUID}
    order by r.id
    limit ${limit}
  `

export const assetPages =
  ({ sql }: App, userId: string, subject: string | null = null): Pages<FileRow> =>
  (last, limit) =>
    sql<FileRow[]>`
    select id, key, kind, name, made_by, subject, content_type, width, height, duration_s, has_sound, size_bytes, created_at
    from kinora.asset
    where user_id = ${userId} and state = 'kept' and id > ${last?.id ?? NIL_UUID}
      ${subject === null ? sql`` : sql`and subject = ${subject}`}
    order by id
    limit ${limit}
  `

export const historyPages =
  ({ sql }: App, userId: string): Pages<Row & { n: number }> =>
  (last, limit) =>
    sql<(Row & { n: number })[]>`
    select n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id, source,
           expires_at, graces, coalesce(encode(hash, 'hex'), '') as hash, created_at
    from kinora.credit_transaction
    where user_id = ${userId} and n > ${last?.n ?? 0}
    order by n
    limit ${limit}
  `

/** Payments by the processors' ids. The same page of all users' objects needs no index beside the one there is. */
export const paymentPages =
  ({ sql }: App, userId: string): Pages<Row & { processor: string; externalId: string }> =>
  (last, limit) =>
    sql<(Row & { processor: string; externalId: string })[]>`
    select o.processor, o.external_id, o.source, (
             select max(p.paid)::bigint from kinora.payment p where p.user_id = o.user_id and p.source = o.external_id
           ) as paid
    from kinora.payment_object o
    where o.user_id = ${userId} and (o.processor, o.external_id) > (${last?.processor ?? ''}, ${last?.externalId ?? ''})
    order by o.processor, o.external_id
    limit ${limit}
  `

/** Events of the payment processors that still have their body; `body` is the processor's JSON as text. */
export const paymentEventPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, processor, external_id, type, state, received_at, applied_at, body
    from kinora.payment_event
    where user_id = ${userId} and body <> '' and id > ${last?.id ?? NIL_UUID}
    order by id
    limit ${limit}
  `

/** What administrators and the service did with the account. */
export const auditPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, actor_id, action, subject, before, after, reason, created_at
    from kinora.audit
    where user_id = ${userId} and id > ${last?.id ?? NIL_UUID}
    order by id
    limit ${limit}
  `

/** Webhook endpoints, without their secrets. */
export const webhookPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, url, description, events, subject, metadata, disabled_reason, disabled_at, failing_since, created_at, updated_at
    from kinora.webhook_endpoint
    where user_id = ${userId} and id > ${last?.id ?? NIL_UUID} and is_registered
    order by id
    limit ${limit}
  `

export const mailPages =
  ({ sql }: App, userId: string): Pages<Row & { id: string }> =>
  (last, limit) =>
    sql<(Row & { id: string })[]>`
    select id, kind, recipient, data, state, attempted_at, created_at
    from kinora.mail
    where user_id = ${userId} and id > ${last?.id ?? NIL_UUID}
    order by id
    limit ${limit}
  `

export const webhookDeliveryPages =
  ({ sql }: App, userId: string): Pages<Row & { endpointId: string; id: string }> =>
  (last, limit) =>
    sql<(Row & { endpointId: string; id: string })[]>`
    select endpoint_id, id, type, url, body, state, attempt, attempted_at, response_status, response_body, error, created_at
    from kinora.webhook_delivery
    where user_id = ${userId} and (endpoint_id, id) > (${last?.endpointId ?? NIL_UUID}, ${last?.id ?? NIL_UUID})
    order by endpoint_id, id
    limit ${limit}
  `
