/** The APIs that serve other services' wire formats, each in a file of its own, and the limits that they share. */
import type { FastifyInstance } from 'fastify'
import type { Credentials } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { registerAiGateway } from './ai-gateway.ts'
import { registerFal } from './fal.ts'
import { limitLargeBodies } from './large-bodies.ts'
import { registerMcp } from './mcp.ts'
import { registerOpenAi } from './openai.ts'
import { registerOpenRouter } from './openrouter.ts'
import { registerReplicate } from './replicate.ts'
import { openWaits } from './wait-for-film.ts'

export function registerAll(http: FastifyInstance, app: App, credentials: Credentials): void {
  const { recheck } = credentials
  const shared = { limitLarge: limitLargeBodies(), waitForFilm: openWaits(http, app, credentials), recheck }
  registerOpenAi(http, app, shared)
  registerMcp(http, app, shared)
  registerReplicate(http, app, shared)
  registerFal(http, app, shared)
  registerOpenRouter(http, app, shared)
  registerAiGateway(http, app, shared)
}
