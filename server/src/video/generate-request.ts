/**
 * The whole check of a request for a video: by the catalogue, of an uploaded start image by its link and its owner, and
 * whether it was answered before.
 */
import type { App } from '../app.ts'
import { keyReused } from '../credit/ledger.ts'
import type { AppError } from '../errors.ts'
import { touch } from '../image/start-image.ts'
import { imageName, isOwnFileLink, readImageLink } from '../image/start-image-link.ts'
import { type Checked, catalogue, checkRequest, invalid, type Request } from './catalogue.ts'

export type Generated = { uuid: string; status: 'PENDING'; model: string; creditsUsed: number; createdAt: Date }

/** A request that says one clear thing. `image` is the caller's uploaded image that `startImageUrl` names, if any. */
export type Order = Checked & { image: { id: string; isLinkOver: boolean } | null }

/**
 * Checks a request without making anything. An uploaded start image is answered by its name, and kept for a week more.
 * @throws AppError 400 (see checkRequest), INVALID_REQUEST for a link of ours that does not lead to an image of the caller
 */
export async function checkOrder(app: App, userId: string, request: Request): Promise<Order> {
  const order = readOrder(app, userId, request)
  const problem = await holdImage(app, userId, order)
  if (problem) throw problem
  return order
}

/**
 * What is asked for, whether or not its image can still be had: by this one request is known from another.
 * @throws AppError as checkOrder, except for a link that is over and an image that is gone
 */
export function readOrder(app: App, userId: string, request: Request): Order {
  const checked = checkRequest(catalogue(), request, app.config)
  if (checked.startImageUrl === null || !isOwnFileLink(app.config, checked.startImageUrl))
    return { ...checked, image: null }
  const link = readImageLink(app, checked.startImageUrl)
  // Somebody else's image and a forged link look alike: who has a link may look at it, but it is not theirs to use.
  if (link?.userId !== userId) {
    throw unusable('The startImageUrl is not a link to an image of yours; upload the image first.')
  }
  return { ...checked, startImageUrl: imageName(link.key), image: { id: link.id, isLinkOver: link.isExpired } }
}

/** Keeps the order's image, if it has one, for a week more; or answers why it cannot be used. */
export async function holdImage(app: App, userId: string, { image }: Order): Promise<AppError | null> {
  if (!image) return null
  if (image.isLinkOver) return unusable('The link to the start image has expired; upload the image again.')
  if (await touch(app, userId, { id: image.id })) return null
  return unusable('The start image is no longer kept; upload it again.')
}

/** What this key was answered with; null when it is new. @throws AppError IDEMPOTENCY_KEY_REUSED */
export async function firstAnswer(
  { sql, now }: App,
  userId: string,
  key: string,
  hash: Buffer,
): Promise<Generated | null> {
  // The first request may still be at it; it holds this lock.
  await sql`select from kinora.credit_lock(${userId}, ${now()})`
  const [row] = await sql<{ requestHash: Buffer; id: string; model: string; credits: number; createdAt: Date }[]>`
    select k.request_hash, v.id, v.model, v.credits, v.created_at
    from kinora.idempotency_key k
    join kinora.video v on v.user_id = k.user_id and v.id = k.subject_id
    where k.user_id = ${userId} and k.operation = 'video.generate' and k.key = ${key}
  `
  if (!row) return null
  if (!hash.equals(row.requestHash)) throw keyReused()
  return { uuid: row.id, status: 'PENDING', model: row.model, creditsUsed: row.credits, createdAt: row.createdAt }
}

const unusable = (message: string) => invalid('INVALID_REQUEST', 'startImageUrl', message)
