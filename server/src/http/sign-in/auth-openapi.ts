/** OpenAPI path items of `/api/auth/*`, from the operations that are passed on to better-auth. */

import { ErrorBody, statusName } from '../request/envelope.ts'
import { adminOperations } from './auth-admin-operations.ts'
import { factorOperations } from './auth-factor-operations.ts'
import { mailOperations } from './auth-mail-operations.ts'
import { methodOperations } from './auth-method-operations.ts'
import { userOperations } from './auth-operations.ts'
import { AuthErrorBody, type AuthOperation } from './auth-schemas.ts'

/** Everything that is reachable under /api/auth, besides payment-a's webhook. */
export const authOperations: AuthOperation[] = [
  ...userOperations,
  ...methodOperations,
  ...factorOperations,
  ...mailOperations,
  ...adminOperations,
]

/** OpenAPI path items, by path and method. */
export const authPaths = () =>
  Object.fromEntries(authOperations.map((operation) => [operation.path, { [operation.method]: toOpenApi(operation) }]))

function toOpenApi(operation: AuthOperation) {
  const { operationId, summary, description, session, body, query, response, errorStatuses, example } = operation
  const { examples = [], ...schema } = (body ?? {}) as { examples?: unknown[] }
  const json = (schema: object, value?: unknown) => ({
    content: { 'application/json': { schema, ...(value === undefined ? {} : { example: value }) } },
  })
  // 413, 429, 500 and 503 come from this service and have its envelope; the other errors have better-auth's shape.
  const authErrors = [...new Set([...errorStatuses, ...(session === 'none' ? [] : [401])])].sort()
  const failures = [
    ...authErrors.map((status) => [status, AuthErrorBody] as const),
    ...[...(operation.method === 'post' ? [413] : []), 429, 500, 503].map((status) => [status, ErrorBody] as const),
  ]
  return {
    operationId,
    summary,
    tags: ['auth'],
    ...(description ? { description } : {}),
    ...(session === 'none' ? {} : { security: [{ session: [] }, { bearer: [] }] }),
    ...(query
      ? { parameters: Object.entries(query).map(([key, schema]) => ({ in: 'query', name: key, schema })) }
      : {}),
    ...(body ? { requestBody: { required: true, ...json(schema, examples[0]) } } : {}),
    responses: {
      200: { description: 'Success', ...json(response, example) },
      ...Object.fromEntries(
        failures.map(([status, schema]) => [status, { description: statusName(status), ...json(schema) }]),
      ),
    },
  }
}
