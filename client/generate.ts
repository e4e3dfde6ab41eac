/**
 * Generates src/openapi.ts, the types of every operation, from openapi.json. `npm run openapi` regenerates the file,
 * and a test fails when it is stale.
 */
import openapiTypescript, { astToString } from 'openapi-typescript'
import typescript from 'typescript'

export const clientTypesFile = new URL('src/openapi.ts', import.meta.url)

const HEADER = `/**
 * Generated from openapi.json by \`npm run openapi\`. Do not edit: change the routes of the service, and run it again.
 * It contains types only, so none of it is in the build.
 */

`

/** The type of a binary body, for browsers (Blob, File) and Node (Buffer), in place of the schema's `string`. */
const binary = typescript.factory.createUnionTypeNode(
  ['Blob', 'ArrayBuffer', 'Uint8Array<ArrayBuffer>'].map((name) =>
    typescript.factory.createTypeReferenceNode(typescript.factory.createIdentifier(name)),
  ),
)

/** @param openApiText the text of openapi.json */
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
