/** Operations that take no body. Invariant: an unknown field of a body is 400 at every operation of openapi.json. */
import type { FastifyInstance, FastifySchema } from 'fastify'

/** Without a body Fastify validates null. */
const noBody = { type: ['object', 'null'], additionalProperties: false }

/** Gives the operations that are registered from now on, and have no schema of a body, one that allows no field. */
export function refuseUnknownFields(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { schema, config } = route
    if (schema?.operationId === undefined || schema.body !== undefined || config?.body === 'raw') return
    if ([route.method].flat().some((method) => changing.has(method))) route.schema = { ...schema, body: noBody }
  })
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The schema without a body that allows no field: openapi.json describes no body then. */
export function describedSchema<S extends FastifySchema>(schema: S): S {
  if (schema.body !== noBody) return schema
  const { body: _, ...described } = schema
  return described as S
}
