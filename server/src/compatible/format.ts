/**
 * What the compatible APIs share: each serves the wire format of another service under a prefix of its own, and every
 * one ends in `generate`. Credentials, rate limits, body limits and the log are those of all routes (server.ts); only
 * the shape of an error is the format's. In the body of a route with a schema, null counts as absent, and a field that
 * the schema does not list is refused: it could ask for another film than the one that is made and paid.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, Type } from 'typebox'
import type { Credentials } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { catalogue, usableModels } from '../catalogue/catalogue.ts'
import type { Model } from '../catalogue/model.ts'
import { withModelValues } from '../catalogue/request.ts'
import { AppError, type FieldProblem, statusOf } from '../errors.ts'
import { type RequestedParameters, type RequestSchemas, requestSchemas } from '../film/fields.ts'
import { GivenInputs, givenInputs } from '../film/inputs.ts'
import { type Metadata, metadataSchema } from '../film/limits.ts'
import { type Mode, TEXT_TO_VIDEO } from '../film/mode.ts'
import { notFound, toAppError } from '../http/request/error-responses.ts'
import { disconnection } from '../http/request/request.ts'
import { idsOf } from '../http/request/request-trace.ts'
import { readMap } from '../http/request/validator.ts'
import { wellFormedJson } from '../text/json-reader.ts'
import { LARGE_BODY_BYTES_MAX, type LimitLargeBodies } from './large-bodies.ts'
import type { WaitForFilm } from './wait-for-film.ts'
import { MODEL_OWNER } from './wire-formats.ts'

/** A request to a format, and the response to it. */
export type Call = { app: App; request: FastifyRequest; reply: FastifyReply }

/** What all formats use of one process. */
export type Shared = { limitLarge: LimitLargeBodies; waitForFilm: WaitForFilm } & Pick<Credentials, 'recheck'>

/**
 * The options of a route that reads; of one that changes a film; of one that makes a film, whose body may contain
 * images.
 */
export const reads = <S extends object>(schema: S) => optionsOf('read', schema)
export const changes = <S extends object>(schema: S) => optionsOf('generate', schema)
export const generates = <S extends object>(limitLarge: LimitLargeBodies, schema: S) => {
  const { config, ...options } = optionsOf('generate', schema)
  return { ...options, ...large(limitLarge), config: { ...config, limit: 'generate' } } as const
}
export const large = (onRequest: LimitLargeBodies) => ({ onRequest, bodyLimit: LARGE_BODY_BYTES_MAX })

/** The routes are in no document: their description is that of the service whose format they have. */
const optionsOf = <Scope extends 'read' | 'generate', S extends object>(scope: Scope, schema: S) =>
  ({ config: { access: 'user', scope, token: true }, schema: { hide: true, ...schema } }) as const

/** A field of a format that changes neither the film nor its price. */
export const Ignored = Type.Optional(Type.Unknown())

/**
 * The request of a film with the model's values for what the caller left out; `preferred` where the model has it. An
 * empty prompt beside inputs is none: some formats demand the field.
 */
export function wholeRequest(
  { config }: App,
  { prompt, ...stated }: Parameters<typeof withModelValues>[1],
  preferred: Parameters<typeof withModelValues>[2] = { aspectRatio: '16:9' },
) {
  const isNone = prompt === undefined || (prompt === '' && givenInputs(stated) !== null)
  return withModelValues(catalogue(config), isNone ? stated : { ...stated, prompt }, preferred)
}

/** Fields that all formats have by one name; those that are parameters of a film have it in our own requests too. */
export const commonFields: Omit<RequestSchemas, Translated> = { seed: requestSchemas.seed }
type Translated = Exclude<keyof RequestSchemas, 'seed'>

/** The parameters among the common fields of a request. */
export function commonOf(body: Static<TObject<typeof commonFields>>): Partial<RequestedParameters> {
  const given = Object.entries(body).filter(([name, value]) => name in commonFields && value !== undefined)
  return Object.fromEntries(given.filter(([name]) => name in requestSchemas))
}

/**
 * The options of a model, its negative prompt, mode, inputs and metadata, in the formats with an object for what one
 * provider alone has.
 */
type Scalars = Record<string, string | number | boolean>
type Structured = { metadata?: Metadata; inputs?: Static<typeof GivenInputs> }
export const OwnOptions = Type.Unsafe<Scalars | Structured>({
  type: 'object',
  patternProperties: { '^metadata$': metadataSchema, '^inputs$': GivenInputs },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
})

/** All but the inputs, which the format may have elsewhere too: inputsOf. */
export function ownOptionsOf(
  given: Static<typeof OwnOptions> = {},
): Partial<RequestedParameters> & { metadata?: Metadata } {
  const { negativePrompt, mode, metadata, inputs: _, ...options } = given as Structured & Record<string, never>
  return {
    ...(metadata !== undefined && { metadata }),
    ...(mode !== undefined && { mode: String(mode) }),
    ...(negativePrompt !== undefined && { negativePrompt: String(negativePrompt) }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

/** The inputs among them, and the mode, which decides their roles. */
export function ownInputsOf(given: Static<typeof OwnOptions> = {}) {
  const { inputs = [], mode } = given as Structured & { mode?: unknown }
  return { inputs, mode: mode === undefined ? mode : String(mode) }
}

/** The body of an error response in the format. The error names the caller's fields. */
export type ErrorShape = (error: AppError, status: number, request: FastifyRequest, reply: FastifyReply) => object

/**
 * What each format calls the parameters of a film whose names differ from ours. Of several names an error gets the one
 * that was sent, else the first.
 */
const callersNames = {
  openAi: {
    duration: ['seconds', 'duration'],
    quality: ['size', 'resolution'],
    aspectRatio: ['size', 'aspect_ratio'],
    startImageUrl: ['input_reference', 'image'],
    inputs: ['input_reference', 'video'],
  },
  // By the model: noteNames.
  replicate: {},
  fal: {},
  openRouter: {
    quality: ['size', 'resolution'],
    aspectRatio: ['size', 'aspect_ratio'],
    startImageUrl: ['frame_images'],
    endImageUrl: ['frame_images'],
    audio: ['generate_audio'],
    negativePrompt: ['provider.options.kinora.negativePrompt'],
    mode: ['provider.options.kinora.mode'],
    inputs: ['input_references'],
    options: ['provider.options.kinora'],
  },
  aiGateway: {
    quality: ['resolution'],
    aspectRatio: ['aspectRatio', 'resolution'],
    startImageUrl: ['image', 'frameImages'],
    endImageUrl: ['frameImages'],
    audio: ['generateAudio'],
    negativePrompt: ['providerOptions.kinora.negativePrompt'],
    mode: ['providerOptions.kinora.mode'],
    inputs: ['inputReferences'],
    options: ['providerOptions.kinora'],
  },
  mcp: {},
} satisfies Record<string, CallersNames>
type CallersNames = { [N in keyof RequestedParameters]?: string[] }

/** The names of a format that depend on the request or its model. */
const notedNames = new WeakMap<FastifyRequest, Record<string, string[]>>()
export const noteNames = (request: FastifyRequest, names: Record<string, string[]>): void =>
  void notedNames.set(request, { ...notedNames.get(request), ...names })

/** The error with the caller's field in its details and its message in the place of ours. */
function inCallersWords(error: AppError, names: Record<string, string[]>, body: unknown): AppError {
  if (!Array.isArray(error.details)) return error
  let { message } = error
  const details = error.details.map((detail: FieldProblem) => {
    const [ours, path] = callersPath(detail.path, names, body)
    if (ours === undefined || path === undefined) return detail
    // Escaped, because the name of an option may be any text of the caller. The first place alone: the reasons of a
    // model's rules, at the end, are prose.
    const named = new RegExp(`(?<!\\w)${ours.replace(/\W/g, '\\$&')}(?!\\w)`)
    const reword = (text: unknown) => String(text).replace(named, () => path)
    message = reword(message)
    return { ...detail, path, message: reword(detail.message) }
  })
  return new AppError(error.code, message, { details, ...(error.retryAfterS && { retryAfterS: error.retryAfterS }) })
}

/** Our path of a field and the caller's; an option without a name of its own is in the caller's object of options. */
function callersPath(ours: string, names: Record<string, string[]>, body: unknown): string[] {
  // It is the caller's own.
  if (isSent(body, ours)) return []
  const [object = '', option] = ours.split('.')
  const known = names[ours] ?? (option === undefined ? undefined : names[object]?.map((name) => `${name}.${option}`))
  const path = known?.find((name) => isSent(body, name)) ?? known?.[0]
  return path === undefined ? [] : [ours, path]
}

/** Whether a body has the field of a path such as `input.image`. */
export function isSent(body: unknown, path: string): boolean {
  let at = body
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Record<string, unknown>)[name]
  }
  return true
}

export function registerFormat(
  server: FastifyInstance,
  { prefix, format, errorShape }: { prefix: string; format: keyof typeof callersNames; errorShape: ErrorShape },
  registerRoutes: (scope: FastifyInstance) => void,
): void {
  server.register(
    async (scope) => {
      const send = (ours: AppError, cause: Error, request: FastifyRequest, reply: FastifyReply) => {
        const error = inCallersWords(ours, { ...callersNames[format], ...notedNames.get(request) }, request.body)
        const status = statusOf[error.code]
        if (status >= 500) request.log.error({ err: cause, ...idsOf(request) }, error.message)
        if (error.retryAfterS) reply.header('retry-after', String(error.retryAfterS))
        const body = errorShape(error, status, request, reply)
        reply.code(status).type('application/json; charset=utf-8').serializer(wellFormedJson).send(body)
      }
      scope.setErrorHandler((cause: FastifyError, request, reply) =>
        send(toAppError(cause, request), cause, request, reply),
      )
      scope.setNotFoundHandler((request, reply) => {
        const error = notFound(request.url)
        send(error, error, request, reply)
      })
      scope.addHook('preValidation', async ({ routeOptions, body }) => {
        if (routeOptions.schema?.body) removeNulls(body)
        readForm(body)
      })
      scope.addHook('preHandler', async ({ routeOptions, body }) => {
        requireKnownFields(routeOptions.schema?.body, body)
      })
      registerRoutes(scope)
    },
    { prefix },
  )
}

/** A form has text in the place of numbers, and `metadata[key]`. */
function readForm(body: unknown): void {
  const form = (body ?? {}) as Record<string, unknown>
  readMap(form, 'metadata')
  for (const name of ['seed', 'n']) {
    const text = form[name]
    if (typeof text === 'string' && /^\d{1,10}$/.test(text)) form[name] = Number(text)
  }
}

/** The deepest null is one of `frame_images[0].image_url`. */
const NULL_DEPTH_MAX = 4

/** Removes what a client sends as null, such as the unset fields of a Pydantic model. */
export function removeNulls(value: unknown, depth = NULL_DEPTH_MAX): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || depth === 0) return
  if (Array.isArray(value)) {
    for (const each of value) removeNulls(each, depth - 1)
    return
  }
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    if (fields[name] === null) delete fields[name]
    else removeNulls(fields[name], depth - 1)
  }
}

/**
 * Not by `additionalProperties: false`: the validator reports every error, and a body may have a million unknown
 * fields.
 * @throws AppError INVALID_REQUEST that names the first unknown field
 */
export function requireKnownFields(schema: unknown, value: unknown, prefix = ''): void {
  const { properties } = (schema ?? {}) as { properties?: Record<string, unknown> }
  if (!properties || typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    const path = `${prefix}${name.slice(0, NAME_CHARACTERS_MAX)}`
    if (!Object.hasOwn(properties, name)) throw unsupportedField(path)
    requireKnownFields(properties[name], (value as Record<string, unknown>)[name], `${path}.`)
  }
}

/** A name is the client's, and is returned to it. */
const NAME_CHARACTERS_MAX = 100

export const invalidField = (path: string, message: string): AppError =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })

/** @param what the field, or what of it is not supported */
export const unsupportedField = (path: string, what = path): AppError =>
  invalidField(path, `This service does not support ${what} here; leave it out.`)

/**
 * How a request of a client that repeats without a mark is recognised.
 * @param pauseMs less than the client waits before it repeats; 0 for one that may repeat at once
 */
export const silently = ({ app, reply }: Call, body: unknown, pauseMs: number) => ({
  kind: 'silent' as const,
  body,
  pauseMs,
  arrivedAt: new Date(app.now().getTime() - reply.elapsedTime),
  signal: disconnection(reply),
})

/**
 * Vercel's AI SDK waits 2 s before it repeats; several films of one call are requested at once, each on a connection of
 * its own.
 */
export const AI_SDK_PAUSE_MS = 1500

/** The models that can be used now. */
export const enabledModels = (app: App): Model[] => usableModels(catalogue(app.config))

/** The model of a request that names none: the first with the mode. */
export const defaultModel = (app: App, mode: Mode = TEXT_TO_VIDEO): string =>
  enabledModels(app).find(({ roles }) => roles.has(mode))?.id ?? ''

/** A name of the formats that put an owner before a model. @throws AppError NOT_FOUND for another owner's */
export function ownModel(app: App, owner: string | undefined, name: string | undefined): string {
  if (owner === MODEL_OWNER && name !== undefined) return name
  throw modelNotFound(app)
}

/** Handles the error of a generate: these formats have 404 for a model that does not exist. */
export const withModelNotFound =
  (app: App) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.code === 'UNSUPPORTED_MODEL' ? modelNotFound(app) : error
  }

export function modelNotFound(app: App): AppError {
  const known = enabledModels(app).map(({ id }) => `${MODEL_OWNER}/${id}`)
  return new AppError('NOT_FOUND', `There is no such model; choose one of ${known.join(', ')}.`)
}

/** Unix seconds, as the formats have them. */
export const unixSeconds = (date: Date | null): number | null => date && Math.floor(date.getTime() / 1000)

/** The path of the field that an error names, if it names one; `body` is none. */
export function fieldOf({ details }: AppError): string | null {
  const path = Array.isArray(details) ? details[0]?.path : undefined
  return path === undefined || path === 'body' ? null : path
}
