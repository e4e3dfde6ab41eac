/**
 * The validation of a generate request: by the catalogue, of an uploaded start image by its signed link and its owner, and of
 * another site's image by the address that its host name resolves to.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { FetchError } from '../net/fetch-error.ts'
import type { WebhookFormat } from '../webhook/events.ts'
import { checkWebhookUrl } from '../webhook/url.ts'
import { type Checked, catalogue, checkRequest, type GenerateInput, invalid, unusableLink } from './catalogue.ts'
import { startImageDueAt, startImageExtend } from './start-image/start-image.ts'
import { imageName, isOwnFileLink, readImageLink } from './start-image/start-image-link.ts'

/**
 * A validated request. `startImage`: the caller's uploaded image that `startImageUrl` names, if any. `webhook`: where the video's
 * final event is sent besides the user's endpoints.
 */
export type GenerateRequest = Checked & {
  startImage: { id: string; isLinkExpired: boolean } | null
  webhook: { url: string; origin: string; format?: WebhookFormat; events?: string[] | null } | null
}

/** The user waits for the response; a name that takes longer is left to the worker, which checks it again. */
const RESOLVE_TIMEOUT_MS = 3_000

/**
 * Validates a request. Whether an uploaded start image is still stored is decided by video_generate_all, after the idempotency
 * check.
 * @throws AppError 400 (see checkRequest), INVALID_REQUEST for a link of ours that is forged or leads to another user's image,
 *   or a link to a private address, as startImageUrl or as webhookUrl
 */
export async function parseGenerateRequest(app: App, userId: string, request: GenerateInput): Promise<GenerateRequest> {
  const { webhookUrl, webhookFormat: format } = request
  const checked = await parseStartImage(app, userId, checkRequest(catalogue(), request, app))
  if (webhookUrl === undefined) return { ...checked, webhook: null }
  await checkWebhookUrl(app, format?.field ?? 'webhookUrl', webhookUrl)
  const webhook = { url: webhookUrl, origin: URL.parse(webhookUrl)?.origin ?? '' }
  return { ...checked, webhook: format ? { ...webhook, format: format.name, events: format.events } : webhook }
}

async function parseStartImage(app: App, userId: string, checked: Checked): Promise<Omit<GenerateRequest, 'webhook'>> {
  const { startImageUrl } = checked
  if (startImageUrl === null) return { ...checked, startImage: null }
  if (!isOwnFileLink(app.config, startImageUrl)) {
    const refusal = await hostRefusal(app, startImageUrl)
    if (refusal) throw unusableLink(refusal)
    return { ...checked, startImage: null }
  }
  const link = readImageLink(app, startImageUrl)
  // A forged link and another user's image get the same error: a link lets its holder read an image, not use it.
  if (link?.userId !== userId) {
    throw startImageProblem('The startImageUrl is not a link to an image of yours; upload the image first.')
  }
  return {
    ...checked,
    startImageUrl: imageName(link.key),
    startImage: { id: link.id, isLinkExpired: link.isExpired },
  }
}

/** Does what parseGenerateRequest does, and checks that an uploaded start image can be used; the image is kept for a week more. */
export async function checkGenerateRequest(app: App, userId: string, request: GenerateInput): Promise<GenerateRequest> {
  const checked = await parseGenerateRequest(app, userId, request)
  const { startImage } = checked
  if (!startImage) return checked
  if (startImage.isLinkExpired) throw startImageLinkExpired()
  const dueAt = startImageDueAt(app.now())
  if (!(await startImageExtend(app.sql, { userId, imageId: startImage.id, dueAt }))) throw startImageGone()
  return checked
}

/** The reason to refuse the host of a link; null also while the resolver does not answer, which the worker waits for. */
async function hostRefusal(app: App, startImageUrl: string): Promise<FetchError | null> {
  try {
    await app.userFetch.checkHost(startImageUrl, RESOLVE_TIMEOUT_MS)
    return null
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return error.retryable ? null : error
  }
}

export const insufficientCredits = (required: number, available: number) =>
  new AppError(
    'INSUFFICIENT_CREDITS',
    `This film costs ${required} credits and you have ${available}; add credits or choose a shorter or smaller film.`,
    { details: { required, available } },
  )

export const tooManyInProgress = (maxInProgress: number) =>
  new AppError(
    'TOO_MANY_IN_PROGRESS',
    `You have ${maxInProgress} videos in progress, which is the most at a time; wait for one to finish.`,
    { details: { maxInProgress }, retryAfterS: 10 },
  )

export const startImageLinkExpired = () =>
  startImageProblem('The link to the start image has expired; upload the image again.')
export const startImageGone = () => startImageProblem('The start image is no longer kept; upload it again.')

const startImageProblem = (message: string) => invalid('INVALID_REQUEST', 'startImageUrl', message)
