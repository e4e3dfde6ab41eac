/**
 * The webhooks of the payment processors. One whose path lies below /api/auth is an endpoint of a better-auth plugin,
 * because better-auth serves these paths. The signature is verified over the raw body before the body is parsed or
 * stored.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { type Processor, processorNames } from '../config/processors.ts'
import { AppError } from '../errors.ts'
import { receive } from '../payment/events.ts'
import type { ReceivedWebhook } from '../payment/processor.ts'
import { processors } from '../payment/processors.ts'
import { ok } from './request/envelope.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from './request/request-body.ts'

const AUTH_PATH = '/api/auth'
const isOfAuth = (processor: Processor): boolean => processors[processor].webhookPath.startsWith(`${AUTH_PATH}/`)

export function registerPaymentWebhooks(server: FastifyInstance, app: App): void {
  server.register(async (scope) => {
    acceptRawBody(scope)

    const options = { config: { limit: 'webhook' as const }, schema: { hide: true }, onRequest: ignoreContentType }
    for (const processor of processorNames.filter((each) => !isOfAuth(each)))
      scope.post(processors[processor].webhookPath, options, async (request) =>
        ok(await receiveSigned(app, processor, rawBodyOf(request), request.headers)),
      )
  })
}

/** The paths that better-auth serves. */
export const authWebhookPaths = processorNames.filter(isOfAuth).map((each) => processors[each].webhookPath)

export const authWebhooks = (app: App) =>
  ({
    id: 'payment-webhooks',
    endpoints: Object.fromEntries(
      processorNames.filter(isOfAuth).map((processor) => [
        processor,
        createAuthEndpoint(
          processors[processor].webhookPath.slice(AUTH_PATH.length),
          { method: 'POST', disableBody: true, requireRequest: true },
          async (context) => {
            const body = Buffer.from(await context.request.arrayBuffer())
            const data = await receiveSigned(app, processor, body, Object.fromEntries(context.request.headers))
            return context.json({ success: true, data })
          },
        ),
      ]),
    ),
  }) satisfies BetterAuthPlugin

/** @throws AppError UNAUTHENTICATED */
async function receiveSigned(app: App, processor: Processor, body: Buffer, headers: ReceivedWebhook['headers']) {
  if (!isSigned(app, processor, body, headers))
    throw new AppError('UNAUTHENTICATED', 'The signature is missing, wrong, or not recent.')
  await receive(app, processor, body.toString('utf8'))
  return { received: true }
}

function isSigned(app: App, processor: Processor, body: Buffer, headers: ReceivedWebhook['headers']): boolean {
  const secret = app.config.payments[processor]?.webhookSecret
  if (!secret) return false
  try {
    return processors[processor].verify({ body, headers, secret, now: app.now() })
  } catch (err) {
    app.log.info({ err }, 'a signature was refused')
    return false
  }
}
