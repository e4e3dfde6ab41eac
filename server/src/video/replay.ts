/**
 * Generate requests that are sent again: what a request is recognised by, and its video. Invariant: neither depends on
 * the catalogue or on the settings, so that a request whose video exists is replayed after its model was changed or
 * removed.
 */

import type { Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import { idempotencyKeyReused, requestHash } from '../db/idempotency.ts'
import type { Parameters } from '../film/fields.ts'
import { withInputs } from '../film/inputs.ts'
import { parametersOf } from '../film/parameters.ts'
import type { FilmInput } from './generate-request.ts'
import { sourceOf } from './inputs.ts'

type GeneratedVideo = { uuid: string; status: 'PENDING'; model: string; creditsUsed: number; createdAt: Date }
/** The first video of a request; `creditsUsed` are of all. `videos`: all of them, where the request states how many. */
export type Generated = GeneratedVideo & {
  videos?: GeneratedVideo[]
  /** Whether this request has created the video. */
  isNew: boolean
}
/** `credits` are of each video; `ids`: of a batch. */
type Created = { id: string; model: string; credits: number; createdAt: Date; ids?: string[] | null }

/** The parameters of a request as its video has them; those of a request that is not valid match no video. */
export function valuesOf(app: App, request: FilmInput): Parameters {
  const parameters = parametersOf(withInputs(request))
  const { options, madeOf } = parameters
  return {
    ...parameters,
    madeOf: madeOf?.map((input) => ({ ...input, source: sourceOf(app, input.source) })) ?? null,
    options: options && inOrder(options),
  }
}

/** A map by its names, whichever sequence it was sent in. */
const inOrder = <V>(map: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * The hash by which an idempotency key recognises its request: of every field. One that is absent does not count, so
 * that a new parameter changes no hash of earlier requests.
 */
export function hashOfRequest(app: App, request: FilmInput): Buffer {
  const { metadata } = request
  const all = Object.entries({
    ...withInputs(request),
    ...valuesOf(app, request),
    inputs: null,
    metadata: metadata && inOrder(metadata),
  })
  return requestHash(Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null)))
}

/**
 * What the keys of a caller begin with as they are stored. An Idempotency-Key is a subject's, and in a team its
 * member's: two who choose the same one make a film each. So is that of a program that a member connected. API keys of
 * the team share theirs, as those of a user do. No key that a client sends has a tab.
 */
export function keyPrefixOf({ key }: Spender): string {
  if (key?.token) return `subject:${key.token.subject}\t`
  return key?.isMember || key?.memberId ? `${key.id}\t` : ''
}

/** What the request with this key has created; null for a key that is not known. @throws AppError as findCreated */
export async function findReplay(
  app: App,
  spender: Spender,
  request: FilmInput,
  key: string,
): Promise<Generated | null> {
  const created = await findCreated(app, spender, hashOfRequest(app, request), key)
  return created && toGenerated(created, request, false)
}

/**
 * The video that a request of this hash has created with a key, or the first of several.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function findCreated(app: App, spender: Spender, hash: Buffer, key: string): Promise<Created | null> {
  const [row] = await app.sql<(Created & { isSame: boolean })[]>`
    select v.id, v.model, v.credits, v.created_at, k.request_hash = ${hash} as is_same,
           ${part(app.sql, 'video_ids_of_batch', { userId: app.sql`v.user_id`, id: app.sql`v.id` })} as ids
    from kinora.idempotency_key k
    join kinora.video v on v.user_id = k.user_id and v.id = k.subject_id
    where k.user_id = ${spender.userId} and k.operation = 'video.generate' and k.key = ${keyPrefixOf(spender) + key}
  `
  if (!row) return null
  if (!row.isSame) throw idempotencyKeyReused()
  app.tracing?.noteVideo({ id: row.id, isNew: false })
  return row
}

export function toGenerated(created: Created, { n }: Pick<FilmInput, 'n'>, isNew: boolean): Generated {
  const { id, model, credits: creditsUsed, createdAt, ids } = created
  const first: GeneratedVideo = { uuid: id, status: 'PENDING', model, creditsUsed, createdAt }
  if (n === undefined) return { ...first, isNew }
  const all = ids && ids.length > 0 ? ids : [id]
  return { ...first, creditsUsed: creditsUsed * n, videos: all.map((uuid) => ({ ...first, uuid })), isNew }
}
