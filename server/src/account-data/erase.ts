/**
 * Erases what deleted accounts leave behind, and what the browser tokens of a subject made when its erasure is asked
 * for: films, assets, prompts, logs and payment bodies. Every step may be repeated, and an account is swept until
 * nothing is left, so a failing storage or a dying worker only delays it. Videos in progress run to their end, are
 * settled or released, and are erased by a later sweep.
 */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { inEach } from '../db/parts.ts'
import { applyAll } from '../db/set-calls.ts'
import { NIL_UUID, testOwnerOf } from '../id.ts'
import { parseJson } from '../text/json-reader.ts'
import { keysOf } from '../video/film-files.ts'
import { videoFilesRemoved } from '../video/film-transitions.ts'
import type { FilmKeys } from '../video/transitions.ts'
import { finishDeletion, passOnOwed } from './delete.ts'

const BATCH = 100
/** The caller of an erasure waits at most so long for what can be erased at once. */
const ERASE_MS = 5_000
/**
 * An account is not erased before: a credential may work for a second after the deletion
 * (account/credential/revocations.ts), in which a request may still create a video or store an image; an upload that
 * began before it takes minutes; and an administrator's operation may write its audit entry.
 */
const SETTLE_MS = 15 * 60_000
/** A charge is given up within a day. */
const TOP_UP_MS = 2 * 86_400_000

/**
 * Sweeps all accounts that are deleted and not erased. A failure is logged, and the next sweep tries again.
 * @throws when the clock of this process is ahead of the database's: nothing is removed
 */
export async function eraseDeletedAccounts(app: App, signal?: AbortSignal): Promise<void> {
  const { sql } = app
  await sql`select kinora.check_clock(${app.now()})`
  for (let after = NIL_UUID; !signal?.aborted; ) {
    const accounts = await sql<Account[]>`
      select user_id, unfinished is not null as is_unfinished, deleted_at
      from kinora.deleted_account
      where erased_at is null and user_id > ${after}
      order by user_id
      limit ${BATCH}
    `
    for (const account of accounts) {
      if (signal?.aborted) return
      const { userId } = account
      await eraseAccount(app, account, signal).catch((err: unknown) =>
        app.log.error({ err, userId }, 'a deleted account could not be erased; the next sweep tries again'),
      )
    }
    if (accounts.length < BATCH) return
    after = accounts.at(-1)?.userId ?? after
  }
}

/** `isUnfinished`: the process that deleted the account has died in between, or the user's node was down. */
type Account = { userId: string; isUnfinished: boolean; deletedAt: Date }

async function eraseAccount(
  app: App,
  { userId, isUnfinished, deletedAt }: Account,
  signal?: AbortSignal,
): Promise<void> {
  const { sql } = app
  const now = app.now()
  if (isUnfinished) await finishDeletion(app, userId)
  let isErased = true
  for (const owner of [userId, testOwnerOf(userId)]) isErased = (await eraseOwner(app, owner, signal)) && isErased
  await passOnOwed(app, userId)
  if (!isErased || now.getTime() - deletedAt.getTime() < SETTLE_MS) return
  await sql`update kinora.deleted_account set erased_at = ${now} where user_id = ${userId} and erased_at is null`
}

/** Returns whether nothing is left of the owner. */
async function eraseOwner(app: App, userId: string, signal?: AbortSignal): Promise<boolean> {
  const { sql } = app
  const now = app.now()
  await eraseVideos(app, { userId }, signal)
  // Their own sweep removes those that no video in progress uses; one with a name would stay.
  await sql`
    update kinora.asset set name = null, due_at = ${now}
    where user_id = ${userId} and state = 'kept' and (due_at > ${now} or name is not null)
  `
  await sql`update kinora.asset_upload set due_at = ${now} where user_id = ${userId} and due_at > ${now}`
  await erasePaymentBodies(app, userId)
  await eraseWebhooks(app, userId, signal)
  // What a request in flight has created: messages, shares, publications, samples, reports, folders, projects and keys.
  await sql`delete from kinora.mail where user_id = ${userId}`
  await sql`delete from kinora.mail_setting where user_id = ${userId}`
  await sql`delete from kinora.spending_rule where user_id = ${userId}`
  // One under way is given up by its worker, or has none any more.
  await sql`
    delete from kinora.top_up
    where user_id = ${userId} and (due_at is null or created_at < ${new Date(now.getTime() - TOP_UP_MS)})
  `
  await sql`delete from kinora.video_share where user_id = ${userId}`
  await sql`delete from kinora.explore_film where user_id = ${userId}`
  await sql`delete from kinora.model_sample where user_id = ${userId}`
  await sql`update kinora.explore_report set note = null where user_id = ${userId} and note is not null`
  // The statement of reasons stays, without the user's own words.
  await sql`update kinora.takedown set objection = null where user_id = ${userId} and objection is not null`
  await sql`delete from kinora.video_folder where user_id = ${userId}`
  await call(sql, 'project_erase', { userId })
  await sql`delete from public.apikey where "referenceId" = ${userId}`
  await sql`delete from kinora.key_token where user_id = ${userId}`
  await sql`delete from kinora.subject_erasure where user_id = ${userId}`
  // Redacts entries that were written after the deletion.
  await call(sql, 'audit_redact', { userId })
  return call(sql, 'account_is_erased', { userId })
}

type VideoRow = { id: string; hasFilm: boolean } & FilmKeys

/** `left`: the videos that are in progress or not erased yet, and the uploads that such a video uses. */
export type SubjectErasure = { subject: string; left: { videos: number; images: number }; erased: boolean }

/**
 * Erases what the tokens of a subject made so far, as far as `ERASE_MS` suffice; the sweep erases the rest. Idempotent:
 * the answer to a repetition says what is left.
 */
export async function eraseSubject(app: App, userId: string, subject: string): Promise<SubjectErasure> {
  const { sql, now } = app
  const at = now()
  await call(sql, 'subject_erase', { userId, subject, now: at })
  await sql`insert into kinora.credential_revocation (user_id) values (${userId}) on conflict do nothing`
  return eraseOfSubject(app, { userId, subject, requestedAt: at }, AbortSignal.timeout(ERASE_MS))
}

/** Sweeps all subjects whose data is to be erased. A failure is logged, and the next sweep tries again. */
export async function eraseSubjects(app: App, signal?: AbortSignal): Promise<void> {
  const due = (sql: App['sql']) =>
    sql<Subject[]>`select user_id, subject, requested_at from kinora.subject_erasure limit ${BATCH}`
  for await (const subjects of inEach(app, app.database.parts(), due)) {
    for (const subject of subjects) {
      if (signal?.aborted) return
      await eraseOfSubject(app, subject, signal).catch((err: unknown) =>
        app.log.error(
          { err, userId: subject.userId },
          'the data of a subject could not be erased; the next sweep tries again',
        ),
      )
    }
  }
}

type Subject = { userId: string; subject: string; requestedAt: Date }

async function eraseOfSubject(app: App, of: Subject, signal?: AbortSignal): Promise<SubjectErasure> {
  const { sql, now } = app
  const { userId, subject, requestedAt } = of
  await eraseVideos(app, of, signal)
  await sql`
    update kinora.asset set name = null, due_at = ${now()}
    where user_id = ${userId} and subject = ${subject} and state = 'kept' and (due_at > ${now()} or name is not null)
      and created_at <= ${requestedAt}
  `
  await sql`
    update kinora.asset_upload set due_at = ${now()}
    where user_id = ${userId} and subject = ${subject} and due_at > ${now()} and created_at <= ${requestedAt}
  `
  // Those of films go with their rows.
  await sql`
    delete from kinora.webhook_delivery
    where user_id = ${userId} and type in ('asset.created', 'asset.deleted') and created_at <= ${requestedAt}
      and body::jsonb -> 'data' ->> 'subject' = ${subject}
  `
  const [left] = await sql<[SubjectErasure['left']]>`
    select (
             select count(*) from kinora.video
             where user_id = ${userId} and subject = ${subject} and created_at <= ${requestedAt}
           ) as videos,
           (
             select count(*) from kinora.asset
             where user_id = ${userId} and subject = ${subject} and created_at <= ${requestedAt}
           ) + (
             select count(*) from kinora.asset_upload
             where user_id = ${userId} and subject = ${subject} and created_at <= ${requestedAt}
           ) as images
  `
  const erased = left.videos === 0 && left.images === 0
  if (erased) {
    await sql`
      delete from kinora.subject_erasure where user_id = ${userId} and subject = ${subject} and requested_at <= ${requestedAt}
    `
  }
  return { subject, left, erased }
}

/** Soft-deletes videos of a user or subject, removes final ones' films, then erases their rows, in batches. */
async function eraseVideos(app: App, of: { userId: string } | Subject, signal?: AbortSignal): Promise<void> {
  const { sql } = app
  const { userId } = of
  const reason = 'subject' in of ? 'SUBJECT_ERASED' : 'ACCOUNT_DELETED'
  const isOfSubject = 'subject' in of ? sql`and subject = ${of.subject} and created_at <= ${of.requestedAt}` : sql``
  for (let after = NIL_UUID; !signal?.aborted; ) {
    const rows = await sql<VideoRow[]>`
      select id, video_key, thumbnail_key, video_key is not null and files_removed_at is null as has_film
      from kinora.video
      where user_id = ${userId} and id > ${after} ${isOfSubject}
        and (prompt <> '' or made_of is not null or deleted_at is null or (video_key is not null and files_removed_at is null))
      order by id
      limit ${BATCH}
    `
    const ids = rows.map(({ id }) => id)
    const now = app.now()
    // A step, because it keeps the counters of the lists.
    if (ids.length > 0) {
      await applyAll(sql, JSON.stringify(ids.map((id) => ({ step: 'delete', user_id: userId, id }))), now)
    }
    for (const { id, hasFilm, ...files } of rows) {
      if (!hasFilm) continue
      // The row is changed last: a worker that dies before it leaves the removal to the next sweep.
      for (const key of keysOf(files)) await app.storage.remove(key)
      await videoFilesRemoved(sql, { userId, videoId: id, reason, now: app.now() })
    }
    if ('subject' in of) {
      await call(sql, 'subject_erase_traces', { userId, ids, now: app.now() })
    }
    await call(sql, 'account_erase_videos', { userId, ids, now: app.now() })
    if (rows.length < BATCH) return
    after = ids.at(-1) ?? after
  }
}

/** The deliveries, a batch at a time; and the endpoints that a request in flight at the deletion has created. */
async function eraseWebhooks({ sql }: App, userId: string, signal?: AbortSignal): Promise<void> {
  await sql`delete from kinora.webhook_endpoint where user_id = ${userId}`
  await sql`delete from kinora.webhook_of_video where user_id = ${userId}`
  await sql`delete from kinora.webhook_account where user_id = ${userId}`
  while (!signal?.aborted) {
    const { count } = await sql`
      delete from kinora.webhook_delivery
      where ctid = any(array(select ctid from kinora.webhook_delivery where user_id = ${userId} limit 1000))
    `
    if (count === 0) return
  }
}

/**
 * Empties the bodies of the user's payment events. An event that is not applied yet may still be applied, from its
 * body: it loses the fields that describe a person, and keeps the ids and amounts.
 */
async function erasePaymentBodies({ sql }: App, userId: string): Promise<void> {
  await sql`
    update kinora.payment_event set body = '' where user_id = ${userId} and body <> '' and state in ('applied', 'ignored')
  `
  const open = await sql<{ id: string; body: string }[]>`
    select id, body
    from kinora.payment_event
    where state in ('waiting', 'failed', 'unmatched', 'dismissed') and body <> ''
      and (
        strpos(body, ${userId}) > 0
        or refs && array(select external_id from kinora.payment_object where user_id = ${userId})
      )
  `
  for (const { id, body } of open) {
    const redacted = redact(body)
    if (redacted !== body) await sql`update kinora.payment_event set body = ${redacted} where id = ${id}`
  }
}

const PERSONAL =
  /^(email|name|phone|address|country|shipping|customer_(details|email|name|phone|address|shipping|tax_ids)|billing_details|shipping_details|receipt_email|tax_ids|custom_fields)$/

/** The JSON text without the fields that describe a person, at any depth; '' when it is no JSON. */
function redact(body: string): string {
  const json = parseJson(body)
  if (json === null || json === undefined) return ''
  return JSON.stringify(json, (key, value) => (PERSONAL.test(key) ? undefined : value))
}
