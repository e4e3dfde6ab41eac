/**
 * Generates the types of every operation: src/openapi.ts from openapi.json, and src/openapi-operator.ts from
 * openapi-operator.json. `npm run openapi` regenerates the files, and a test fails when they are stale.
 */
import openapiTypescript, { astToString } from 'openapi-typescript'
import typescript from 'typescript'

export const clientTypesFiles = {
  openapi: new URL('src/openapi.ts', import.meta.url),
  'openapi-operator': new URL('src/openapi-operator.ts', import.meta.url),
}

const HEADER = `/**
 * Generated from the document of the same name by \`npm run openapi\`. Do not edit: change the routes.
 * It contains types only, so none of it is in the build.
 */

`

/** The type of a binary body, for browsers (Blob, File) and Node (Buffer), in place of the schema's `string`. */
const binary = typescript.factory.createUnionTypeNode(
  ['Blob', 'ArrayBuffer', 'Uint8Array<ArrayBuffer>'].map((name) =>
    typescript.factory.createTypeReferenceNode(typescript.factory.createIdentifier(name)),
  ),
)

export const keyedOperationsFile = new URL('src/keyed-operations.ts', import.meta.url)

/** The POSTs that take an Idempotency-Key. @param openApiTexts the texts of the documents */
export function describeKeyedOperations(openApiTexts: string[]): string {
  const paths = openApiTexts.flatMap((text) => {
    const { paths, components } = JSON.parse(text) as KeyedDocument
    const isKey = ({ $ref, name }: KeyedParameter) =>
      (name ?? components.parameters?.[$ref?.split('/').at(-1) ?? '']?.name)?.toLowerCase() === 'idempotency-key'
    return Object.entries(paths).flatMap(([path, { post }]) => (post?.parameters?.some(isKey) ? [`  '${path}',`] : []))
  })
  const header = '/** Generated from the documents by `npm run openapi`: the POSTs that take an Idempotency-Key. */'
  return `${header}\nexport const KEYED: ReadonlySet<string> = new Set([\n${paths.sort().join('\n')}\n])\n`
}

type KeyedParameter = { $ref?: string; name?: string }
type KeyedDocument = {
  paths: Record<string, { post?: { parameters?: KeyedParameter[] } }>
  components: { parameters?: Record<string, KeyedParameter> }
}

/** @param openApiText the text of a document */
export async function describeClientTypes(openApiText: string): Promise<string> {
  // Examples would be a fifth of the file, in comments that no editor shows.
  const described = JSON.stringify(JSON.parse(openApiText), (key, value) => (key === 'example' ? undefined : value))
  const nodes = await openapiTypescript(described, {
    silent: true,
    // A property with a default is optional in a request.
    defaultNonNullable: false,
    transform: (schema) => (schema.format === 'binary' ? binary : undefined),
  })
  return HEADER + astToString(nodes)
}
