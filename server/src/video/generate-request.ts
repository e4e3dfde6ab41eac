/**
 * The validation of a generate request: by the catalogue, of an uploaded start image by its signed link and its owner,
 * and of another site's image by the address that its host name resolves to.
 */
import type { App } from '../app.ts'
import { type Catalogue, catalogue } from '../catalogue/catalogue.ts'
import {
  type CheckedRequest,
  checkByModel,
  checkExtended,
  checkUpscaled,
  invalid,
  parametersWith,
} from '../catalogue/request.ts'
import { AppError } from '../errors.ts'
import { type Parameters, parametersOf, type RequestedParameters } from '../film/fields.ts'
import { type Metadata, PROMPT_CHARACTERS_MAX, START_IMAGE_URL_CHARACTERS_MAX } from '../film/limits.ts'
import { FetchError } from '../net/fetch-error.ts'
import { counted } from '../text/counted.ts'
import { checkWebhookUrl } from '../webhook/url.ts'
import { type Reader, subjectOf } from './made-by.ts'
import { readSourceFilm } from './source-film.ts'
import { startImageDueAt, startImageExtend } from './start-image/start-image.ts'
import { imageName, isOwnFileLink, readImageLink } from './start-image/start-image-link.ts'

/** The input of a generate request: its types are validated, its values are not. */
export type GenerateInput = RequestedParameters & {
  /** How many films to make; their seeds go up by one. */
  n?: number
  /** For the caller's own use; no part of the film. */
  metadata?: Metadata
  webhookUrl?: string
  /**
   * The choices for the webhookUrl of another service's format: that format, what it calls the field, and the events
   * that it gets, null for all.
   */
  webhookFormat?: { name: string; field: string; events: string[] | null }
}

/** The input of a request for a larger copy of a film, which decides its prompt, duration and aspect ratio. */
export type UpscaleInput = Omit<GenerateInput, 'prompt' | 'duration'> & {
  prompt?: undefined
  duration?: undefined
  upscaleFrom: string
}
export type FilmInput = GenerateInput | UpscaleInput

/**
 * A valid request with its price in credits; `chosen`: its fields with the model's defaults. A `startImageUrl` that is
 * our own link is verified later.
 */
type Checked = Omit<Parameters, 'model'> & CheckedRequest

/**
 * A validated request. `startImage`: the caller's uploaded image that `startImageUrl` names, if any. `webhook`: where
 * the video's final event is sent besides the user's endpoints.
 */
export type GenerateRequest = Checked & {
  startImage: Image | null
  webhook: { url: string; origin: string; format?: string; events?: string[] | null } | null
}

/** The user waits for the response; a name that takes longer is left to the worker, which checks it again. */
const RESOLVE_TIMEOUT_MS = 3_000

/**
 * Validates a request. Whether an uploaded start image is still stored is decided by video_generate_all, after the
 * idempotency check.
 * @throws AppError 400 (see checkByModel, checkExtended and checkUpscaled), 404 and 409 for the film to extend or
 * upscale, INVALID_REQUEST for a link of ours that is forged or leads to another user's image,
 *   or a link to a private address, as startImageUrl or as webhookUrl
 */
export async function parseGenerateRequest(app: App, reader: Reader, request: FilmInput): Promise<GenerateRequest> {
  const { webhookUrl, webhookFormat: format } = request
  const checked = await parseImages(
    app,
    reader,
    checkRequest(catalogue(app.config), await withFilm(app, reader, request), app),
  )
  if (webhookUrl === undefined) return { ...checked, webhook: null }
  await checkWebhookUrl(app, format?.field ?? 'webhookUrl', webhookUrl)
  const webhook = { url: webhookUrl, origin: URL.parse(webhookUrl)?.origin ?? '' }
  return { ...checked, webhook: format ? { ...webhook, format: format.name, events: format.events } : webhook }
}

/** The request with what its film decides, where its model can extend or upscale; else checkByModel refuses. */
async function withFilm(app: App, reader: Reader, request: FilmInput) {
  const model = catalogue(app.config).get(request.model)
  if (request.duration === undefined) {
    if (!model?.constraints.has('upscale')) return { ...request, prompt: '…', duration: 0 }
    const film = await readSourceFilm(app, reader, { videoId: request.upscaleFrom, use: 'upscale' })
    return { ...request, ...checkUpscaled(model, request.quality, film) }
  }
  const { extendFrom, upscaleFrom } = request
  // The remix of a larger copy, by the parameters in its row.
  if (upscaleFrom !== undefined)
    throw new AppError(
      'INVALID_REQUEST',
      `A larger copy has the prompt of its film; remix the video ${upscaleFrom} instead.`,
    )
  if (extendFrom === undefined || !model?.constraints.has('extend')) return request
  const film = await readSourceFilm(app, reader, { videoId: extendFrom, use: 'extend' })
  return { ...checkExtended(model, request, film), extendAccount: film.account }
}

type Image = { id: string; isLinkExpired: boolean }

/**
 * Resolves the images: to the names of the caller's uploads, and external links as they are. The start image is kept by
 * video_generate_all, after the idempotency check; the others are kept here, for a week.
 */
async function parseImages(app: App, reader: Reader, checked: Checked): Promise<Omit<GenerateRequest, 'webhook'>> {
  const { startImageUrl, endImageUrl, referenceImageUrls } = checked
  const start = startImageUrl === null ? null : await parseImage(app, reader, 'startImageUrl', startImageUrl)
  const other = async (field: string, url: string) => {
    const { url: name, image } = await parseImage(app, reader, field, url)
    if (image) await keepImage(app, reader.userId, field, image)
    return name
  }
  return {
    ...checked,
    startImageUrl: start?.url ?? null,
    startImage: start?.image ?? null,
    endImageUrl: endImageUrl === null ? null : await other('endImageUrl', endImageUrl),
    referenceImageUrls:
      referenceImageUrls && (await Promise.all(referenceImageUrls.map((url) => other('referenceImageUrls', url)))),
  }
}

async function parseImage(
  app: App,
  reader: Reader,
  field: string,
  url: string,
): Promise<{ url: string; image: Image | null }> {
  if (!isOwnFileLink(app.config, url)) {
    const refusal = await hostRefusal(app, url)
    if (refusal) throw unusableLink(field, refusal)
    return { url, image: null }
  }
  const link = readImageLink(app, url)
  // A forged link and another user's image get the same error: a link lets its holder read an image, not use it.
  if (link?.userId !== reader.userId || !(await isOfSubject(app, reader, link.id))) {
    throw imageProblem(field, `The ${field} is not a link to an image of yours; upload the image first.`)
  }
  return { url: imageName(link.key), image: { id: link.id, isLinkExpired: link.isExpired } }
}

/** Whether the caller may use an upload: a browser token one of its subject, or of none, by a link that was given. */
async function isOfSubject({ sql }: App, reader: Reader, imageId: string): Promise<boolean> {
  const subject = subjectOf(reader)
  if (subject === null) return true
  const others = await sql`
    select from kinora.video_image where user_id = ${reader.userId} and id = ${imageId} and subject <> ${subject}
  `
  return others.length === 0
}

async function keepImage(
  app: App,
  userId: string,
  field: string,
  { id: imageId, isLinkExpired }: Image,
): Promise<void> {
  if (isLinkExpired) throw imageLinkExpired(field)
  const dueAt = startImageDueAt(app.now())
  if (!(await startImageExtend(app.sql, { userId, imageId, dueAt }))) throw imageGone(field)
}

/** @throws AppError INVALID_REQUEST, and those of checkByModel */
function checkRequest(
  models: Catalogue,
  input: GenerateInput & { extendAccount?: string },
  app: Pick<App, 'config' | 'userFetch'>,
): Checked {
  const { n: _, webhookUrl: __, webhookFormat: ___, metadata: ____, ...requested } = input
  const { prompt, startImageUrl, endImageUrl, referenceImageUrls } = parametersOf(requested)
  const characters = charactersIn(prompt)
  if (characters < 1 || characters > PROMPT_CHARACTERS_MAX) {
    throw invalid('INVALID_REQUEST', 'prompt', `The prompt must have 1 to ${PROMPT_CHARACTERS_MAX} characters.`)
  }
  // PostgreSQL text cannot contain a null character.
  if (prompt.includes('\0')) throw invalid('INVALID_REQUEST', 'prompt', 'The prompt must not contain a null character.')
  const checked = checkByModel(models, requested, app.config)
  if (startImageUrl !== null) checkImage('startImageUrl', startImageUrl, app)
  if (endImageUrl !== null) checkImage('endImageUrl', endImageUrl, app)
  for (const url of referenceImageUrls ?? []) checkImage('referenceImageUrls', url, app)
  return { ...parametersWith(checked.model, requested, checked.chosen), ...checked }
}

function checkImage(field: string, link: string, app: Pick<App, 'config' | 'userFetch'>): void {
  const isStorable = charactersIn(link) <= START_IMAGE_URL_CHARACTERS_MAX && !link.includes('\0')
  const url = isStorable ? URL.parse(link) : null
  if (!url) {
    throw imageProblem(
      field,
      `The ${field} must be an absolute https URL of at most ${START_IMAGE_URL_CHARACTERS_MAX} characters.`,
    )
  }
  // Our own link may be http in development. It is checked by its signature, and the provider gets another link.
  if (isOwnFileLink(app.config, link)) return
  try {
    app.userFetch.checkUrl(link)
  } catch (error) {
    throw unusableLink(field, error as Error)
  }
}

/** Code points, not UTF-16 code units: an emoji is one character. */
const charactersIn = (text: string): number => [...text].length

const unusableLink = (field: string, reason: Error) =>
  imageProblem(field, `The ${field} cannot be used: ${reason.message}`)

/** Does what parseGenerateRequest does, and checks an uploaded start image, which is kept for a week more. */
export async function checkGenerateRequest(app: App, reader: Reader, request: FilmInput): Promise<GenerateRequest> {
  const checked = await parseGenerateRequest(app, reader, request)
  if (checked.startImage) await keepImage(app, reader.userId, 'startImageUrl', checked.startImage)
  return checked
}

/** The reason to refuse the host of a link; null while the resolver does not answer, which the worker waits for. */
async function hostRefusal(app: App, startImageUrl: string): Promise<FetchError | null> {
  try {
    await app.userFetch.checkHost(startImageUrl, RESOLVE_TIMEOUT_MS)
    return null
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return error.retryable ? null : error
  }
}

/** @param required of all films of the request */
export const insufficientCredits = (required: number, available: number, films: number) =>
  new AppError(
    'INSUFFICIENT_CREDITS',
    films === 1
      ? `This film costs ${counted(required, 'credit')} and you have ${available}; add credits or choose a shorter or smaller film.`
      : `These ${films} films cost ${required} credits and you have ${available}; add credits or ask for fewer, shorter or smaller films.`,
    { details: { required, available } },
  )

export const tooManyInProgress = (maxInProgress: number, films: number) =>
  new AppError(
    'TOO_MANY_IN_PROGRESS',
    films === 1
      ? `You have ${counted(maxInProgress, 'video')} in progress, which is the most at a time; wait for one to finish.`
      : `With these ${films} films you would have more than ${counted(maxInProgress, 'video')} in progress, which is the most at a time; ` +
          'wait for some to finish, or ask for fewer.',
    { details: { maxInProgress }, retryAfterS: 10 },
  )

export const imageLinkExpired = (field = 'startImageUrl') =>
  imageProblem(field, `The link to the ${nounOf(field)} has expired; upload the image again.`)
export const imageGone = (field = 'startImageUrl') =>
  imageProblem(field, `The ${nounOf(field)} is no longer kept; upload it again.`)

const nounOf = (field: string): string =>
  ({ startImageUrl: 'start image', endImageUrl: 'end image' })[field] ?? 'reference image'

const imageProblem = (field: string, message: string) => invalid('INVALID_REQUEST', field, message)
