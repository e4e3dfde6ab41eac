/** Routes as values: what the routes of a group have in common is said once, and each says what is its own. */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../errors.ts'
import { Envelope, type ok } from './envelope.ts'
import { CREDENTIALS } from './request.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Definition<
  Context,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Headers extends TSchema,
  Data extends TSchema,
> = {
  operationId: string
  summary: string
  description?: string
  /** Beside what the group has. */
  config?: FastifyContextConfig
  errors?: ErrorCode[]
  /** In place of CREDENTIALS. */
  security?: NonNullable<FastifySchema['security']>
  params?: Params
  querystring?: Query
  body?: Body
  headers?: Headers
  /** The schema of the data of the success response, and an example where the schema has none. */
  data?: Data
  example?: Static<NoInfer<Data>>
  /** In place of `data`, for what has no envelope. */
  response?: FastifySchema['response']
  /**
   * Reads what an earlier request with the same Idempotency-Key has made. With it, the route takes the header, and its
   * deed `request.onceKey`; see idempotency.ts.
   */
  replay?: (
    context: Context,
    request: FastifyRequest<{ Params: Static<Params>; Querystring: Static<Query>; Body: Static<Body> }>,
    id: string,
  ) => Promise<ReturnType<typeof ok<Static<Data>>>>
  handler: (
    context: Context,
    request: FastifyRequest<{
      Params: Static<Params>
      Querystring: Static<Query>
      Body: Static<Body>
      Headers: Static<Headers>
    }>,
    reply: FastifyReply,
  ) => Promise<TSchema extends Data ? unknown : ReturnType<typeof ok<Static<Data>>>>
}
/** Registers a route, whose handler gets the context. */
export type Route<Context = App> = (server: FastifyInstance, context: Context) => void

/**
 * Returns the constructor of the routes of a group.
 * @param group the tag of their operations, and the part of their `config` that is the same
 */
export const routesOf =
  <Context = App>({ tag, ...shared }: FastifyContextConfig & { tag: string }) =>
  <
    Params extends TSchema = TSchema,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
    Headers extends TSchema = TSchema,
    Data extends TSchema = TSchema,
  >(
    method: Method,
    url: string,
    { config, data, example, handler, replay, ...own }: Definition<Context, Params, Query, Body, Headers, Data>,
  ): Route<Context> =>
  (server, context) => {
    const hasCaller = shared.access === 'user' || shared.access === 'admin'
    server.route<Parameters<typeof handler>[1] extends FastifyRequest<infer Generic> ? Generic : never>({
      method,
      url,
      config: {
        ...shared,
        ...config,
        ...(replay && { replay: (request, id) => replay(context, request as Parameters<typeof replay>[1], id) }),
      },
      schema: {
        tags: [tag],
        ...(hasCaller ? { security: CREDENTIALS } : {}),
        ...(data ? { response: { 200: Envelope(data, example) } } : {}),
        ...own,
      },
      handler: (request, reply) => handler(context, request, reply),
    })
  }

/** The routes as one, which registers them in this sequence. */
export const together =
  <Context>(...routes: Route<Context>[]): Route<Context> =>
  (server, context) => {
    for (const register of routes) register(server, context)
  }
