/**
 * The validation of a generate request: by the catalogue, of an uploaded start image by its signed link and its owner, and of
 * another site's image by the address that its host name resolves to.
 */
import type { App } from '../app.ts'
import { type Catalogue, catalogue } from '../catalogue/catalogue.ts'
import type { Chosen } from '../catalogue/constraints.ts'
import type { Model } from '../catalogue/model.ts'
import { checkByModel, invalid, parametersWith } from '../catalogue/request.ts'
import { AppError } from '../errors.ts'
import { FetchError } from '../net/fetch-error.ts'
import type { WebhookFormat } from '../webhook/events.ts'
import { checkWebhookUrl } from '../webhook/url.ts'
import {
  type Parameters,
  PROMPT_CHARACTERS_MAX,
  parametersOf,
  type RequestedParameters,
  START_IMAGE_URL_CHARACTERS_MAX,
} from './fields.ts'
import { startImageDueAt, startImageExtend } from './start-image/start-image.ts'
import { imageName, isOwnFileLink, readImageLink } from './start-image/start-image-link.ts'

/** The input of a generate request: its types are validated, its values are not. */
export type GenerateInput = RequestedParameters & {
  webhookUrl?: string
  /** The choices for a webhookUrl of a compatible API: its wire format, and Replicate's events that it gets, null for all. */
  webhookFormat?: { name: WebhookFormat; field: string; events: string[] | null }
}

/**
 * A valid request with its price in credits; `chosen`: its fields with the model's defaults. A `startImageUrl` that is our own link is
 * verified later.
 */
type Checked = Omit<Parameters, 'model'> & { model: Model; chosen: Chosen; credits: number }

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
 * @throws AppError 400 (see checkByModel), INVALID_REQUEST for a link of ours that is forged or leads to another user's image,
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

/** @throws AppError INVALID_REQUEST, and those of checkByModel */
function checkRequest(models: Catalogue, input: GenerateInput, app: Pick<App, 'config' | 'userFetch'>): Checked {
  const { webhookUrl: _, webhookFormat: __, ...requested } = input
  const { prompt, startImageUrl } = parametersOf(requested)
  const characters = charactersIn(prompt)
  if (characters < 1 || characters > PROMPT_CHARACTERS_MAX) {
    throw invalid('INVALID_REQUEST', 'prompt', `The prompt must have 1 to ${PROMPT_CHARACTERS_MAX} characters.`)
  }
  // PostgreSQL text cannot contain a null character.
  if (prompt.includes('\0')) throw invalid('INVALID_REQUEST', 'prompt', 'The prompt must not contain a null character.')
  const { model, chosen, credits } = checkByModel(models, requested, app.config)
  if (startImageUrl !== null) checkStartImage(startImageUrl, app)
  return { ...parametersWith(model, requested, chosen), model, chosen, credits }
}

function checkStartImage(startImageUrl: string, app: Pick<App, 'config' | 'userFetch'>): void {
  const isStorable = charactersIn(startImageUrl) <= START_IMAGE_URL_CHARACTERS_MAX && !startImageUrl.includes('\0')
  const url = isStorable ? URL.parse(startImageUrl) : null
  if (!url) {
    throw startImageProblem(
      `The startImageUrl must be an absolute https URL of at most ${START_IMAGE_URL_CHARACTERS_MAX} characters.`,
    )
  }
  // Our own link may be http in development. It is checked by its signature, and the provider gets another link.
  if (isOwnFileLink(app.config, startImageUrl)) return
  try {
    app.userFetch.checkUrl(startImageUrl)
  } catch (error) {
    throw unusableLink(error as Error)
  }
}

/** Code points, not UTF-16 code units: an emoji is one character. */
const charactersIn = (text: string): number => [...text].length

const unusableLink = (reason: Error) => startImageProblem(`The startImageUrl cannot be used: ${reason.message}`)

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
