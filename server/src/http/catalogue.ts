/**
 * `/api/v1/config/models` and `/templates`: the models with their limits, prices and samples, and the prompt templates;
 * `/sample/{uuid}/{file}`: the files of samples that were made here; those that the simulator drew are files of the
 * studio. Public.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { catalogue, listedModels } from '../catalogue/catalogue.ts'
import { isUpscaler, type Model } from '../catalogue/model.ts'
import { FOLLOWED, PRICE_UNITS, pricesOf, pricingOf } from '../catalogue/price.ts'
import { requestSchema } from '../catalogue/request-schema.ts'
import { promptTemplates, Template } from '../catalogue/templates.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { MODES } from '../film/mode.ts'
import { type ModelSample, readSample, samplesByModel } from '../video/model-samples.ts'
import { usualSecondsOf } from '../video/usual-seconds.ts'
import { FILE_TTL_S, publicNameOf, sendStoredFile } from './files.ts'
import { ok, TextOrNull } from './request/envelope.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { typed } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

const ModelView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    provider: Type.String({ description: 'The company that made the model' }),
    modes: Type.Array(Type.String({ description: `One of ${Object.keys(MODES).join(', ')}, or the model’s own` })),
    minDuration: Type.Integer({ description: 'Seconds' }),
    maxDuration: Type.Integer({ description: 'Seconds' }),
    resolutions: Type.Array(Type.String()),
    aspectRatios: Type.Array(Type.String()),
    pricing: Type.Union(
      [
        Type.Object({
          per: Type.Enum([...PRICE_UNITS], { description: 'What the credits are paid for' }),
          credits: Type.Record(Type.String(), Type.Number(), { description: 'Credits by resolution' }),
        }),
        Type.Null(),
      ],
      { description: 'null while the model has no price' },
    ),
    enabled: Type.Boolean(),
    description: Type.Union([Type.String(), Type.Null()]),
    sample: Type.Array(Type.String(), { description: 'Links to films of the model' }),
    sampleThumbnailUrl: TextOrNull('Link to a JPEG of the first of these films, where there is one'),
    isSampleDrawn: Type.Boolean({
      description:
        'Whether the sample is no film of the model: the simulator, which stands in for its provider, drew it',
    }),
    prices: Type.Union(
      [
        Type.Object({
          per: Type.Enum([...PRICE_UNITS], {
            description:
              'second: of the film, which may be as long as an input; where what goes in is paid for, of that',
          }),
          dependsOn: Type.Array(Type.String(), { description: 'The fields of a request, `mode` among them' }),
          list: Type.Array(Type.Object({ credits: Type.Number() }, { additionalProperties: true }), {
            description: 'The credits with the values of these fields; a film costs whole credits, rounded up',
          }),
          lengths: Type.Record(
            Type.String(),
            Type.Object({ follows: Type.Enum([...FOLLOWED]), from: Type.Integer(), to: Type.Integer() }),
            {
              description:
                'By mode, where an input or the provider decides how long the film is: which, and the shortest and longest in seconds. ' +
                'While that length is not known the price is of the longest, and what is not made comes back',
            },
          ),
        }),
        Type.Null(),
      ],
      { description: 'All prices, with what they depend on; `pricing` has those with the defaults of all options' },
    ),
    rules: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description:
        'What values exclude each other: with all of `when` (`{ "given": true }`: any value), only `then`; `why` is for users',
    }),
    schema: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of the body of generate; what it refuses, generate refuses',
      },
    ),
    usualSeconds: Type.Integer({ description: 'How long a film takes: the median of the last ones' }),
  },
  {
    title: 'Model',
    examples: [
      {
        id: 'delta-1-5',
        name: 'Delta 1.5',
        provider: 'Delta Motion',
        modes: ['text-to-video', 'image-to-video'],
        minDuration: 4,
        maxDuration: 12,
        resolutions: ['720p', '1080p'],
        aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
        pricing: { per: 'second', credits: { '720p': 4, '1080p': 8 } },
        enabled: true,
        description: null,
        sample: ['https://kinora.example/sample/01939b1e-7777-7aaa-8bbb-000000000001/film.mp4'],
        sampleThumbnailUrl: 'https://kinora.example/sample/01939b1e-7777-7aaa-8bbb-000000000001/thumbnail.jpg',
        isSampleDrawn: false,
        prices: {
          per: 'second',
          dependsOn: ['quality'],
          list: [
            { quality: '720p', credits: 4 },
            { quality: '1080p', credits: 8 },
          ],
          lengths: {},
        },
        rules: [],
        schema: { type: 'object' },
        usualSeconds: 41,
      },
    ],
  },
)

const route = routesOf({ tag: 'config' })

const listModelsRoute = route('GET', '/api/v1/config/models', {
  operationId: 'listModels',
  summary: 'Models, with their limits and prices',
  data: Type.Object({ models: Type.Array(ModelView) }),
  handler: async (app) => {
    const samples = await samplesByModel(app)
    const models = listedModels(catalogue(app.config)).map((model, number) => {
      const view = shown(model, app.config)
      const account = model.routes[0]?.account ?? ''
      const sample = sampleOf(app, view, samples) ?? drawnSample(app, model, number)
      return { ...view, ...sample, usualSeconds: usualSecondsOf(app, model, account) }
    })
    return ok({ models })
  },
})

const listPromptTemplatesRoute = route('GET', '/api/v1/config/templates', {
  operationId: 'listPromptTemplates',
  summary: 'Prompt templates of the operator',
  data: Type.Object({ templates: Type.Array(Template) }),
  handler: async () => ok({ templates: promptTemplates() }),
})

function sampleRoute(server: FastifyInstance, app: App): void {
  typed(server).route({
    method: ['GET', 'HEAD'],
    url: '/sample/:uuid/:file',
    config: { limit: 'signed' },
    schema: { hide: true, params: Type.Object({ uuid: Type.String(), file: Type.String() }) },
    handler: async (request, reply) => {
      const { uuid, file } = request.params
      const film = await readSample(app, uuid)
      const key = film && [film.videoKey, film.thumbnailKey].find((each) => publicNameOf(each) === file)
      if (!key) {
        await limitUnauthenticated(app, request, reply)
        throw new AppError('NOT_FOUND', 'This film is not a sample any more.')
      }
      return sendStoredFile(request, reply, app, { key, remainingS: FILE_TTL_S })
    },
  })
}

type Sample = { sample: string[]; sampleThumbnailUrl: string | null; isSampleDrawn: boolean }

/**
 * The film that was made here comes before those that the model's file names, which have no thumbnail.
 * @returns null without one
 */
function sampleOf(
  { config }: App,
  { id, sample }: { id: string; sample: string[] },
  samples: ReadonlyMap<string, ModelSample>,
): Sample | null {
  const made = samples.get(id)
  if (!made) return sample.length > 0 ? { sample, sampleThumbnailUrl: null, isSampleDrawn: false } : null
  const folder = `${config.publicUrl}/sample/${made.videoId}`
  return {
    sample: [`${folder}/${publicNameOf(made.videoKey)}`, ...sample],
    sampleThumbnailUrl: `${folder}/${publicNameOf(made.thumbnailKey)}`,
    isSampleDrawn: false,
  }
}

/**
 * A film of the release for a model that the simulator stands in for; of a vendor's model it would tell something
 * wrong. @param number of the model, so that no two beside each other have the same film
 */
function drawnSample({ config }: App, model: Model, number: number): Sample {
  const isSimulated = config.providers[model.routes[0]?.account ?? '']?.isSimulated === true
  const films = isSimulated && !isUpscaler(model) ? drawnFilms(config) : []
  const film = films[number % films.length]
  if (film === undefined) return { sample: [], sampleThumbnailUrl: null, isSampleDrawn: false }
  const link = `${config.publicUrl}/${SAMPLES}/${film}`
  return { sample: [`${link}.mp4`], sampleThumbnailUrl: `${link}.jpg`, isSampleDrawn: true }
}

/** In the build of the studio (simulator/sample-films.ts). */
const SAMPLES = 'samples'
const drawn = new WeakMap<Config, string[]>()

/** @returns their names, without the ending */
function drawnFilms(config: Config): string[] {
  const folder = path.join(config.studioDir, SAMPLES)
  const known = drawn.get(config)
  if (known) return known
  const files = existsSync(folder) ? readdirSync(folder) : []
  const films = files.flatMap((file) => (file.endsWith('.mp4') ? path.parse(file).name : [])).sort()
  drawn.set(config, films)
  return films
}

/** What is shown of a model, for one set of settings: to make it takes longer than a response should. */
function shown(model: Model, config: Config) {
  const known = views.get(model)
  if (known?.config === config) return known.view
  const view = viewOf(model, config)
  views.set(model, { config, view })
  return view
}
const views = new WeakMap<Model, { config: Config; view: ReturnType<typeof viewOf> }>()

const viewOf = (model: Model, config: Config) => ({
  id: model.id,
  name: model.name,
  provider: model.company,
  ...model.summary,
  pricing: pricingOf(model, config),
  enabled: model.enabled,
  description: model.description ?? null,
  sample: model.sample ?? [],
  prices: pricesOf(model, config),
  rules: [...(model.rules ?? [])],
  schema: requestSchema(model) as object,
})

export const registerCatalogue = together(listModelsRoute, listPromptTemplatesRoute, sampleRoute)
