/**
 * Generate requests that a client sends again because it has not received the response, without an Idempotency-Key.
 * Invariants: such a repetition creates no second video, and it gets no film that another member of the team made. Two
 * kinds of clients:
 *
 * - `announced`: every attempt has its number. A repetition returns the newest video of the same request of the last
 *   half hour whose end was not read, which is more than two attempts of ten minutes, the longest that a client waits
 *   by default. A first attempt always creates a video.
 * - `silent`: a repetition has no mark. The same body is the same request while its film is being made, and for two
 *   minutes until its end was read (video/end-read.ts), when the answer to the earlier one can have been lost: that was
 *   given, or its client had gone, at least the client's pause before this request began. Two requests at once are two
 *   films, and when both repeat, each gets its own.
 */

import { hash as hashOf, randomUUID } from 'node:crypto'
import { subjectOf } from '../account/credential/reader.ts'
import type { Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { hasDefaults } from '../catalogue/model.ts'
import { part } from '../db/call.ts'
import { videoColumns } from '../db/columns.ts'
import { AppError } from '../errors.ts'
import { givenInputs } from '../film/inputs.ts'
import { idempotencyKeyOf, markReplay } from '../http/request/idempotency.ts'
import { userOf } from '../http/request/request.ts'
import { firstIdOf } from '../id.ts'
import { wellFormedJson } from '../text/json-reader.ts'
import { generate } from '../video/generate.ts'
import type { FilmInput } from '../video/generate-request.ts'
import { type Generated, hashOfRequest, keyPrefixOf, toGenerated, valuesOf } from '../video/replay.ts'
import type { Call } from './format.ts'

/**
 * `arrivedAt`: when the request began. `pauseMs`: the least time between an answer and its repetition by this client.
 * `signal` aborts when the client has gone.
 */
type Silent = { kind: 'silent'; body: unknown; arrivedAt: Date; pauseMs: number; signal: AbortSignal }
export type Repetition = { kind: 'announced'; attempt: number } | Silent

const ANNOUNCED_WINDOW_MS = 30 * 60_000
const SILENT_WINDOW_MS = 2 * 60_000
/** A film is final within an hour. Its key names the window in which it was requested, and its number there. */
const KEY_WINDOW_MS = 10 * 60_000
const KEY_WINDOWS = 6
/** The number of keys that are looked up at first, and twice as many each time that a window has more. */
const KEYS_PER_WINDOW = 10

/** Does what `generate` does for the caller; `repetition` counts without an idempotency key only. */
export async function generateOnce(call: Call, request: FilmInput, repetition: Repetition): Promise<Generated> {
  const made = await generateOrFind(call, request, repetition)
  markReplay(call.reply, !made.isNew)
  return made
}

/** The same request returns the film of one without an idempotency key until its end has been read. */
const UNTIL_READ = { isReplayable: true }

async function generateOrFind(
  { app, request: sent }: Call,
  request: FilmInput,
  repetition: Repetition,
): Promise<Generated> {
  const spender = userOf(sent)
  const { userId } = spender
  const idempotencyKey = idempotencyKeyOf(sent.headers)
  if (idempotencyKey !== null) return generate(app, spender, request, idempotencyKey)
  if (repetition.kind === 'silent') return generateSilently(app, spender, request, repetition)
  if (repetition.attempt === 0) {
    // The row keeps a link of another site only until the image is fetched, has the model's defaults, is one of a
    // batch, and what is noted is no parameter; the key keeps the hash of the request.
    const isChanged =
      givenInputs(request) !== null ||
      request.n !== undefined ||
      request.metadata !== undefined ||
      hasDefaults(catalogue(app.config).get(request.model))
    return generate(app, spender, request, isChanged ? `first:${randomUUID()}` : null, UNTIL_READ)
  }
  const hash = hashOfRequest(app, request)
  const { mode: _, ...parameters } = valuesOf(app, request)
  const values = wellFormedJson(parameters)
  const nowMs = app.now().getTime()
  const since = new Date(nowMs - ANNOUNCED_WINDOW_MS)
  const [video] = await app.sql<
    { id: string; model: string; credits: number; createdAt: Date; isSame: boolean; ids: string[] }[]
  >`
    select v.id, v.model, v.credits, v.created_at, v.deleted_at is null and v.is_replayable is true as is_same,
           ${part(app.sql, 'video_ids_of_batch', { userId: app.sql`v.user_id`, id: app.sql`v.id` })} as ids
    from kinora.video v
    where v.user_id = ${userId} and v.id >= ${firstIdOf(since)} and v.created_at >= ${since}
      and v.made_by is not distinct from ${spender.key?.id ?? null}::uuid and v.subject is not distinct from ${subjectOf(spender)}::text
      and (
        ${request.n === undefined && request.metadata === undefined} and v.batch_id is null and v.metadata is null
        and (select to_jsonb(s) from (select ${videoColumns(app.sql, 'claim', app.now())}) s) @> ${values}::text::jsonb
        or exists (
          select from kinora.idempotency_key k
          where k.user_id = ${userId} and k.operation = 'video.generate' and k.subject_id = v.id and k.request_hash = ${hash}
        )
      )
    order by is_same desc, v.id desc
    limit 1
  `
  if (video?.isSame) return toGenerated(video, request, false)
  // The key lets one of concurrent repetitions create the video. After a deletion, or when the end was read, it is
  // another key: that of the earlier video would return it again.
  const after = video?.id ?? Math.floor(nowMs / ANNOUNCED_WINDOW_MS)
  return generate(app, spender, request, `retry:${hash.toString('base64url')}:${after}`, UNTIL_READ)
}

/**
 * The usual case is a body that was not sent before: its first key creates a video, in the one round trip that a
 * request takes. Only when that key has a video already are the keys of the body looked up.
 */
async function generateSilently(app: App, spender: Spender, request: FilmInput, repetition: Silent) {
  const { userId } = spender
  const hash = hashOf('sha256', JSON.stringify(repetition.body), 'base64url')
  const firstKey = `${keyPrefixOf(spender)}body:${hash}`
  const before = [...underway].filter((each) => each.userId === userId && each.key.startsWith(firstKey))
  const first = await generateUnderway(app, spender, request, firstKey, repetition)
  if (first?.isNew) return first
  const answeredSince = await keysOfNew(before)
  for (;;) {
    const { lost, next } = await findKeys(app, userId, { firstKey, answeredSince, repetition })
    if (lost === null) {
      const made = await generateUnderway(app, spender, request, next, repetition)
      if (made?.isNew) return made
    } else if (await claimAnswer(app, userId, lost, repetition))
      return generate(app, spender, request, sentKey(spender, lost))
  }
}

/** A key as `generate` takes it, of one as it is stored. */
const sentKey = (spender: Spender, key: string): string => key.slice(keyPrefixOf(spender).length)

/**
 * The requests that this process has not answered yet, whose clients are there: one that arrives meanwhile repeats none
 * of them. Of those in another process, the pause of a client tells.
 */
const underway = new Set<{ userId: string; key: string; isNew: Promise<boolean> }>()

/** Does what `generate` does; null when the key has the video of another request, such as another default length. */
function generateUnderway(app: App, spender: Spender, request: FilmInput, key: string, { signal }: Silent) {
  const making = generate(app, spender, request, sentKey(spender, key), UNTIL_READ).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED') return null
    throw error
  })
  const isNew = making.then(
    (made) => made?.isNew ?? false,
    () => false,
  )
  const entry = { userId: spender.userId, key, isNew }
  const end = () => underway.delete(entry)
  if (!signal.aborted) underway.add(entry)
  signal.addEventListener('abort', end, { once: true })
  isNew.then(end)
  return making
}

async function keysOfNew(requests: Iterable<{ key: string; isNew: Promise<boolean> }>): Promise<string[]> {
  const keys = await Promise.all([...requests].map(async ({ key, isNew }) => ((await isNew) ? [key] : [])))
  return keys.flat()
}

/**
 * The keys of a body. `lost`: of the film whose answer this request may repeat, the one that was answered longest ago;
 * a film is repeated while it is being made, and for two minutes, unless it failed, was deleted or its end was read.
 * `next`: the key of the next film.
 */
async function findKeys(
  { sql, now }: App,
  userId: string,
  { firstKey, answeredSince, repetition }: { firstKey: string; answeredSince: string[]; repetition: Silent },
): Promise<{ lost: string | null; next: string }> {
  const nowMs = now().getTime()
  const window = Math.floor(nowMs / KEY_WINDOW_MS)
  const keyOf = (age: number, n: number) => `${firstKey}:${window - age}:${n}`
  for (let perWindow = KEYS_PER_WINDOW; ; perWindow *= 2) {
    const keysOf = (age: number) => Array.from({ length: perWindow }, (_, n) => keyOf(age, n))
    const windows = Array.from({ length: KEY_WINDOWS + 1 }, (_, age) => keysOf(age))
    const rows = await sql<{ key: string; isSame: boolean; answeredAt: Date }[]>`
      select k.key, k.created_at as answered_at,
             v.deleted_at is null and v.status <> 'FAILED' and v.is_replayable is true
             and (v.due_at is not null or k.created_at > ${new Date(nowMs - SILENT_WINDOW_MS)}) as is_same
      from kinora.idempotency_key k
      join kinora.video v on v.user_id = k.user_id and v.id = k.subject_id
      where k.user_id = ${userId} and k.operation = 'video.generate'
        and k.key = any(${[firstKey, ...windows.flat()]}::text[])
      order by k.created_at, k.key
    `
    const used = new Set(rows.map(({ key }) => key))
    // The numbers of a window are used in sequence: with its last one there may be more.
    if (windows.some((keys) => used.has(keys.at(-1) ?? ''))) continue
    const lost = rows.find(
      ({ key, isSame, answeredAt }) => isSame && !answeredSince.includes(key) && answeredAt <= lostBefore(repetition),
    )
    return { lost: lost?.key ?? null, next: keyOf(0, (windows[0] ?? []).filter((key) => used.has(key)).length) }
  }
}

/** A client that has lost an answer which was given later would not have sent its repetition yet. */
const lostBefore = ({ arrivedAt, pauseMs }: Silent): Date => new Date(arrivedAt.getTime() - pauseMs)

/** Notes that an answer is given again, so that of two repetitions at once each gets its own film. */
async function claimAnswer({ sql, now }: App, userId: string, key: string, repetition: Silent): Promise<boolean> {
  const claimed = await sql`
    update kinora.idempotency_key
    set created_at = ${now()}
    where user_id = ${userId} and operation = 'video.generate' and key = ${key} and created_at <= ${lostBefore(repetition)}
  `
  return claimed.count === 1
}
