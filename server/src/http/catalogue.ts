/** `/api/v1/config/models`: the models, their limits and their prices. Public. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { catalogue, listedModels } from '../catalogue/catalogue.ts'
import { PRICE_UNITS, pricingOf } from '../catalogue/price.ts'
import { Envelope, errors, ok } from './request/envelope.ts'

const Model = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    provider: Type.String({ description: 'The company that made the model' }),
    modes: Type.Array(Type.String({ description: 'text-to-video or image-to-video' })),
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
      },
    ],
  },
)

export function registerCatalogue(server: FastifyInstance, { config }: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  http.route({
    method: 'GET',
    url: '/api/v1/config/models',
    schema: {
      tags: ['config'],
      operationId: 'listModels',
      summary: 'Models, with their limits and prices',
      response: { 200: Envelope(Type.Object({ models: Type.Array(Model) })), ...errors() },
    },
    handler: async () =>
      ok({
        models: listedModels(catalogue(), config).map((model) => {
          const { id, name, company: provider, summary, enabled } = model
          return { id, name, provider, ...summary, pricing: pricingOf(model, config), enabled }
        }),
      }),
  })
}
