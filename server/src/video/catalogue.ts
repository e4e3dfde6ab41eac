/**
 * The models of catalogue/models.json, validated as a whole at start-up. Only this file decides which generate requests are
 * valid and what they cost.
 */
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { App } from '../app.ts'
import { ConfigError } from '../config/config.ts'
import { packageUrl } from '../config/package-dir.ts'
import { AppError } from '../errors.ts'
import { FILM_SECONDS_MAX } from '../media/film/film.ts'
import { accounts } from '../provider/accounts.ts'
import { type Mapping, problemsOfMapping } from '../provider/request-mapping.ts'
import type { WebhookFormat } from '../webhook/events.ts'
import {
  DEFAULT_QUALITY,
  type Parameters,
  PROMPT_CHARACTERS_MAX,
  parametersOf,
  type RequestedParameters,
  START_IMAGE_URL_CHARACTERS_MAX,
} from './fields.ts'
import { isOwnFileLink } from './start-image/start-image-link.ts'

/** The longest `deadlineSeconds` of a model; kinora.longest_deadline() rests on it. */
export const DEADLINE_S_MAX = 3600

/** What the credits of a price are paid for. Each display of a price names every unit, so that a new one is an error of the compiler. */
export const PRICE_UNITS = ['second', 'clip'] as const
type PriceUnit = (typeof PRICE_UNITS)[number]

const Fields = Type.Cyclic(
  { Fields: Type.Record(Type.String(), Type.Union([Type.String({ minLength: 1 }), Type.Ref('Fields')])) },
  'Fields',
)
/** How an account makes films of a model. */
const Route = Type.Object(
  {
    account: Type.String({ pattern: '^[a-z0-9-]+$' }),
    /** The vendor's name of the model, for all modes or by mode; without one it is the id. */
    model: Type.Optional(
      Type.Union([
        Type.String({ minLength: 1 }),
        Type.Partial(Type.Object({ 'text-to-video': Type.String(), 'image-to-video': Type.String() }), {
          additionalProperties: false,
        }),
      ]),
    ),
    /** The fields of the vendor's request, as JSONata over the parameters and `mode`; by default the adapter's. */
    input: Type.Optional(Fields),
  },
  { additionalProperties: false },
)
const Credits = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))
const ModelEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]+$' }),
    name: Type.String({ minLength: 1 }),
    company: Type.String({ minLength: 1 }),
    modes: Type.Array(Type.Union([Type.Literal('text-to-video'), Type.Literal('image-to-video')]), { minItems: 1 }),
    minDuration: Type.Integer({ minimum: 1 }),
    maxDuration: Type.Integer({ minimum: 1, maximum: FILM_SECONDS_MAX }),
    resolutions: Type.Array(Type.String({ pattern: '^(480p|720p|1080p|4k)$' }), { minItems: 1 }),
    aspectRatios: Type.Array(Type.String({ pattern: '^\\d+:\\d+$' }), { minItems: 1 }),
    pricing: Type.Union([Type.Object({ per: Type.Enum([...PRICE_UNITS]), credits: Credits }), Type.Null()]),
    /** In order of preference. */
    routes: Type.Array(Route, { minItems: 1 }),
    usualSeconds: Type.Integer({ minimum: 1 }),
    deadlineSeconds: Type.Integer({ minimum: 1, maximum: DEADLINE_S_MAX }),
    listed: Type.Boolean(),
    enabled: Type.Boolean(),
  },
  { additionalProperties: false },
)
const CatalogueFile = Type.Object({ models: Type.Array(ModelEntry, { minItems: 1 }) }, { additionalProperties: false })

/** Durations and times in seconds; prices in whole credits. */
export type Model = Static<typeof ModelEntry>
export type Route = Static<typeof Route>
export type Mode = Model['modes'][number]
export type Catalogue = ReadonlyMap<string, Model>

const catalogueFile = new URL('../catalogue/models.json', packageUrl)
let cached: Catalogue | undefined

/** The models by id, read once. @throws ConfigError that names the invalid entry and the problem */
export function catalogue(): Catalogue {
  cached ??= parseCatalogue(readFileSync(catalogueFile, 'utf8'))
  return cached
}

/** @param text of models.json. @throws ConfigError */
export function parseCatalogue(text: string): Catalogue {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConfigError([`catalogue/models.json is not valid JSON: ${(error as Error).message}`])
  }
  if (!Value.Check(CatalogueFile, value)) {
    const entries = (value as { models?: { id?: unknown }[] })?.models
    throw new ConfigError(
      [...Value.Errors(CatalogueFile, value)].slice(0, 10).map(({ instancePath, message }) => {
        const index = Number(/^\/models\/(\d+)/.exec(instancePath)?.[1] ?? Number.NaN)
        const entry = entries?.[index]?.id ?? 'the file'
        return `catalogue/models.json, ${entry}: ${instancePath || 'the whole'} ${message}`
      }),
    )
  }
  const models = value.models
  const problems = models.flatMap((model) =>
    problemsOf(model).map((problem) => `catalogue/models.json, ${model.id}: ${problem}`),
  )
  const modelsById = new Map(models.map((model) => [model.id, model]))
  if (modelsById.size < models.length) problems.push('catalogue/models.json: two entries have the same id')
  if (problems.length > 0) throw new ConfigError(problems)
  return modelsById
}

function problemsOf(model: Model): string[] {
  const problems: string[] = []
  if (model.minDuration > model.maxDuration) problems.push('minDuration is above maxDuration')
  if (model.enabled && !model.pricing) problems.push('an enabled model needs a price')
  const unpriced = model.pricing ? model.resolutions.filter((each) => !model.pricing?.credits[each]) : []
  if (unpriced.length > 0) problems.push(`no price for ${unpriced.join(', ')}`)
  if (model.enabled && !model.resolutions.includes(DEFAULT_QUALITY)) {
    problems.push(`an enabled model needs ${DEFAULT_QUALITY}, the quality of a request that names none`)
  }
  const accountIds = model.routes.map(({ account }) => account)
  if (new Set(accountIds).size < accountIds.length) problems.push('two routes have the same account')
  const unknown = accountIds.filter((id) => !accounts().some((account) => account.id === id))
  if (unknown.length > 0) problems.push(`catalogue/providers.json has no account ${unknown.join(', ')}`)
  return problems
}

/** @throws ConfigError that names model, route and field of each expression that is none */
export async function checkRoutes(models: Catalogue): Promise<void> {
  const checks = [...models.values()].flatMap(({ id, routes }) =>
    routes.map(async ({ account, input = {} }) =>
      (await problemsOfMapping(input)).map((problem) => `catalogue/models.json, ${id}, route ${account}: ${problem}`),
    ),
  )
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The accounts with settings that make films of the model, in order of preference. @param mode null: of any mode */
export const servingProviders = ({ routes }: Model, { config }: Pick<App, 'config'>, mode: Mode | null = null) =>
  routes.filter((route) => config.providers[route.account] && serves(route, mode)).map(({ account }) => account)

const serves = ({ model }: Route, mode: Mode | null): boolean =>
  mode === null || typeof model !== 'object' || model[mode] !== undefined

export const modeOf = ({ startImageUrl }: { startImageUrl: string | null }): Mode =>
  startImageUrl === null ? 'text-to-video' : 'image-to-video'

/** The vendor's name of a model at an account, and the route's mapping. A route that has left the catalogue has neither. */
export function routeOf(modelId: string, account: string, mode: Mode): { model: string; input: Mapping | undefined } {
  const route = catalogue()
    .get(modelId)
    ?.routes.find((each) => each.account === account)
  const model = typeof route?.model === 'object' ? route.model[mode] : route?.model
  return { model: model ?? modelId, input: route?.input }
}

/** The models that users see: those of the catalogue that a provider with settings serves. */
export const listedModels = (models: Catalogue, app: Pick<App, 'config'>): Model[] =>
  [...models.values()].filter((model) => model.listed && servingProviders(model, app).length > 0)

/** The models that films can be made with now. */
export const usableModels = (models: Catalogue, app: Pick<App, 'config'>): Model[] =>
  listedModels(models, app).filter(({ enabled, pricing }) => enabled && pricing !== null)

/** Listed in the catalogue, but none of their accounts has settings. */
export const unservedModels = (models: Catalogue, app: Pick<App, 'config'>): Model[] =>
  [...models.values()].filter((model) => model.listed && servingProviders(model, app).length === 0)

/** The input of a generate request: its types are validated, its values are not. */
export type GenerateInput = RequestedParameters & {
  webhookUrl?: string
  /** The choices for a webhookUrl of a compatible API: its wire format, and Replicate's events that it gets, null for all. */
  webhookFormat?: { name: WebhookFormat; field: string; events: string[] | null }
}

/** A valid request with its price in credits. A `startImageUrl` that is our own link is verified later. */
export type Checked = Omit<Parameters, 'model'> & { model: Model; credits: number }

/** @throws AppError INVALID_REQUEST, UNSUPPORTED_MODEL, MODEL_UNAVAILABLE, DURATION_OUT_OF_RANGE, UNSUPPORTED_… */
export function checkRequest(models: Catalogue, input: GenerateInput, app: Pick<App, 'config' | 'userFetch'>): Checked {
  const parameters = parametersOf(input)
  const { prompt, quality, startImageUrl } = parameters
  const characters = charactersIn(prompt)
  if (characters < 1 || characters > PROMPT_CHARACTERS_MAX) {
    throw invalid('INVALID_REQUEST', 'prompt', `The prompt must have 1 to ${PROMPT_CHARACTERS_MAX} characters.`)
  }
  // PostgreSQL text cannot contain a null character.
  if (prompt.includes('\0')) throw invalid('INVALID_REQUEST', 'prompt', 'The prompt must not contain a null character.')

  const model = models.get(input.model)
  if (!model?.listed) {
    const known = usableModels(models, app)
      .map((each) => each.id)
      .join(', ')
    throw invalid(
      'UNSUPPORTED_MODEL',
      'model',
      `There is no model "${input.model.slice(0, 60)}"; choose one of ${known}.`,
    )
  }
  if (!model.enabled || !model.pricing || servingProviders(model, app, modeOf(parameters)).length === 0) {
    throw invalid('MODEL_UNAVAILABLE', 'model', `${model.name} is currently unavailable; choose another model.`)
  }
  const { minDuration, maxDuration } = model
  if (!Number.isInteger(input.duration) || input.duration < minDuration || input.duration > maxDuration) {
    throw invalid(
      'DURATION_OUT_OF_RANGE',
      'duration',
      `${model.name} makes films of ${minDuration} to ${maxDuration} whole seconds.`,
    )
  }
  if (!model.aspectRatios.includes(input.aspectRatio)) {
    throw invalid(
      'UNSUPPORTED_ASPECT_RATIO',
      'aspectRatio',
      `${model.name} makes films of ${model.aspectRatios.join(', ')}.`,
    )
  }
  const credits = model.pricing.credits[quality]
  if (!model.resolutions.includes(quality) || credits === undefined) {
    throw invalid('UNSUPPORTED_QUALITY', 'quality', `${model.name} makes films in ${model.resolutions.join(', ')}.`)
  }
  if (startImageUrl !== null) checkStartImage(model, startImageUrl, app)
  if (startImageUrl === null && !model.modes.includes('text-to-video')) {
    throw invalid('UNSUPPORTED_MODE', 'startImageUrl', `${model.name} needs a start image.`)
  }
  return {
    ...parameters,
    model,
    credits: priceOf[model.pricing.per](credits, input.duration),
  }
}

/** The credits of a film, from those of a unit and its seconds. */
const priceOf: Record<PriceUnit, (credits: number, seconds: number) => number> = {
  second: (credits, seconds) => credits * seconds,
  clip: (credits) => credits,
}

function checkStartImage(model: Model, startImageUrl: string, app: Pick<App, 'config' | 'userFetch'>): void {
  if (!model.modes.includes('image-to-video')) {
    throw invalid(
      'UNSUPPORTED_MODE',
      'startImageUrl',
      `${model.name} makes films from text only; leave out startImageUrl.`,
    )
  }
  const isStorable = charactersIn(startImageUrl) <= START_IMAGE_URL_CHARACTERS_MAX && !startImageUrl.includes('\0')
  const url = isStorable ? URL.parse(startImageUrl) : null
  if (!url) {
    throw invalid(
      'INVALID_REQUEST',
      'startImageUrl',
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

export const unusableLink = (reason: Error) =>
  invalid('INVALID_REQUEST', 'startImageUrl', `The startImageUrl cannot be used: ${reason.message}`)

export const invalid = (
  code:
    | 'INVALID_REQUEST'
    | `UNSUPPORTED_${'MODEL' | 'QUALITY' | 'ASPECT_RATIO' | 'MODE'}`
    | 'MODEL_UNAVAILABLE'
    | 'DURATION_OUT_OF_RANGE',
  path: string,
  message: string,
) => new AppError(code, message, { details: [{ path, message }] })
