/** The operations of the documents, and the check of a response against what is documented for it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ErrorCode, statusOf } from '../../server/src/errors.ts'
import { readOpenApi, responseKey } from '../../server/test/support/served-document.ts'

export type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  /** The schemas of which a body has one. */
  anyOf?: Schema[]
  examples?: unknown[]
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
export type Operation = {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: { schema: Schema; example: unknown } | null
  /** Statuses that are documented, with the content types of each. */
  responses: Record<string, { content?: Record<string, unknown> }>
}

type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}
type DocumentedOperation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Operation['responses']
}

/** Operations that the run has no schema for: an endless stream, archives and CSV. */
const STREAMS = new Set([
  'streamVideoEvents',
  'exportAccount',
  'exportSubject',
  'exportTeam',
  'archiveProject',
  'archiveVideos',
  'downloadCosts',
  'downloadCreditUsage',
  'downloadMovements',
  'downloadShots',
  'downloadTakedowns',
  'downloadTeamLog',
])
/** Payment processors are not configured in the run. */
const MAY_BE_UNAVAILABLE = new Set(['startCheckout', 'openPortal'])

export function readOperations(text: string) {
  const document = readOpenApi<Document>(text)
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ ...document, $id: 'api' })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]): Operation => {
      const json = documented.requestBody?.content['application/json']
      return {
        id: documented.operationId,
        method: method.toUpperCase(),
        path,
        parameters: documented.parameters ?? [],
        body: json ? { schema: json.schema, example: json.example ?? {} } : null,
        responses: documented.responses,
      }
    }),
  )

  /** What is wrong with a response; null: nothing. `isOtherRoute`: a hostile path may have led elsewhere. */
  function problemOf(operation: Operation, response: FuzzResponse, isOtherRoute: boolean): string | null {
    const { status, contentType, text } = response
    const mayBeUnavailable = status === 503 && MAY_BE_UNAVAILABLE.has(operation.id)
    if (status >= 500 && !mayBeUnavailable) return `status ${status}`
    // 431 is decided by the HTTP parser, before there is a route.
    if (isOtherRoute || status === 431) return null
    const documented = operation.responses[responseKey(status)]
    if (!documented) return `status ${status} is not documented`
    if (STREAMS.has(operation.id) && status === 200) return null
    if (!contentType.startsWith('application/json')) return `content type "${contentType}"`
    const where = ['paths', operation.path, operation.method.toLowerCase(), 'responses', responseKey(status)]
    const validate = ajv.getSchema(pointer([...where, 'content', 'application/json', 'schema']))
    if (!validate) return `no schema for status ${status}`
    const json = parsed(text)
    if (json === undefined) return 'the body is no JSON'
    const { code } = (json as { error?: { code?: ErrorCode } } | null)?.error ?? {}
    // Those of sign-in are not the API's: the schema has their names.
    if (code && Object.hasOwn(statusOf, code) && statusOf[code] !== status)
      return `status ${status} with the code ${code}`
    return validate(json)
      ? null
      : `the body of status ${status} breaks its schema: ${JSON.stringify(validate.errors?.slice(0, 3))}`
  }
  return { operations, problemOf }
}

export type FuzzResponse = { status: number; contentType: string; text: string }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pointer = (parts: string[]) =>
  `api#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
