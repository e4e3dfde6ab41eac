/**
 * The validation of a generate request: by the catalogue, of its inputs by their owner, and of another site's link by
 * the address that its host name resolves to.
 */

import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { lengthOf, shapeOf } from '../catalogue/constraints.ts'
import { type Decided, withDecided } from '../catalogue/inputs.ts'
import { requestFor } from '../catalogue/model.ts'
import { invalid } from '../catalogue/refusal.ts'
import { type CheckedRequest, checkByModel, parametersWith } from '../catalogue/request.ts'
import { AppError } from '../errors.ts'
import type { Parameters, RequestedParameters } from '../film/fields.ts'
import { videoIn, withInputs } from '../film/inputs.ts'
import { type Metadata, PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import { requestOf } from '../film/parameters.ts'
import { counted } from '../text/counted.ts'
import { checkWebhookUrl } from '../webhook/url.ts'
import { checkLinks, cutToCount, givenAgain, keepAssets, type Resolved, readInputs } from './inputs.ts'

/** A generate request: its types are validated, its values are not. Inputs may decide prompt and duration. */
export type FilmInput = Omit<RequestedParameters, 'prompt' | 'duration'> & {
  prompt?: string
  duration?: number
  /** How many films to make; their seeds go up by one. */
  n?: number
  /** For the caller's own use; no part of the film. */
  metadata?: Metadata
  /** The shot of which it is to be a take. */
  shot?: { project: string; shot: string }
  webhookUrl?: string
  /**
   * The choices for the webhookUrl of another service's format: that format, what it calls the field, and the events
   * that it gets, null for all.
   */
  webhookFormat?: { name: string; field: string; events: string[] | null }
}

/**
 * A validated request with its price in credits; `chosen`: its fields with the model's defaults. `webhook`: where the
 * video's final event is sent besides the user's endpoints.
 */
export type GenerateRequest = Omit<Parameters, 'model'> &
  CheckedRequest & {
    inputs: readonly Resolved[]
    webhook: { url: string; origin: string; format?: string; events?: string[] | null } | null
  }

/**
 * Validates a request. Whether its assets are still stored is decided by video_generate_all, after the idempotency
 * check.
 * @throws AppError 400 (see withInputs, withDecided and checkByModel), 404 and 409 for an input, INVALID_REQUEST for a
 *   link of ours that is forged or leads to another user's asset, or a link to a private address, as an input or as
 *   webhookUrl
 */
export async function parseGenerateRequest(app: App, reader: Reader, request: FilmInput): Promise<GenerateRequest> {
  const { webhookUrl, webhookFormat: format, n, metadata: _, shot: __, ...requested } = request
  const models = catalogue(app.config)
  const { decided, inputs } = await decide(app, reader, requested)
  const found = checkByModel(models, decided, app.config)
  const { model, chosen } = found
  if (n !== undefined && model.modes[chosen.mode]?.prompt === 'none')
    throw invalid('INVALID_REQUEST', 'n', `${model.name} makes the same of a film each time; leave out n.`)
  await checkLinks(app, inputs)
  const checked = { ...parametersWith(model, decided, chosen), ...found, inputs }
  if (webhookUrl === undefined) return { ...checked, webhook: null }
  await checkWebhookUrl(app, format?.field ?? 'webhookUrl', webhookUrl)
  const webhook = { url: webhookUrl, origin: URL.parse(webhookUrl)?.origin ?? '' }
  return { ...checked, webhook: format ? { ...webhook, format: format.name, events: format.events } : webhook }
}

/** The request with what its inputs decide, where its model has their mode; else checkByModel refuses. */
async function decide(
  app: App,
  reader: Reader,
  requested: Omit<FilmInput, 'n' | 'metadata' | 'shot' | 'webhookUrl' | 'webhookFormat'>,
): Promise<{ decided: Decided; inputs: readonly Resolved[] }> {
  const wanted = withInputs(requested)
  if (!wanted.inputs || wanted.prompt !== undefined) checkPrompt(wanted.prompt ?? '')
  const { prompt = '', duration = 0, inputs: given, ...rest } = wanted
  const whole = { ...rest, prompt, duration }
  if (!given) return { decided: whole, inputs: [] }
  const model = catalogue(app.config).get(wanted.model)
  const { mode } = requestFor(model, wanted)
  if (!model?.constraints.has(mode)) return { decided: { ...whole, inputs: given }, inputs: given }
  const use = model.roles.get(mode)?.get('reference')
  const read = await readInputs(app, reader, given)
  const inputs = use ? cutToCount(read, use) : read
  return { decided: withDecided(model, mode, { ...wanted, inputs }), inputs }
}

function checkPrompt(prompt: string): void {
  const characters = charactersIn(prompt.trim())
  if (characters < 1 || characters > PROMPT_CHARACTERS_MAX)
    throw invalid('INVALID_REQUEST', 'prompt', `The prompt must have 1 to ${PROMPT_CHARACTERS_MAX} characters.`)
  // PostgreSQL text cannot contain a null character.
  if (prompt.includes('\0')) throw invalid('INVALID_REQUEST', 'prompt', 'The prompt must not contain a null character.')
}

/** Code points, not UTF-16 code units: an emoji is one character. */
const charactersIn = (text: string): number => [...text].length

/** Does what parseGenerateRequest does, and checks the assets, which are kept for a week more. */
export async function checkGenerateRequest(app: App, reader: Reader, request: FilmInput): Promise<GenerateRequest> {
  const checked = await parseGenerateRequest(app, reader, request)
  await keepAssets(app, reader.userId, checked.inputs)
  return checked
}

/** The request that makes a film again, by the parameters of its row. */
export function requestAgain(app: App, row: Parameters, prompt: string): FilmInput {
  const { inputs: _, ...request } = requestOf(row)
  const model = catalogue(app.config).get(row.model)
  const film = videoIn(row.madeOf?.find(({ role }) => role === 'film')?.source ?? '')
  if (film && model?.modes[row.mode]?.prompt === 'none') {
    const message = `A larger copy has the prompt of its film; remix the video ${film} instead.`
    throw new AppError('INVALID_REQUEST', message)
  }
  const length = model?.constraints.has(row.mode) ? lengthOf(shapeOf(model, row.mode)) : null
  const { duration, ...rest } = request
  return { ...rest, prompt, ...(!length && { duration }), ...(row.madeOf && { inputs: givenAgain(row.madeOf) }) }
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
