/** `/api/v1/credit/gift`: what became of the caller's new-user gift, and that the caller knows it. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { type Gift, giftOf, markGiftSeen } from '../credit/gift.ts'
import { changeErrors, Envelope, errors, ok, TextOrNull } from './request/envelope.ts'
import { authenticated, userOf } from './request/request.ts'

const States = ['decided', 'waiting', 'address_used', 'domain_denied', 'network_limit'] as const
const GiftState = Type.Object(
  {
    state: Type.Enum([...States], {
      description: 'decided: granted, or this service gives none. waiting: for a verified e-mail address',
    }),
    credits: Type.Integer({ description: 'What a gift is worth' }),
    message: TextOrNull('Why no gift came, for people; null: decided'),
    isSeen: Type.Boolean({ description: 'Whether the user has been notified of this state' }),
  },
  { title: 'Gift', examples: [{ state: 'decided', credits: 60, message: null, isSeen: true }] },
)

const messages: Record<Gift['state'], string | null> = {
  decided: null,
  waiting: 'Your welcome credits come as soon as your e-mail address is verified.',
  address_used: 'Another account with this e-mail address has had the welcome credits, which are given once.',
  domain_denied: 'There are no welcome credits for addresses of this e-mail service. Ask those who run this service.',
  network_limit:
    'Many accounts were made from your network today, so yours came without welcome credits. Ask those who run this service.',
}
const view = (gift: Gift) => ({ ...gift, message: messages[gift.state] })

export function registerGift(server: FastifyInstance, app: App): void {
  const http = server.withTypeProvider<TypeBoxTypeProvider>()
  http.route({
    method: 'GET',
    url: '/api/v1/credit/gift',
    config: { access: 'user' },
    schema: {
      ...authenticated('credit'),
      operationId: 'getGift',
      summary: 'What became of your new-user gift',
      response: { 200: Envelope(GiftState), ...errors(401) },
    },
    handler: async (request) => ok(view(await giftOf(app, userOf(request).userId))),
  })
  http.route({
    method: 'POST',
    url: '/api/v1/credit/gift/seen',
    config: { access: 'user' },
    schema: {
      ...authenticated('credit'),
      operationId: 'markGiftSeen',
      summary: 'Say that you know what became of your gift',
      description: 'The studio shows the reason once.',
      response: { 200: Envelope(GiftState), ...changeErrors(401) },
    },
    handler: async (request) => {
      const { userId } = userOf(request)
      await markGiftSeen(app, userId)
      return ok(view(await giftOf(app, userId)))
    },
  })
}
